#include "traffic/traffic_file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "platform/node_names.hpp"
#include "platform/text_file.hpp"

namespace heddle::traffic {
namespace {

enum class Column { start, source, destination, bytes, rate, traffic_class, skipped };

/// A column of the file: what it holds and the unit that its numbers lack.
struct ColumnUse {
  Column column;
  std::string_view unit = {};
};

struct ColumnName {
  std::string_view name;
  ColumnUse use;
};

constexpr ColumnName kColumns[] = {
    {"start", {Column::start}},
    {"source", {Column::source}},
    {"destination", {Column::destination}},
    {"bytes", {Column::bytes}},
    {"rate", {Column::rate}},
    {"class", {Column::traffic_class}},
    {"start_ps", {Column::start, "ps"}},
    {"start_ns", {Column::start, "ns"}},
    {"start_us", {Column::start, "us"}},
    {"start_ms", {Column::start, "ms"}},
    {"start_s", {Column::start, "s"}},
    {"id", {Column::skipped}},
    {"finish_ps", {Column::skipped}},
    {"latency_us", {Column::skipped}},
};

constexpr std::size_t kUsualColumns = 6;  ///< Those of a file without a header, in their order.

/// Whether a line may end before the column.
bool is_optional(Column column) {
  return column == Column::rate || column == Column::traffic_class;
}

std::string_view without_comment(std::string_view line) {
  return line.substr(0, line.find('#'));
}

/// Nothing at all for a blank line.
void split_fields(std::string_view line, std::vector<Field>& fields) {
  const bool commas = line.find(',') != std::string_view::npos;
  if (commas) {
    split_by_commas(line, fields);
  } else {
    split_by_blanks(line, fields);
  }
}

class Reader {
 public:
  Reader(const std::string& file_name, const platform::Topology& nodes)
      : file_(file_name), nodes_(nodes) {
    for (std::size_t i = 0; i < kUsualColumns; ++i) columns_.push_back(kColumns[i].use);
  }

  void read_line(std::string_view line) {
    ++line_;
    split_fields(without_comment(line), fields_);
    if (fields_.empty()) return;
    const bool first = std::exchange(first_, false);
    if (first && is_header()) return read_header();
    read_message();
  }
  std::vector<FileMessage> take() { return std::move(messages_); }

 private:
  [[noreturn]] void fail(std::uint32_t column, const std::string& problem) const {
    throw InputError({file_, line_, column}, problem);
  }
  [[noreturn]] void reject(const Field& field, std::string_view what,
                           const std::string& accepted) const {
    fail(field.column, "'" + std::string(field.text) + "' is not a " + std::string(what) +
                           ": accepted is " + accepted);
  }

  static std::optional<ColumnUse> column_called(std::string_view name) {
    for (const ColumnName& column : kColumns) {
      if (column.name == name) return column.use;
    }
    return std::nullopt;
  }

  /// A line that begins with a name of a column is a header: no node or time is called so.
  bool is_header() const { return column_called(fields_[0].text).has_value(); }

  void read_header() {
    columns_.clear();
    for (const Field& field : fields_) columns_.push_back(header_column(field));
    for (std::size_t i = 0; i < 4; ++i) {
      if (has_column(kColumns[i].use.column)) continue;
      fail(1, "the header lacks the column '" + std::string(kColumns[i].name) +
                  "': needed are start, source, destination and bytes");
    }
  }

  ColumnUse header_column(const Field& field) const {
    const auto use = column_called(field.text);
    if (!use) {
      std::vector<std::string> names;
      for (const ColumnName& column : kColumns) names.emplace_back(column.name);
      fail(field.column, "unknown column '" + std::string(field.text) + "'" +
                             did_you_mean(field.text, names) + ": accepted are " + joined(names));
    }
    if (use->column != Column::skipped && has_column(use->column)) {
      fail(field.column, "the column '" + std::string(field.text) + "' comes a second time");
    }
    return *use;
  }

  bool has_column(Column column) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [column](const ColumnUse& use) { return use.column == column; });
  }

  void read_message() {
    check_count();
    FileMessage message;
    for (std::size_t i = 0; i < fields_.size(); ++i) read_field(fields_[i], columns_[i], message);
    messages_.push_back(message);
  }

  void check_count() const {
    std::size_t least = columns_.size();
    while (is_optional(columns_[least - 1].column)) --least;
    if (fields_.size() > columns_.size()) {
      const Field& extra = fields_[columns_.size()];
      fail(extra.column,
           "'" + std::string(extra.text) + "' is one field too many: accepted are " + expected());
    }
    if (fields_.size() < least) {
      const Field& last = fields_.back();
      fail(last.column + static_cast<std::uint32_t>(last.text.size()),
           "the line ends after '" + std::string(last.text) + "': expected are " + expected());
    }
  }

  std::string expected() const {
    std::vector<std::string> names;
    for (const ColumnUse& use : columns_) {
      for (const ColumnName& column : kColumns) {
        if (column.use.column != use.column || column.use.unit != use.unit) continue;
        names.push_back(is_optional(use.column) ? "[" + std::string(column.name) + "]"
                                                : std::string(column.name));
        break;
      }
    }
    return joined(names);
  }

  void read_field(const Field& field, const ColumnUse& use, FileMessage& message) {
    switch (use.column) {
      case Column::start:
        message.start = time(field, use.unit);
        return;
      case Column::source:
        message.source = node(field);
        return;
      case Column::destination:
        message.destination = node(field);
        return;
      case Column::bytes:
        message.size = size(field);
        return;
      case Column::rate:
        message.rate_cap = rate(field);
        return;
      case Column::traffic_class:
        message.traffic_class = class_number(field);
        return;
      case Column::skipped:
        return;
    }
  }

  Time time(const Field& field, std::string_view unit) const {
    const auto value = parse_time(std::string(field.text) + std::string(unit));
    if (value && *value <= kLatest) return *value;
    reject(field, "start",
           unit.empty() ? "a time such as 0us, 500ns, 2.5us or 1ms, at most 1h"
                        : "a number of " + std::string(unit) + ", at most 1h");
  }

  Bytes size(const Field& field) const {
    const auto value = parse_bytes(field.text);
    if (value && value->count() >= 1 && *value <= kLargest) return *value;
    reject(field, "size",
           "a size such as 64, 4kB (4000 bytes), 4KiB (4096) or 1MB, at least 1B, at most 1024TiB");
  }

  /// An empty field between commas means no cap, as a missing one does.
  Bandwidth rate(const Field& field) const {
    if (field.text.empty()) return Bandwidth::unlimited();
    const auto value = parse_bandwidth(field.text);
    if (value) return *value;
    reject(field, "rate", "a bandwidth such as 100Gbps, 100Gbit/s, 12.5GB/s or unlimited");
  }

  /// An empty field between commas means class 0, as a missing one does.
  std::uint8_t class_number(const Field& field) const {
    if (field.text.empty()) return 0;
    const auto number = plain_number(field.text);
    if (number && *number <= kLastClass) return static_cast<std::uint8_t>(*number);
    reject(field, "class", "a number from 0 to " + std::to_string(kLastClass));
  }

  NodeId node(const Field& field) const {
    if (const auto node = platform::find_node(nodes_, field.text)) return *node;
    reject(field, "node",
           "a number from 0 to " + std::to_string(nodes_.nodes() - 1) + " or a name such as " +
               nodes_.name(VertexId{0}));
  }

  static std::optional<std::uint32_t> plain_number(std::string_view text) {
    if (text.empty() || text.size() > 9) return std::nullopt;
    std::uint32_t number = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return number;
  }

  static constexpr std::uint32_t kLastClass = 15;
  static constexpr Time kLatest = Time::s(3600);
  static constexpr Bytes kLargest{std::int64_t{1} << 50};

  const std::string& file_;
  const platform::Topology& nodes_;
  std::uint32_t line_ = 0;
  bool first_ = true;
  std::vector<ColumnUse> columns_;
  std::vector<Field> fields_;
  std::vector<FileMessage> messages_;
};

}  // namespace

std::vector<FileMessage> read_traffic_text(std::string_view text, const std::string& file_name,
                                           const platform::Topology& nodes) {
  Reader reader(file_name, nodes);
  for_each_line(text, [&reader](std::string_view line) { reader.read_line(line); });
  return reader.take();
}

std::vector<FileMessage> read_traffic_file(const std::string& path,
                                           const platform::Topology& nodes) {
  const platform::TextInput input = platform::read_text_input(path);
  std::vector<FileMessage> messages = read_traffic_text(input.text, input.name, nodes);
  if (!messages.empty()) return messages;
  throw InputError({input.name},
                   "has no messages: accepted is a line for each, with start, source, destination, "
                   "bytes, [rate], [class], such as '0us 0 1 64KiB'");
}

}  // namespace heddle::traffic
