// The parts of `heddle sweep`.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/study/sweep_plan.hpp"

namespace heddle::cli {

/// A study, and where its results are: an option of every command about it.
class StudyOptions {
 public:
  void add_to(CommandLine line);
  /// The study that was named; throws InputError if none was.
  study::Study read() const;
  /// The file of results: beside the study if no other is named.
  std::string results() const;
  /// Opens the results, to be read, and answers those of the study, which may be named by its file
  /// or, with --results, by its name alone.
  std::vector<study::StoredPoint> points() const;
  const std::string& path() const { return path_; }

 private:
  void note_files(const study::Study& study) const;

  std::string path_;
  std::string results_;
};

CommandKind sweep_show_command();
CommandKind sweep_best_command();

}  // namespace heddle::cli
