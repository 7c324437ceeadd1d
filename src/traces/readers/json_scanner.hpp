// JSON taken apart as it is read, value by value, without a tree of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::traces {

/// A string, a number, true, false or null.
struct JsonScalar {
  std::string_view text;  ///< As it stands there; of a string what is between its quotes.
  bool quoted = false;
  bool escaped = false;  ///< A string with a '\' in it.

  /// A whole number, of 64 bits as text, too, or a truth; 0 for all others.
  std::int64_t integer() const;
  /// What the string means, "" for what is none; nothing for wrong escapes.
  std::optional<std::string> string() const;
};

/// Stands at one place of a text and moves on through it. Throws InputError with the byte.
class JsonScanner {
 public:
  JsonScanner(std::string_view text, const std::string& file) : text_(text), file_(&file) {}

  /// Where the next value begins, or what stands there instead.
  std::size_t offset() {
    skip_blanks();
    return at_;
  }
  bool done() { return offset() == text_.size(); }
  char next() { return done() ? '\0' : text_[at_]; }
  /// Leaves a character out, if it comes next.
  bool take_if(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  /// Calls `visit(key)` for every member of the object that comes next: it takes the value.
  template <class Visitor>
  void object(Visitor visit) {
    begin('{');
    if (!take_if('}')) {
      do {
        const JsonScalar key = string();
        take(':');
        visit(key.text);
      } while (take_if(','));
      take('}');
    }
    --depth_;
  }
  /// Calls `visit()` for every value of the list that comes next: it takes the value.
  template <class Visitor>
  void list(Visitor visit) {
    begin('[');
    if (!take_if(']')) {
      do {
        visit();
      } while (take_if(','));
      take(']');
    }
    --depth_;
  }
  bool scalar_follows() { return next() != '{' && next() != '['; }
  JsonScalar scalar() { return next() == '"' ? string() : word(); }
  /// Leaves the next value out, whatever it is.
  void skip();
  /// What is expected where it stands.
  [[noreturn]] void fail(std::string_view expected) const;

 private:
  /// Lists in lists, objects in objects.
  static constexpr unsigned kDeepest = 100;

  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) {
      ++at_;
    }
  }
  void begin(char bracket) {
    take(bracket);
    if (++depth_ > kDeepest) fail("nothing deeper");
  }
  void take(char c) {
    if (!take_if(c)) fail(std::string_view(&c, 1));
  }
  JsonScalar string();
  JsonScalar word();

  std::string_view text_;
  const std::string* file_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace heddle::traces
