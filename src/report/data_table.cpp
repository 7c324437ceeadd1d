#include "report/data_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <iterator>

#include "platform/text_file.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> fields_by_comma(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.emplace_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::vector<std::string> fields_by_blanks(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    fields.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

class Reader {
 public:
  explicit Reader(const std::string& file_name) { table_.file = file_name; }

  void read_line(std::string_view line) {
    ++line_;
    const std::string_view text = trimmed(line.substr(0, line.find('#')));
    if (text.empty()) return;
    if (table_.columns.empty()) return read_names(text);
    std::vector<std::string> fields = split(text);
    const SourceLocation where{table_.file, line_};
    if (fields.size() != table_.columns.size()) {
      throw InputError(where, std::to_string(fields.size()) + " fields: accepted are " +
                                  std::to_string(table_.columns.size()) + ", " +
                                  joined(table_.columns));
    }
    table_.rows.push_back({std::move(fields), where});
  }

  DataTable take() {
    if (table_.columns.empty()) {
      throw InputError({table_.file}, "empty: accepted is a table under a line of column names");
    }
    return std::move(table_);
  }

 private:
  void read_names(std::string_view text) {
    commas_ = text.find(',') != std::string_view::npos;
    table_.columns = split(text);
  }
  std::vector<std::string> split(std::string_view text) const {
    return commas_ ? fields_by_comma(text) : fields_by_blanks(text);
  }

  DataTable table_;
  std::uint32_t line_ = 0;
  bool commas_ = false;
};

}  // namespace

std::size_t DataTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  throw InputError({file}, "no column '" + std::string(name) + "'" + did_you_mean(name, columns) +
                               ": there are " + joined(columns));
}

double DataTable::number(const Row& row, std::size_t column) const {
  const std::string& text = row.fields[column];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
    return value;
  }
  throw InputError(row.where, "'" + text + "' in column '" + columns[column] +
                                  "' is not a number: accepted is a number such as 12.5");
}

DataTable read_table_text(std::string_view text, const std::string& file_name) {
  Reader reader(file_name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

DataTable read_table_file(const std::string& path) {
  if (path != "-") return read_table_text(platform::read_text_file(path), path);
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  return read_table_text(text, "standard input");
}

}  // namespace heddle::report
