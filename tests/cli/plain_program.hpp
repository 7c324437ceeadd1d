// Programs that nobody built for Heddle.
#pragma once

#include "cli/hosted.hpp"

namespace heddle::cli {

/// A program of the system's compiler, which knows of Heddle only as a library for Portals.
class PlainProgram {
 public:
  explicit PlainProgram(const std::string& text, const std::string& options = "") {
    std::ofstream(folder_ / "program.c") << text;
    const std::string include = std::string(HEDDLE_TEST_DATA) + "/../../include";
    compilation_ = shell("cc -Wall -O1 -I'" + include + "' program.c -o program -L'" +
                             built("stand-in") + "' -lportals " + options,
                         folder_.path());
  }
  const Outcome& compilation() const { return compilation_; }
  std::string folder() const { return folder_.path(); }
  Outcome run(const std::string& options) const {
    return heddle("run -q " + options + " ./program", folder_.path());
  }

 private:
  TemporaryFolder folder_;
  Outcome compilation_;
};

}  // namespace heddle::cli
