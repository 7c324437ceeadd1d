// Files that only one run of the program needs.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"

namespace heddle::cli {

/// A folder that is gone, with all in it, when it is no longer needed.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "heddle-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw RunError("cannot make a folder in '" + std::filesystem::temp_directory_path().string() +
                     "'");
    }
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::cli
