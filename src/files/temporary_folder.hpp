// Where files are put that only this run needs.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::files {

/// The folder that TMPDIR names, or /tmp. Throws InputError if it is none.
std::string temporary_folder();

/// A folder that is gone, with all in it, when it is no longer needed.
class ScratchFolder {
 public:
  /// Throws RunError if it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path() const { return path_; }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::files
