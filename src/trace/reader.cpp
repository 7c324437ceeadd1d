#include "trace/reader.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <istream>
#include <limits>
#include <string_view>

#include "core/error.hpp"
#include "files/input_stream.hpp"
#include "trace/activity.hpp"
#include "trace/recorder.hpp"

namespace heddle::trace {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

/// The fields of one line, taken from left to right.
class Line {
 public:
  Line(const std::string& file, std::uint32_t number, std::string_view text)
      : file_(file), number_(number), text_(text) {}

  std::uint64_t count(std::uint64_t most) {
    const std::string_view field = next();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc() && end == field.data() + field.size() && value <= most) return value;
    reject(field, "a whole number from 0 to " + std::to_string(most));
  }
  std::uint32_t id() { return static_cast<std::uint32_t>(count(UINT32_MAX)); }
  Time time() { return Time::ps(static_cast<std::int64_t>(count(kLargest))); }
  Bytes size() { return Bytes(static_cast<std::int64_t>(count(kLargest))); }

  std::optional<std::uint32_t> rank() { return optional(UINT32_MAX); }
  std::optional<std::uint8_t> virtual_network() { return optional(3); }
  End end() {
    const auto process = rank();
    return {process, id()};
  }

  nic::Activity activity() {
    const std::string_view field = next();
    const auto activity = activity_called(field);
    if (activity) return *activity;
    const auto names = activity_names();
    fail(start_, "unknown activity '" + std::string(field) + "'" + did_you_mean(field, names) +
                     ": accepted are " + joined(names));
  }

  /// Nothing may follow.
  void finish() const {
    if (at_ > text_.size()) return;
    fail(at_, "'" + std::string(text_.substr(at_)) + "' is too much: a row has " +
                  std::to_string(kColumns.size()) + " fields");
  }
  /// The field read last is wrong.
  [[noreturn]] void reject(std::string_view field, const std::string& accepted) const {
    fail(start_, "'" + std::string(field) + "' is not a valid " +
                     std::string(kColumns[fields_ - 1]) + ": accepted is " + accepted);
  }

 private:
  /// A number, or nothing where the field is empty.
  std::optional<std::uint32_t> optional(std::uint32_t most) {
    const bool empty = at_ < text_.size() && text_[at_] == ',';
    if (!empty) return static_cast<std::uint32_t>(count(most));
    next();
    return std::nullopt;
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const {
    throw InputError({file_, number_, static_cast<std::uint32_t>(offset) + 1}, problem);
  }

  std::string_view next() {
    if (at_ > text_.size()) {
      fail(text_.size(), "the row ends before its field '" + std::string(kColumns[fields_]) +
                             "': expected are " +
                             header_line().substr(0, header_line().size() - 1));
    }
    start_ = at_;
    const std::size_t end = std::min(text_.find(',', at_), text_.size());
    at_ = end + 1;
    ++fields_;
    return text_.substr(start_, end - start_);
  }

  const std::string& file_;
  std::uint32_t number_;
  std::string_view text_;
  std::size_t start_ = 0;   ///< Of the field read last.
  std::size_t at_ = 0;      ///< Of the next field; beyond the text when there is none.
  std::size_t fields_ = 0;  ///< Read so far.
};

/// Braces evaluate from left to right, which is the order of the columns.
Row read_row(Line line) {
  Row row{line.count(UINT64_MAX), line.activity(), line.end(), line.end(), line.size(),
          line.virtual_network(), line.time(),     line.time()};
  if (row.end < row.start) {
    line.reject(std::to_string(row.end.ps()), "a time not before start_ps");
  }
  row.failed = line.count(1) == 1;
  line.finish();
  return row;
}

void check_header(const std::string& file, std::uint32_t number, std::string_view line) {
  const std::string expected = header_line();
  if (line == std::string_view(expected).substr(0, expected.size() - 1)) return;
  throw InputError({file, number, 1}, "'" + std::string(line.substr(0, 80)) +
                                          "' is not the header of a trace of operations: accepted "
                                          "is " +
                                          expected.substr(0, expected.size() - 1));
}

/// More than the header or any row takes.
constexpr std::size_t kLongestRow = 4096;

/// Takes the next line, or of one that is too long a little more than kLongestRow characters.
bool read_line(std::istream& input, std::string& line) {
  std::array<char, kLongestRow + 2> buffer;
  input.getline(buffer.data(), buffer.size());
  const auto taken = static_cast<std::size_t>(input.gcount());
  if (taken == 0) return false;
  const bool whole = input.good();  // With its end, which is taken but not kept.
  line.assign(buffer.data(), whole ? taken - 1 : taken);
  return true;
}

}  // namespace

void read_rows(std::istream& input, const std::string& file_name, const RowHandler& handler) {
  std::string text;
  std::uint32_t number = 0;
  bool header_seen = false;
  while (read_line(input, text)) {
    ++number;
    if (text.size() > kLongestRow) {
      throw InputError({file_name, number, 1},
                       "the line is longer than any row of a trace of operations");
    }
    if (text.ends_with('\r')) text.pop_back();
    if (text.empty()) continue;
    if (!header_seen) {
      check_header(file_name, number, text);
      header_seen = true;
    } else {
      handler(read_row(Line(file_name, number, text)));
    }
  }
  if (input.bad()) throw InputError({file_name, number + 1}, "cannot be read any further");
  if (!header_seen) check_header(file_name, number + 1, "");
}

void read_file(const std::string& path, const RowHandler& handler) {
  files::InputStream file(path);
  if (!file.is_open()) {
    throw InputError({path},
                     "cannot be read: accepted is a trace of adapters as `heddle run` writes");
  }
  read_rows(file, path == "-" ? "standard input" : path, handler);
}

}  // namespace heddle::trace
