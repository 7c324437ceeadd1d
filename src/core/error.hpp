// The two ways a user's run can fail, and the place of a mistake in a file.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A place in the user's input. `line` and `column` count from 1; 0 means unknown or not a file.
struct SourceLocation {
  std::string file;  ///< A path, or what stands for it: an option with its value.
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// "file:line:column", without the parts that are unknown.
  std::string str() const;
};

/// The input is wrong: says where, which token, and what would have been accepted. Exit status 2.
class InputError : public std::runtime_error {
 public:
  InputError(const SourceLocation& where, std::string_view problem);

  const SourceLocation& where() const { return where_; }
  /// What is wrong, without the place.
  const std::string& problem() const { return problem_; }

 protected:
  /// It is said in `text` as a whole.
  InputError(const SourceLocation& where, std::string_view problem, std::string_view text);

 private:
  SourceLocation where_;
  std::string problem_;
};

/// Values that a run is asked with are wrong, each alone or together: those of parameters
/// ("packet.buffer"), or what else a run has to be told ("map"). It does not know where they were
/// set; who has read them does.
class ParamError final : public InputError {
 public:
  ParamError(std::vector<std::string> names, std::string_view problem);
  /// About the file that a parameter names: what was wrong with it.
  ParamError(std::string_view name, const InputError& of_file);

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// What `read` returns, which reads the file that the parameter `name` names. What is wrong with
/// the whole of the file, such as that there is none, is an error about the parameter.
template <class Read>
auto read_named_by(std::string_view name, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    if (error.where().line != 0 || error.where().file.empty()) throw;
    throw ParamError(name, error);
  }
}

/// The simulation cannot go on (a deadlock, a failing rank). Exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The stacks of ranks are too small, or too large to have them all.
class StackError final : public RunError {
 public:
  using RunError::RunError;
};

/// The candidate that `word` was probably meant to be, or "" if none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// " (did you mean 'x'?)" or "": for the end of an error about an unknown `word`.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c": for the part of an error that says what is accepted.
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace heddle
