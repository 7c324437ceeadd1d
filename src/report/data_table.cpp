#include "report/data_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.hpp"
#include "platform/text_file.hpp"

namespace heddle::report {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& file_name) { table_.file = file_name; }

  void read_line(std::string_view line) {
    ++line_;
    split(line.substr(0, line.find('#')));
    if (fields_.empty()) return;
    if (table_.columns.empty()) return read_names();
    check_count();
    DataTable::Row row{{}, {}, {table_.file, line_}};
    for (const Field& field : fields_) {
      row.fields.emplace_back(field.text);
      row.places.push_back(field.column);
    }
    table_.rows.push_back(std::move(row));
  }

  DataTable take() {
    if (table_.columns.empty()) {
      throw InputError({table_.file}, "empty: accepted is a table under a line of column names");
    }
    return std::move(table_);
  }

 private:
  void split(std::string_view line) {
    if (table_.columns.empty()) commas_ = line.find(',') != std::string_view::npos;
    commas_ ? split_by_commas(line, fields_) : split_by_blanks(line, fields_);
  }

  void read_names() {
    for (const Field& field : fields_) table_.columns.emplace_back(field.text);
  }

  void check_count() const {
    const std::size_t wanted = table_.columns.size();
    const std::string accepted =
        "accepted are " + std::to_string(wanted) + " fields, " + joined(table_.columns);
    if (fields_.size() > wanted) {
      const Field& extra = fields_[wanted];
      throw InputError({table_.file, line_, extra.column},
                       "'" + std::string(extra.text) + "' is one field too many: " + accepted);
    }
    if (fields_.size() < wanted) {
      const Field& last = fields_.back();
      throw InputError({table_.file, line_, last.column},
                       "the line ends after '" + std::string(last.text) + "': " + accepted);
    }
  }

  DataTable table_;
  std::vector<Field> fields_;  ///< Of the line at hand.
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
  throw InputError({row.where.file, row.where.line, row.places[column]},
                   "'" + text + "' in column '" + columns[column] +
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
