// Where the results of a command go.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/parser.hpp"
#include "report/json.hpp"
#include "report/output_file.hpp"

namespace heddle::cli {

/// `--json FILE` and other files. No two of them may be one, nor share the standard output, nor
/// replace what the command reads.
class OutputOptions {
 public:
  /// Declares `--json`.
  void add_to(CommandLine line,
              const char* about = "Write the results as JSON; - for the standard output");
  /// Declares another file that the user can ask for, such as `--csv`.
  Option add_file(CommandLine line, std::string_view option, std::string_view help);
  /// Checks that what was asked for can be written; throws InputError if not. Call it before the
  /// work.
  void open();
  /// Throws InputError if one of the files is one of `inputs`, which the command reads, or was read
  /// by now.
  void keep_off(const std::vector<std::string>& inputs) const;
  /// The file that was asked for by `option`, or null.
  const report::OutputFile* file(std::string_view option) const;
  /// Whether the standard output is for people: not taken by a file.
  bool text_wanted() const;
  bool json_wanted() const { return file("--json") != nullptr; }

  /// Writes what `text` answers to the file of `option`, if it was asked for. If it cannot be
  /// written, the others are not lost with it: finish() says so.
  void write(std::string_view option, const std::function<std::string()>& text);
  /// Writes the document if it was asked for, likewise.
  void write_json(const std::function<report::Json()>& document);
  /// Does what writes a result, likewise.
  void attempt(const std::function<void()>& write);
  /// Call it when all results are written and printed: throws RunError if one could not be.
  void finish() const;
  /// What could not be written so far, and why.
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  struct Output {
    std::string option;
    std::string path = {};
    std::optional<report::OutputFile> file = {};
  };
  std::deque<Output> outputs_;  ///< They stay where they are: the parser fills in the paths.
  std::vector<std::string> failures_;
};

}  // namespace heddle::cli
