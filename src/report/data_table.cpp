#include "report/data_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "platform/text_file.hpp"

namespace heddle::report {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& file_name) { table_.file = file_name; }

  void read_line(std::string_view line) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    split(line);
    if (fields_.empty()) return;
    if (table_.columns.empty()) return read_names();
    check_count();
    DataTable::Row row{{}, {}, {table_.file, line_}};
    for (const Cell& cell : fields_) {
      row.fields.push_back(cell.text);
      row.places.push_back(cell.column);
    }
    table_.rows.push_back(std::move(row));
  }

  DataTable take() {
    if (table_.rows.empty()) {
      throw InputError({table_.file}, "no rows: accepted is a table under a line of column names");
    }
    return std::move(table_);
  }

 private:
  /// A field of a line, without quotes around it, and where it begins.
  struct Cell {
    std::string text;
    std::uint32_t column;  ///< From 1.
  };

  void split(std::string_view line) {
    const std::string_view said = trimmed(line.substr(0, line.find('#')));
    fields_.clear();
    if (said.empty()) return;
    if (table_.columns.empty()) commas_ = said.find(',') != std::string_view::npos;
    if (commas_) return split_by_commas_and_quotes(line);
    std::vector<Field> words;
    split_by_blanks(line.substr(0, line.find('#')), words);
    for (const Field& word : words) fields_.push_back({std::string(word.text), word.column});
  }

  /// Fields may stand in quotes, and a quote in them is written twice.
  void split_by_commas_and_quotes(std::string_view line) {
    std::size_t at = 0;
    for (bool more = true; more; ++at) {
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      const auto column = static_cast<std::uint32_t>(at + 1);
      const bool begins_quoted = at < line.size() && line[at] == '"';
      std::string text = begins_quoted ? quoted_field(line, at) : "";
      const std::size_t end = std::min(line.find_first_of(",#", at), line.size());
      if (!begins_quoted) text = trimmed(line.substr(at, end - at));
      fields_.push_back({std::move(text), column});
      at = end;
      more = at < line.size() && line[at] == ',';
    }
  }

  /// What stands between the quotes that begin at `at`, which is moved behind them.
  std::string quoted_field(std::string_view line, std::size_t& at) const {
    std::string text;
    for (std::size_t i = at + 1; i < line.size(); ++i) {
      if (line[i] != '"') {
        text += line[i];
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        text += line[i++];
      } else {
        at = i + 1;
        return text;
      }
    }
    throw InputError({table_.file, line_, static_cast<std::uint32_t>(at + 1)},
                     "the quotes do not end: accepted is a second \" in the line");
  }

  void read_names() {
    for (const Cell& cell : fields_) {
      if (std::find(table_.columns.begin(), table_.columns.end(), cell.text) !=
          table_.columns.end()) {
        throw InputError({table_.file, line_, cell.column},
                         "a second column '" + cell.text + "': accepted is one of each name");
      }
      table_.columns.push_back(cell.text);
    }
  }

  void check_count() const {
    const std::size_t wanted = table_.columns.size();
    const std::string accepted =
        "accepted are " + std::to_string(wanted) + " fields, " + joined(table_.columns);
    if (fields_.size() > wanted) {
      const Cell& extra = fields_[wanted];
      throw InputError({table_.file, line_, extra.column},
                       in_quotes(extra.text) + " is one field too many: " + accepted);
    }
    if (fields_.size() < wanted) {
      const Cell& last = fields_.back();
      throw InputError({table_.file, line_, last.column},
                       "the line ends after " + in_quotes(last.text) + ": " + accepted);
    }
  }

  DataTable table_;
  std::vector<Cell> fields_;  ///< Of the line at hand.
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
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
    return value;
  }
  throw InputError({row.where.file, row.where.line, row.places[column]},
                   in_quotes(text) + " in column '" + columns[column] +
                       "' is not a number: accepted is a number such as 12.5");
}

DataTable read_table_text(std::string_view text, const std::string& file_name) {
  Reader reader(file_name);
  for_each_line(text, [&reader](std::string_view line) { reader.read_line(line); });
  return reader.take();
}

DataTable read_table_file(const std::string& path) {
  const platform::TextInput input = platform::read_text_input(path);
  return read_table_text(input.text, input.name);
}

}  // namespace heddle::report
