// The fields of one line of a trace, with their places for errors.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.hpp"

namespace heddle::traces {

/// The whole of `text` as a number of so few digits that any fits, without a sign; nothing for all
/// others.
template <class T>
[[gnu::always_inline]] inline std::optional<T> plain_number(std::string_view text) {
  if (text.empty() || text.size() > std::numeric_limits<T>::digits10) return std::nullopt;
  T value = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return std::nullopt;
    value = static_cast<T>(value * 10 + static_cast<T>(digit));
  }
  return value;
}

/// The whole of `text` as a number, or nothing.
template <class T>
std::optional<T> whole_number(std::string_view text) {
  if constexpr (std::is_integral_v<T>) {
    if (const auto plain = plain_number<T>(text)) return plain;
  }
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
  std::string_view take(std::string_view what) {
    if (separator_ == ' ') skip_blanks();
    if (done()) fail_at_end(what);
    const std::size_t size = line_.size();
    std::size_t end = at_;
    if (separator_ == ' ') {
      while (end < size && !is_blank(line_[end])) ++end;
    } else {
      while (end < size && line_[end] != separator_) ++end;
    }
    token_ = line_.substr(at_, end - at_);
    at_ = end + 1;
    if (separator_ == ' ') skip_blanks();
    return token_;
  }
  /// The next field as a whole number of at least `least`.
  std::int64_t integer(std::string_view what, std::int64_t least = INT64_MIN) {
    const auto plain = plain_number<std::int64_t>(take(what));
    return plain && *plain >= least ? *plain : checked_integer(what, least);
  }
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
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  /// Several blanks are one, and those at the end separate nothing; other separators may enclose an
  /// empty field.
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    if (at_ == line_.size()) at_ = line_.size() + 1;
  }
  [[noreturn]] void fail_at_end(std::string_view what);
  std::int64_t checked_integer(std::string_view what, std::int64_t least) const;

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
