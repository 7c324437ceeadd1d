// The whole text of an input file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace heddle::platform {

/// Reads the file at `path`, packed by gzip or zstd or not. Throws InputError, at `where` if the
/// path was written in another file, when it cannot be read or is larger than 256 MiB.
std::string read_text_file(const std::string& path, const SourceLocation& where = {});

/// A text and what errors call the place it came from.
struct TextInput {
  std::string name;
  std::string text;
};
/// Reads what the user names on the command line: a file, or the standard input if `path` is "-".
/// Throws InputError as read_text_file() does.
TextInput read_text_input(const std::string& path);

/// Throws InputError at the first place of the text of `file` that is no text.
void require_text(std::string_view text, const std::string& file);

}  // namespace heddle::platform
