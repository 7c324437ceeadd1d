// The whole text of an input file.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace heddle::platform {

/// Reads the file at `path`. Throws InputError, at `where` if the path was written in another file,
/// when it cannot be read or is larger than 256 MiB.
std::string read_text_file(const std::string& path, const SourceLocation& where = {});

}  // namespace heddle::platform
