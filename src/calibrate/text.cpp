#include "calibrate/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// How many characters in front are an mpirun's or a launcher's name of a rank, "[1,0]<stdout>:".
std::size_t rank_prefix(std::string_view text) {
  if (!text.starts_with('[')) return 0;
  const std::size_t end = text.find(']');
  // Remarks of benchmarks have brackets, too: "[ pairs: 4 ]".
  if (end == text.npos || end < 2 || text[1] == ' ') return 0;
  const std::string_view inside = text.substr(1, end - 1);
  const bool rank = inside.starts_with("rank") || is_digit(inside.front());
  if (!rank) return 0;
  std::size_t length = end + 1;
  for (const std::string_view stream : {"<stdout>", "<stderr>", "<stdout>:", "<stderr>:"}) {
    if (text.substr(end + 1).starts_with(stream)) length = end + 1 + stream.size();
  }
  return length;
}

/// The same of "2026-03-04T10:00:00.123 ".
std::size_t time_prefix(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd?dd:dd:dd";
  if (text.size() < kForm.size()) return 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool fits = kForm[i] == 'd' ? is_digit(text[i]) : kForm[i] == '?' || kForm[i] == text[i];
    if (!fits) return 0;
  }
  return std::min(text.find(' ', kForm.size()), text.size());
}

/// The same of "3: " of srun, in front of remarks only: NetPIPE numbers its lines so.
std::size_t label_prefix(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  const bool label = end != text.npos && end > 0 && text.substr(end).starts_with(": ");
  return label && trimmed(text.substr(end + 1)).starts_with('#') ? end + 1 : 0;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

/// Without the tags that archives of mails put into lines. Others, "<stdout>", are names.
std::string without_tags(std::string_view line) {
  std::string text(line);
  for (const std::string_view tag : {"<span", "</span", "<br", "<p", "</p", "<pre", "</pre"}) {
    for (std::size_t at = 0; (at = text.find(tag, at)) != text.npos;) {
      const std::size_t end = text.find('>', at);
      const char next = at + tag.size() < text.size() ? text[at + tag.size()] : ' ';
      const bool is_tag = end != text.npos && (next == '>' || next == ' ' || next == '/');
      if (is_tag) {
        text.erase(at, end + 1 - at);
      } else {
        ++at;
      }
    }
  }
  replace_all(text, "&gt;", ">");
  replace_all(text, "&lt;", "<");
  return text;
}

std::string bare(std::string_view text) {
  for (;;) {
    text = trimmed(text);
    std::size_t length = text.starts_with('>') ? 1 : rank_prefix(text);
    if (length == 0) length = time_prefix(text);
    if (length == 0) length = label_prefix(text);
    if (length == 0) break;
    text.remove_prefix(length);
  }
  std::string line(text);
  // A table in Markdown.
  if (line.starts_with('|')) std::replace(line.begin(), line.end(), '|', ' ');
  std::erase(line, '`');
  return std::string(trimmed(line));
}

/// Whether a title of several words ends with this one.
bool ends_title(std::string_view word) {
  const bool whole = word.ends_with(')') || word.ends_with(']') || word.ends_with("/s") ||
                     word.ends_with("/sec") || word.starts_with('#');
  static constexpr std::string_view kWords[] = {"size", "iterations", "validation"};
  return whole || std::ranges::find(kWords, lowered(word)) != std::end(kWords);
}

std::string title_of(std::string_view text) {
  std::string title = lowered(trimmed(text));
  while (title.starts_with('#')) title.erase(0, 1);
  return std::string(trimmed(title));
}

/// Titles parted by two blanks or more.
std::vector<std::string> wide_titles(std::string_view line) {
  std::vector<std::string> titles;
  while (!line.empty()) {
    const std::size_t end = std::min({line.find("  "), line.find('\t'), line.size()});
    if (const std::string title = title_of(line.substr(0, end)); !title.empty()) {
      titles.push_back(title);
    }
    line.remove_prefix(end);
    line = trimmed(line);
  }
  return titles;
}

/// Titles by how their last words look.
std::vector<std::string> close_titles(std::string_view line) {
  std::vector<std::string> titles;
  std::string title;
  for (const std::string_view word : words_of(line)) {
    title += (title.empty() ? "" : " ") + std::string(word);
    if (word == "#" || !ends_title(word)) continue;
    titles.push_back(title_of(title));
    title.clear();
  }
  if (!title_of(title).empty()) titles.push_back(title_of(title));
  return titles;
}

std::vector<std::string> word_titles(std::string_view line) {
  std::vector<std::string> titles;
  for (const std::string_view word : words_of(line)) {
    if (const std::string title = title_of(word); !title.empty()) titles.push_back(title);
  }
  return titles;
}

/// What words stand for in a row, or nothing if it is none.
std::optional<std::vector<double>> values_in(std::string_view line) {
  std::vector<double> values;
  for (const std::string_view word : words_of(line)) {
    const auto number = number_in(word);
    if (!number && values.empty()) return std::nullopt;
    values.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  if (values.empty()) return std::nullopt;
  return values;
}

}  // namespace

Text::Text(std::string_view text, std::string file) : file_(std::move(file)) {
  std::uint32_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++number;
    const std::string plain = without_tags(line);
    if (plain.size() < line.size() && trimmed(plain).empty()) return;
    lines_.push_back(bare(plain));
    numbers_.push_back(number);
  });
}

std::optional<double> number_in(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::uint32_t> count_behind(std::string_view line, std::string_view key) {
  const std::size_t at = lowered(line).find(lowered(key));
  if (at == line.npos) return std::nullopt;
  line.remove_prefix(at + key.size());
  const std::size_t from = line.find_first_not_of(" \t=:");
  if (from == line.npos) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(line.data() + from, line.data() + line.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

bool has_word(std::string_view line, std::string_view part) {
  return lowered(line).find(lowered(part)) != std::string::npos;
}

std::string lowered(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return low;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<Field> fields;
  split_by_blanks(line, fields);
  std::vector<std::string_view> words;
  for (const Field& field : fields) words.push_back(field.text);
  return words;
}

std::optional<std::size_t> TextTable::column(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < titles.size(); ++i) {
      if (titles[i].starts_with(name)) return i;
    }
  }
  return std::nullopt;
}

std::size_t TextTable::need(const Text& text, std::size_t at,
                            std::initializer_list<std::string_view> names) const {
  if (const auto found = column(names)) return *found;
  throw InputError({text.file(), text.number(at)},
                   fmt::format("no column '{}' was found, but {}", *names.begin(), joined(titles)));
}

TextTable table_at(const Text& text, std::size_t at) {
  constexpr int kMostWarnings = 8;
  int others = 0;
  TextTable table;
  for (table.end = at + 1; table.end < text.size(); ++table.end) {
    const std::string& line = text.line(table.end);
    auto values = values_in(line);
    // Remarks, rules and warnings may be in front of the first row.
    const bool remark = line.starts_with('#') || line.find_first_not_of("-=: ") == line.npos;
    if (!values && table.rows.empty() && (remark || ++others <= kMostWarnings)) continue;
    if (!values) break;
    table.rows.push_back({std::move(*values), text.number(table.end)});
  }
  if (table.rows.empty()) {
    throw InputError({text.file(), text.number(at)}, "rows of numbers were looked for below " +
                                                         in_quotes(text.line(at)) +
                                                         ", and none was found");
  }
  const std::string& line = text.line(at);
  const std::size_t columns = table.rows.front().values.size();
  for (const auto& titles : {wide_titles(line), close_titles(line), word_titles(line)}) {
    if (titles.size() == columns) table.titles = titles;
    if (titles.size() == columns) break;
  }
  if (table.titles.empty()) {
    throw InputError({text.file(), table.rows.front().line},
                     fmt::format("{} were looked for below {}, and {} numbers were found",
                                 close_titles(line).size(), in_quotes(line), columns));
  }
  // A row that was cut off, as where a job was ended, is the last.
  const auto cut = std::ranges::find_if(
      table.rows, [&](const TextTable::Row& row) { return row.values.size() != columns; });
  table.rows.erase(cut, table.rows.end());
  return table;
}

}  // namespace heddle::calibrate
