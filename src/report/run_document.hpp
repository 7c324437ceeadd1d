// Reads what heddle has written of runs: summaries, pages, and results of --json.
#pragma once

#include <string>
#include <string_view>

#include "report/json.hpp"

namespace heddle::report {

/// The data of a page, with a `summary` that has everything pages and comparisons rely on. `file`
/// is what errors call it. Throws InputError if the text is none of the three.
Json data_of_run(std::string_view text, const std::string& file);

}  // namespace heddle::report
