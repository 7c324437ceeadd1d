#include "report/table.hpp"

#include <algorithm>
#include <cassert>

#include "core/text.hpp"

namespace heddle::report {
namespace {

std::string line(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                 const std::vector<std::size_t>& widths, std::size_t indent) {
  std::string text(indent, ' ');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - text_width(cells[i]), ' ');
    if (i > 0) text += "  ";
    text += columns[i].align == Align::right ? padding + cells[i] : cells[i] + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

/// So many characters can be read.
constexpr std::size_t kReadable = 24;

/// `text` in lines of at most `width` characters, as far as its words allow, or of a few that can
/// be read; at least one.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  const std::size_t most = std::max(width, kReadable);
  std::vector<std::string> lines(1);
  for (const std::string_view word : split(text, ' ')) {
    const bool full = !lines.back().empty() && lines.back().size() + 1 + word.size() > most;
    if (full) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

/// As it is, if it is no wider than that.
std::vector<std::string> cell_lines(const std::string& cell, std::size_t most) {
  return text_width(cell) <= most ? std::vector{cell} : wrapped(cell, most);
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += csv_cell(cell) + ",";
  text.back() = '\n';
  return text;
}

}  // namespace

std::size_t text_width(const std::string& text) {
  // Every byte but the continuation bytes 10xxxxxx starts a character.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() <= columns_.size());
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::string> Table::headers() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.header);
  return names;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(text_width(columns_[i].header));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  return widths;
}

/// The same for all but the last column, if words of their cells go on below.
std::vector<std::size_t> Table::widths_of_parts(std::size_t most) const {
  std::vector<std::size_t> widths = this->widths();
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    widths[i] = text_width(columns_[i].header);
    for (const auto& row : rows_) {
      for (const std::string& part : cell_lines(row[i], most)) {
        widths[i] = std::max(widths[i], text_width(part));
      }
    }
  }
  return widths;
}

std::string Table::text(std::size_t indent, std::size_t width) const {
  std::vector<std::size_t> widths = this->widths();
  const auto before_last = [&] {
    std::size_t before = indent;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) before += widths[i] + 2;
    return before;
  };
  // Where nothing would be left for the last column, the others are made narrower, too.
  std::size_t most = SIZE_MAX;
  if (width < SIZE_MAX && before_last() + kReadable > width) {
    most = std::max(width / 4, kReadable);
    widths = widths_of_parts(most);
  }
  const std::size_t room = width - std::min(width, before_last());
  std::string text = line(headers(), columns_, widths, indent);
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> parts;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      parts.push_back(last ? wrapped(row[i], room) : cell_lines(row[i], most));
      lines = std::max(lines, parts.back().size());
    }
    for (std::size_t l = 0; l < lines; ++l) {
      std::vector<std::string> cells;
      for (const auto& part : parts) cells.push_back(l < part.size() ? part[l] : "");
      text += line(cells, columns_, widths, indent);
    }
  }
  return text;
}

std::string Table::csv() const {
  std::string text = csv_line(headers());
  for (const auto& row : rows_) text += csv_line(row);
  return text;
}

}  // namespace heddle::report
