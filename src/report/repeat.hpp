// What results say of how they came about, so that `heddle again` can repeat them.
#pragma once

#include <string>
#include <vector>

#include "core/params.hpp"
#include "goal/schedule.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// 16 hexadecimal digits.
std::string hex(std::uint64_t number);
/// A path that means the same file from everywhere; "-" stays.
std::string absolute_path(const std::string& path);

/// Words of a command as pages for others show them: of absolute paths, alone or behind ':' or '=',
/// what is below the working directory from there on, else the file's name.
std::vector<std::string> without_places(std::vector<std::string> words);

/// A number of the bytes of the file at `path`, as 16 hexadecimal digits, or null if it cannot be
/// read.
Json hash_of_file(const std::string& path);
/// A number of what a schedule says, whatever format it was read from.
std::string hash_of(const goal::Schedule& schedule);

/// "section.name=value" of each parameter of these sections that is not at its default.
std::vector<std::string> changed_settings(const Settings& settings,
                                          const std::vector<std::string>& sections);

}  // namespace heddle::report
