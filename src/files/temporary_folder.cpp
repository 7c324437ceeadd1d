#include "files/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace heddle::files {

namespace fs = std::filesystem;

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  const std::string path = named == nullptr || *named == '\0' ? "/tmp" : named;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return path;
  throw InputError({"TMPDIR"}, "'" + path +
                                   "' is not a folder: accepted is one for files that are "
                                   "needed while the program runs");
}

ScratchFolder::ScratchFolder() {
  std::string pattern = fs::path(temporary_folder()) / "heddle-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw RunError("cannot make a folder in '" + temporary_folder() +
                   "', which TMPDIR can change: " + std::strerror(errno));
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace heddle::files
