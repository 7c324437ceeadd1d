#include "core/text.hpp"

namespace heddle {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

}  // namespace

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
