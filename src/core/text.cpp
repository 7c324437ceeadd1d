#include "core/text.hpp"

namespace heddle {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

/// How many bytes the character at the beginning has in UTF-8; 0 if none begins so.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const bool controls = (first < 0x20 && kBlanks.find(text[0]) == kBlanks.npos) || first == 0x7f;
  if (first < 0x80) return controls ? 0 : 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Longer than need be, a surrogate, beyond the last character, or a control character.
  const unsigned char second = byte(1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f) ||
                     (first == 0xc2 && second < 0xa0);
  return wrong ? 0 : length;
}

}  // namespace

std::size_t first_not_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of_character(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 200;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, kMost)) + "...' (" + std::to_string(text.size()) +
         " characters)";
}

std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += "'\\'";
    result += c;
  }
  return result + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  const auto controls = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (std::ranges::none_of(text, controls) && first_not_text(text) == text.npos) {
    return shell_quoted(text);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f && c != '\'' && c != '\\') {
      result += c;
    } else {
      result += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return result + "'";
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void split_by_blanks(std::string_view line, std::vector<Field>& fields) {
  fields.clear();
  for (std::size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    fields.push_back({line.substr(at, end - at), static_cast<std::uint32_t>(at) + 1});
    at = end;
  }
}

void split_by_commas(std::string_view line, std::vector<Field>& fields) {
  fields.clear();
  if (trimmed(line).empty()) return;
  for (const std::string_view part : split(line, ',')) {
    const std::string_view text = trimmed(part);
    const char* begin = text.empty() ? part.data() : text.data();
    fields.push_back({text, static_cast<std::uint32_t>(begin - line.data()) + 1});
  }
}

}  // namespace heddle
