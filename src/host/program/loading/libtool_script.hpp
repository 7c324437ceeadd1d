// Scripts that libtool leaves in the place of programs in a build tree.
#pragma once

#include <optional>
#include <string>

namespace heddle::host {

/// What such a script starts.
struct LibtoolProgram {
  std::string path;       ///< Of the program itself.
  std::string libraries;  ///< Folders for LD_LIBRARY_PATH, with colons between them, or "".
};

/// The program that the script at `path` starts; nullopt if there is no script of libtool's. Throws
/// InputError for other scripts, and if the program is not there.
std::optional<LibtoolProgram> read_libtool_script(const std::string& path);

}  // namespace heddle::host
