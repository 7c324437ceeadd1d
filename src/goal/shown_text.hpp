// Foreign text as errors show it: short, and in characters that every terminal has.
#pragma once

#include <string>
#include <string_view>

namespace heddle::goal {

/// At most the first `most` characters of `text`; bytes that are not printable ASCII look as \x00
/// does.
std::string shown_text(std::string_view text, std::size_t most = 40);

/// The first byte of `text` in words: "'?'", "a NUL byte", "a byte order mark"; the latter only
/// where the file begins.
std::string shown_byte(std::string_view text, bool at_beginning);

}  // namespace heddle::goal
