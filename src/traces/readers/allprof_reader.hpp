// The text files of liballprof.
#pragma once

#include <string>
#include <string_view>

#include "traces/trace.hpp"

namespace heddle::traces {

/// One rank's liballprof trace; `file` stands for it in errors.
RankTrace parse_allprof(std::string_view text, const std::string& file);

}  // namespace heddle::traces
