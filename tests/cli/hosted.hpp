// Compiles a program as a user would, and runs it on a simulated machine.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "cli/program.hpp"

namespace heddle::cli {

/// The ways in which ranks get globals of their own.
inline constexpr const char* kPrivatizations[] = {"copies", "swap"};

/// What a shell command prints and answers.
inline Outcome shell(const std::string& command, const std::string& directory = ".") {
  const TemporaryFolder folder;
  const std::string line = "cd '" + directory + "' && { " + command + "\n} >" + (folder / "out") +
                           " 2>" + (folder / "err") + " </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(folder / "out"),
          file_text(folder / "err")};
}

/// The folder of the built program, where the compiler wrappers are, too.
inline std::string built(const std::string& name) {
  return std::filesystem::path(HEDDLE_PROGRAM).parent_path() / name;
}

/// A program that was compiled from its text, in a folder of its own.
class CompiledProgram {
 public:
  explicit CompiledProgram(const std::string& text, const std::string& language = "c",
                           const std::string& options = "") {
    std::ofstream(folder_ / ("program." + language)) << text;
    const std::string compiler = built(language == "c" ? "heddlecc" : "heddlecxx");
    compilation_ =
        shell(compiler + " -Wall program." + language + " -o program " + options, folder_.path());
  }
  const Outcome& compilation() const { return compilation_; }
  std::string folder() const { return folder_.path(); }
  /// Runs it with the given options of `heddle run`, without the summary; unless they say how ranks
  /// get their globals, in every way: it must make no difference.
  Outcome run(const std::string& options = "", const std::string& arguments = "") const {
    if (options.find("--privatize") != std::string::npos) return run_once(options, arguments);
    const Outcome first = run_once("--privatize copies " + options, arguments);
    const Outcome second = run_once("--privatize swap " + options, arguments);
    EXPECT_EQ(first.out, second.out) << "options " << options;
    EXPECT_EQ(first.status, second.status) << "options " << options << "\n" << second.err;
    return first;
  }
  Outcome run_once(const std::string& options = "", const std::string& arguments = "") const {
    return heddle("run -q " + options + " ./program " + arguments, folder_.path());
  }

 private:
  TemporaryFolder folder_;
  Outcome compilation_;
};

/// A folder with files in it, and the wrappers on the path.
class Project {
 public:
  /// `variables` for its commands: "CC=heddlecc".
  Project(std::initializer_list<std::pair<std::string, std::string>> files,
          std::string variables = "")
      : variables_(std::move(variables)) {
    for (const auto& [name, text] : files) std::ofstream(folder_ / name) << text;
  }
  Outcome operator()(const std::string& command) const {
    return shell("export PATH=" + built("") + ":$PATH " + variables_ + "; " + command,
                 folder_.path());
  }
  Outcome run(const std::string& arguments) const {
    return heddle("run -q " + arguments, folder_.path());
  }

 private:
  std::string variables_;
  TemporaryFolder folder_;
};

}  // namespace heddle::cli
