// Plain tables: aligned for people, or as comma-separated values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

enum class Align { left, right };

/// The head of a column; units go into the header ("latency_us").
struct Column {
  std::string header;
  Align align = Align::left;
};

/// Rows of text under headers.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row; missing cells at its end are empty, and it has no more cells than columns.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Columns two blanks apart, each row behind `indent` blanks and ending in a newline. Where rows
  /// are wider than `width`, the words of the last column go on below; of others, too, where
  /// nothing would be left for that.
  std::string text(std::size_t indent = 0, std::size_t width = SIZE_MAX) const;
  /// Comma-separated values with the headers first (RFC 4180 quotes, lines end in \n).
  std::string csv() const;

 private:
  std::vector<std::string> headers() const;
  std::vector<std::size_t> widths() const;
  std::vector<std::size_t> widths_of_parts(std::size_t most) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Characters, not bytes, of UTF-8 text.
std::size_t text_width(const std::string& text);

}  // namespace heddle::report
