// Runs the built `heddle` as a user would.
#pragma once

#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace heddle::cli {

/// A folder of a test's own, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "heddle-test-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ / name; }
  /// How many files and folders are in it.
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

/// What `heddle` with the given arguments (as the shell reads them) prints and answers.
inline Outcome heddle(const std::string& arguments) {
  const TemporaryFolder folder;
  // The search for leaks at the end of a sanitized process can take seconds; unit tests do it once.
  const std::string command = "ASAN_OPTIONS=detect_leaks=0 " + std::string(HEDDLE_PROGRAM) + " " +
                              arguments + " >" + (folder / "out") + " 2>" + (folder / "err") +
                              " </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(folder / "out"),
          file_text(folder / "err")};
}

}  // namespace heddle::cli
