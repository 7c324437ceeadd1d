// What the <config> of a platform file says, as parameters of ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/params.hpp"

namespace heddle::platform::simgrid {

/// A parameter and its value.
struct Translation {
  std::string name;
  std::string text;
};

/// What a setting of SimGrid's is called here, or nothing if it means nothing here.
std::optional<Translation> translated_setting(std::string_view id, std::string_view value);

/// Gives `settings` what the file's <config> says of networks and MPI, but for what they have
/// already and sections that they do not know. Throws InputError for values out of range.
void assign_config(std::string_view xml, const std::string& file_name, Settings& settings);

}  // namespace heddle::platform::simgrid
