// What the tracing library recorded, in the common form of traces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/trace.hpp"

namespace heddle::traces {

/// The trace that the tracing library recorded of one rank of `ranks`.
RankTrace parse_recorded(std::string_view bytes, const std::string& file, std::uint32_t rank,
                         std::uint32_t ranks);

}  // namespace heddle::traces
