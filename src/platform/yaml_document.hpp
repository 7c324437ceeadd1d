// YAML as all readers of it take it apart: one document, with places for errors.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "core/error.hpp"

namespace heddle::platform {

/// Where a mark is in `file`.
SourceLocation place_of(const YAML::Mark& mark, const std::string& file);

/// What a node is, for errors: "a list", "'100Gbps'".
std::string token_of(const YAML::Node& node);

/// The document that a text is. Throws InputError where it is no YAML, or more than one document;
/// then `what` ("machine") is what the document would be, and `accepted` one that is right.
YAML::Node load_yaml(const std::string& text, const std::string& file, const std::string& what,
                     const std::string& accepted);

}  // namespace heddle::platform
