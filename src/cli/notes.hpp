// What programs that start heddle read: errors, warnings and progress as lines of JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/log.hpp"

namespace heddle::cli {

/// The environment variable HEDDLE_NOTES names a file to which a line of JSON is appended for each
/// error, warning and step of progress (docs/json.md, heddle.note/1); without it there are none.
/// Ranks do not see the variable.
class Notes {
 public:
  /// Opens the file; to be called before anything else changes what files and variables are.
  static void open();
  static bool wanted();
  /// From now on nobody wants any of this process: what a task among many has to say is told by
  /// whoever gave it the task.
  static void leave_out();
  /// `cause` is a word for programs, as of the `outcome` of runs ("deadlock").
  static void error(std::string_view cause, int status, std::string_view sentence);
  static void error(const InputError& error);
  /// About the words of the command line.
  static void wrong_words(std::string_view sentence);
  static void warning(std::string_view sentence);
  /// `done` of 0 to 1, if that is known.
  static void progress(std::string_view text, std::optional<double> done = {});
  /// The same while a rank runs, whose memory must not be used; `text` has nothing that JSON would
  /// write otherwise.
  static void plain_progress(std::string_view text);
};

/// Warnings and errors for people, and warnings also as notes.
Logger logger();

}  // namespace heddle::cli
