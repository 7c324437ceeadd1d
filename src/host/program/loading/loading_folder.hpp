// Where the system's loader finds what is loaded into the simulator.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heddle::host {

/// A folder for the time of loading, in which the process works meanwhile. The loader takes files
/// of equal paths for the same library, so every file in it, a link to a file in memory, has a name
/// that none has had before: short, because it replaces the names of needed libraries in their
/// place.
class LoadingFolder {
 public:
  /// Throws RunError if there can be none.
  LoadingFolder();
  ~LoadingFolder();
  LoadingFolder(const LoadingFolder&) = delete;
  LoadingFolder& operator=(const LoadingFolder&) = delete;

  /// A new name for the contents of a file: "./a2".
  std::string add(const std::vector<std::byte>& bytes);
  /// The file in memory that has this name.
  int file(const std::string& name) const { return files_.at(name); }

 private:
  std::string path_;
  std::filesystem::path before_;
  std::map<std::string, int> files_;
};

}  // namespace heddle::host
