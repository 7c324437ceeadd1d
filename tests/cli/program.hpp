// Runs the built `heddle` as a user would.
#pragma once

#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "temporary_folder.hpp"

namespace heddle::cli {

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

/// What `heddle` with the given arguments (as the shell reads them), run in `directory`, prints and
/// answers.
inline Outcome heddle(const std::string& arguments, const std::string& directory = ".") {
  const TemporaryFolder folder;
  // The search for leaks at the end of a sanitized process can take seconds; unit tests do it once.
  const std::string command = "cd '" + directory + "' && ASAN_OPTIONS=detect_leaks=0 " +
                              HEDDLE_PROGRAM + " " + arguments + " >" + (folder / "out") + " 2>" +
                              (folder / "err") + " </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(folder / "out"),
          file_text(folder / "err")};
}

}  // namespace heddle::cli
