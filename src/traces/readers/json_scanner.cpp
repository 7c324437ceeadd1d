#include "traces/readers/json_scanner.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "goal/shown_text.hpp"
#include "traces/readers/fields.hpp"

namespace heddle::traces {

std::int64_t JsonScalar::integer() const {
  if (const auto number = whole_number<std::int64_t>(text)) return *number;
  if (const auto large = whole_number<std::uint64_t>(text)) {
    return static_cast<std::int64_t>(*large);
  }
  return text == "true" && !quoted ? 1 : 0;
}

std::optional<std::string> JsonScalar::string() const {
  if (!quoted) return "";
  if (!escaped) return std::string(text);
  const auto parsed = nlohmann::json::parse(fmt::format("\"{}\"", text), nullptr, false);
  if (!parsed.is_string()) return std::nullopt;
  return parsed.get<std::string>();
}

void JsonScanner::fail(std::string_view expected) const {
  if (at_ >= text_.size()) {
    throw InputError({*file_}, fmt::format("at byte {}: the file ends where '{}' is expected, or "
                                           "before",
                                           text_.size(), expected));
  }
  throw InputError({*file_}, fmt::format("at byte {}: '{}' is not JSON here: {} is expected", at_,
                                         goal::shown_text(text_.substr(at_, 20), 20), expected));
}

JsonScalar JsonScanner::string() {
  if (!take_if('"')) fail("a string");
  const std::size_t begin = at_;
  JsonScalar scalar{{}, true, false};
  for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] != '\\') continue;
    scalar.escaped = true;
    ++at_;  // Whatever follows, it ends no string.
  }
  if (at_ >= text_.size()) {
    at_ = text_.size();
    fail("\"");
  }
  scalar.text = text_.substr(begin, at_ - begin);
  ++at_;
  return scalar;
}

/// A number, or a name of the language.
JsonScalar JsonScanner::word() {
  const std::size_t begin = offset();
  const auto belongs = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
           c == 'E';
  };
  std::size_t end = begin;
  while (end < text_.size() && belongs(text_[end])) ++end;
  const std::string_view text = text_.substr(begin, end - begin);
  const bool number = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
  if (!number && text != "true" && text != "false" && text != "null") fail("a value");
  at_ = end;
  return {text};
}

void JsonScanner::skip() {
  if (next() == '{') return object([this](std::string_view) { skip(); });
  if (next() == '[') return list([this] { skip(); });
  scalar();
}

}  // namespace heddle::traces
