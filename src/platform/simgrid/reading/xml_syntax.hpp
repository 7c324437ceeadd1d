// What XML demands and the parser does not check, and what it would have accepted.
#pragma once

#include <pugixml.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::platform::simgrid {

/// A mistake in a text, at an offset in bytes.
struct XmlMistake {
  std::size_t offset;
  std::string problem;
};

/// The first undefined entity or bare '<' in an attribute of a text that was parsed.
std::optional<XmlMistake> find_bad_character(std::string_view text);

/// What stands at `offset`, for an error: a word in quotes, or the end of the file.
std::string token_at(std::string_view text, std::size_t offset);

/// What the parser wanted where it gave up with this status.
std::string accepted_instead(pugi::xml_parse_status status);

}  // namespace heddle::platform::simgrid
