// Rows of docs/validation.md: a validation test prints what it measured, and scripts/validate
// collects it.
#pragma once

#include <fmt/format.h>

#include <string>

namespace heddle {

/// `subject` is the table that the row belongs to; the other texts are its cells.
inline void validation_row(const std::string& subject, const std::string& what,
                           const std::string& measured, const std::string& expected,
                           const std::string& error, const std::string& allowed) {
  fmt::print("validation | {} | {} | {} | {} | {} | {} |\n", subject, what, measured, expected,
             error, allowed);
}

/// A paragraph below the table of a subject.
inline void validation_note(const std::string& subject, const std::string& text) {
  fmt::print("validation note | {} | {}\n", subject, text);
}

}  // namespace heddle
