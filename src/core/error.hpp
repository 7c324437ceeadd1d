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
  std::string file;  ///< A path, or what stands for it: "--set", "command line".
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

 private:
  SourceLocation where_;
  std::string problem_;
};

/// The simulation cannot go on (a deadlock, a failing rank). Exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The candidate that `word` was probably meant to be, or "" if none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// " (did you mean 'x'?)" or "": for the end of an error about an unknown `word`.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c": for the part of an error that says what is accepted.
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace heddle
