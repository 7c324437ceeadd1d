#include "traffic/size_file.hpp"

#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "platform/text_file.hpp"

namespace heddle::traffic {
namespace {

constexpr std::int64_t kLargestFlow = std::int64_t{1} << 50;
constexpr const char* kTwoFields = "a size and the part of all that have at most this size";

class SizeReader {
 public:
  explicit SizeReader(const std::string& file) : file_(file) {}

  void read_line(std::string_view line) {
    ++line_;
    line = line.substr(0, line.find('#'));
    if (line.find(',') != std::string_view::npos) {
      split_by_commas(line, fields_);
    } else {
      split_by_blanks(line, fields_);
    }
    if (fields_.empty()) return;
    const bool first = std::exchange(first_, false);
    if (first && is_header()) return;
    read_point();
  }

  SizeDistribution take() {
    if (points_.empty()) {
      fail_file("has no points: accepted is a line for each, such as '10kB 50%'");
    }
    const double whole = in_percent() ? 100 : 1;
    if (std::abs(points_.back().share - whole) > 1e-9 * whole) {
      throw InputError({file_, last_line_, last_share_column_},
                       "the last part is that of all messages: accepted is 1 or 100%");
    }
    if (points_.back().size < Bytes(1)) {
      throw InputError({file_, last_line_, last_size_column_},
                       "the largest size is nothing: accepted is one of at least 1B");
    }
    for (SizeDistribution::Point& point : points_) point.share /= whole;
    points_.back().share = 1;
    return SizeDistribution::measured(file_, std::move(points_));
  }

 private:
  [[noreturn]] void fail(std::uint32_t column, const std::string& problem) const {
    throw InputError({file_, line_, column}, problem);
  }
  [[noreturn]] void fail_file(const std::string& problem) const {
    throw InputError({file_}, problem);
  }

  /// Neither field is anything like a number.
  bool is_header() const {
    return fields_.size() == 2 && !parse_bytes(fields_[0].text) && !parse_ratio(fields_[1].text) &&
           fields_[0].text.find_first_of("0123456789") == std::string_view::npos;
  }

  /// Parts with a sign are parts of 1, whatever the others are.
  bool in_percent() const { return !signs_ && points_.back().share > 1; }

  void read_point() {
    if (fields_.size() != 2) {
      const Field& last = fields_.size() > 2 ? fields_[2] : fields_[0];
      fail(last.column,
           std::string(fields_.size() > 2 ? "'" + std::string(last.text) + "' is one field too many"
                                          : "a field is missing") +
               ": accepted are " + kTwoFields);
    }
    const SizeDistribution::Point point{share(fields_[1]), size(fields_[0])};
    if (!points_.empty()) check_rises(point);
    points_.push_back(point);
    last_line_ = line_;
    last_size_column_ = fields_[0].column;
    last_share_column_ = fields_[1].column;
  }

  void check_rises(const SizeDistribution::Point& point) const {
    if (point.size < points_.back().size) {
      fail(fields_[0].column, "the size falls: accepted are sizes in ascending order");
    }
    if (point.share < points_.back().share) {
      fail(fields_[1].column, "the part falls: each line says how many have at most its size");
    }
  }

  Bytes size(const Field& field) const {
    const auto value = parse_bytes(field.text);
    if (value && value->count() >= 0 && value->count() <= kLargestFlow) return *value;
    fail(field.column, "'" + std::string(field.text) +
                           "' is not a size: accepted is a size such as 64, 4kB (4000 bytes), 4KiB "
                           "(4096) or 1MB, at most 1024TiB");
  }

  double share(const Field& field) {
    const auto value = parse_ratio(field.text);
    const bool sign = field.text.find('%') != std::string_view::npos;
    if (value && *value >= 0 && *value <= (sign ? 1 : 100)) {
      signs_ = signs_ || sign;
      return *value;
    }
    fail(field.column, "'" + std::string(field.text) +
                           "' is not a part: accepted is a number from 0 to 1, or to 100, or a "
                           "percentage such as 50%");
  }

  const std::string& file_;
  std::uint32_t line_ = 0;
  std::uint32_t last_line_ = 0;
  std::uint32_t last_size_column_ = 0;
  std::uint32_t last_share_column_ = 0;
  bool first_ = true;
  bool signs_ = false;
  std::vector<Field> fields_;
  std::vector<SizeDistribution::Point> points_;
};

}  // namespace

SizeDistribution read_size_text(std::string_view text, const std::string& name) {
  SizeReader reader(name);
  for_each_line(text, [&reader](std::string_view line) { reader.read_line(line); });
  return reader.take();
}

SizeDistribution read_size_file(const std::string& path) {
  const platform::TextInput input = platform::read_text_input(path);
  return read_size_text(input.text, input.name);
}

}  // namespace heddle::traffic
