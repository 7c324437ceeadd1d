// What results say of how they came about, so that `heddle again` can repeat them.
#pragma once

#include <string>
#include <vector>

#include "core/params.hpp"
#include "replay/schedule.hpp"
#include "report/json.hpp"

namespace heddle::cli {

/// 16 hexadecimal digits.
std::string hex(std::uint64_t number);
/// A path that means the same file from everywhere; "-" stays.
std::string absolute_path(const std::string& path);

/// A number of the bytes of the file at `path`, as 16 hexadecimal digits, or null if it cannot be
/// read.
report::Json hash_of_file(const std::string& path);
/// A number of what a schedule says, whatever format it was read from.
std::string hash_of(const replay::Schedule& schedule);

/// "section.name=value" of each parameter of these sections that is not at its default.
std::vector<std::string> changed_settings(const Settings& settings,
                                          const std::vector<std::string>& sections);

}  // namespace heddle::cli
