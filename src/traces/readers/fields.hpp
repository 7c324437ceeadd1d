// The fields of one line of a trace, with their places for errors.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace heddle::traces {

/// The whole of `text` as a number, or nothing.
template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Takes a line apart at a separator. Keeps references to the file's name and text.
class Fields {
 public:
  Fields(std::string_view line, std::uint32_t number, const std::string& file, char separator)
      : line_(line), number_(number), file_(&file), separator_(separator) {}

  bool done() const { return at_ > line_.size(); }
  /// The next field; an error that says `what` was expected if there is none.
  std::string_view take(std::string_view what);
  /// The next field as a whole number of at least `least`.
  std::int64_t integer(std::string_view what, std::int64_t least = INT64_MIN);
  /// The next field as an address or another number without sign.
  std::uint64_t address(std::string_view what);
  /// The next field taken apart in its turn.
  Fields parts(std::string_view what, char separator);
  /// Leaves all fields out but the last.
  void skip_to_last() {
    const std::size_t last = line_.rfind(separator_);
    if (last != std::string_view::npos && last >= at_) at_ = last + 1;
  }
  /// Throws unless everything was taken.
  void expect_done() const;

  SourceLocation where() const { return {*file_, number_, column(token_)}; }
  /// Throws: the last field taken is not what is accepted.
  [[noreturn]] void reject(std::string_view accepted) const;
  std::string_view token() const { return token_; }

 private:
  Fields(std::string_view line, std::uint32_t number, const std::string& file, char separator,
         std::uint32_t offset)
      : line_(line), number_(number), file_(&file), separator_(separator), offset_(offset) {}
  std::uint32_t column(std::string_view token) const {
    return offset_ + static_cast<std::uint32_t>(token.data() - line_.data()) + 1;
  }

  std::string_view line_;
  std::uint32_t number_;
  const std::string* file_;
  char separator_;
  std::uint32_t offset_ = 0;  ///< Of `line_` in the whole line.
  std::size_t at_ = 0;
  std::string_view token_ = line_.substr(0, 0);
};

/// The first line of `text` that says anything: that is not empty and no comment behind '#'.
std::string_view first_line(std::string_view text);

/// Calls `visit(line, number)` for every line, without its end; numbers count from 1.
template <class Visitor>
void for_each_line(std::string_view text, Visitor visit) {
  std::uint32_t number = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(line, number++);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace heddle::traces
