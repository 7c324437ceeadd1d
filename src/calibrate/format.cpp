#include "calibrate/format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

using coll::Collective;
/// Longer names first, where one is a part of another.
constexpr std::array<std::pair<std::string_view, Collective>, 19> kNames = {{
    {"reduce_scatter_block", Collective::reduce_scatter_block},
    {"reduce_scatter", Collective::reduce_scatter},
    {"reduce-scatter", Collective::reduce_scatter},
    {"reducescatter", Collective::reduce_scatter},
    {"allreduce", Collective::allreduce},
    {"all_reduce", Collective::allreduce},
    {"allgatherv", Collective::allgatherv},
    {"allgather", Collective::allgather},
    {"all_gather", Collective::allgather},
    {"alltoallv", Collective::alltoallv},
    {"alltoall", Collective::alltoall},
    {"all-to-all", Collective::alltoall},
    {"gatherv", Collective::gatherv},
    {"scatterv", Collective::scatterv},
    {"broadcast", Collective::bcast},
    {"bcast", Collective::bcast},
    {"barrier", Collective::barrier},
    {"gather", Collective::gather},
    {"scatter", Collective::scatter},
}};

std::string all_looked_for() {
  std::string text;
  for (const Format* format : formats()) {
    text += fmt::format("{}{} (such as '{}')", text.empty() ? "" : ", ", format->name,
                        format->looked_for);
  }
  return text;
}

[[noreturn]] void nothing_in(const Text& text) {
  std::size_t at = 0;
  while (at + 1 < text.size() && text.line(at).empty()) ++at;
  throw InputError(
      {text.file(), text.number(at)},
      fmt::format("no table of a benchmark was found, but {}; looked for were {}",
                  text.line(at).empty() ? "nothing" : in_quotes(text.line(at)), all_looked_for()));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Of values whose excess over the least is taken for exponentially distributed, half of it is
/// below ln 2 of its mean. Few say nothing.
double spread_of_values(const std::vector<double>& values) {
  constexpr std::size_t kEnough = 5;
  if (values.size() < kEnough) return 0;
  return spread_of(median(values), *std::ranges::min_element(values));
}

/// What no benchmark has is a mistake in the file.
void require_sensible(const Measurement& test) {
  constexpr std::uint32_t kMost = 1U << 24;
  if (test.ranks <= kMost && test.pairs <= kMost / 2 && test.window > 0 && test.window <= 65536) {
    return;
  }
  throw InputError({test.file, test.line},
                   fmt::format("{} ranks, {} pairs or {} messages in flight are more than any test "
                               "has: accepted are up to {} ranks, and 1 to 65536 messages",
                               test.ranks, test.pairs, test.window, kMost));
}

}  // namespace

void read_text(std::string_view text, const std::string& file, Readings& readings) {
  const Text lines(text, file);
  const std::size_t before = readings.measurements.size() + readings.given.size();
  for (std::size_t at = 0; at < lines.size();) {
    const auto& all = formats();
    const auto found = std::ranges::find_if(
        all, [&](const Format* format) { return format->recognises(lines, at); });
    at = found == all.end() ? at + 1 : (*found)->read(lines, at, readings);
  }
  if (readings.measurements.size() + readings.given.size() == before) nothing_in(lines);
}

double spread_of(double median_value, double least) {
  return std::max(0.0, median_value - least) / std::log(2.0);
}

std::int64_t bytes_of(double number) {
  constexpr double kMost = 0x1p50;
  const bool size = number >= 0 && number <= kMost && number == std::floor(number);
  return size ? static_cast<std::int64_t>(number) : -1;
}

std::vector<Point> points_of(const TextTable& table, std::size_t size, std::size_t value,
                             double scale) {
  std::vector<Point> points;
  for (const TextTable::Row& row : table.rows) {
    points.push_back({bytes_of(row.values[size]), row.values[value] * scale, row.line});
  }
  return points;
}

void add(Readings& readings, Measurement measurement) {
  require_sensible(measurement);
  struct Repeated {
    std::vector<double> values;
    std::uint32_t line = 0;
    double spread = 0;  ///< As the file says.
  };
  std::map<std::int64_t, Repeated> sizes;
  for (const Point& point : measurement.points) {
    if (!(point.value > 0) || point.bytes < 0) continue;
    Repeated& one = sizes[point.bytes];
    if (one.values.empty()) one.line = point.line;
    one.values.push_back(point.value);
    one.spread = std::max(one.spread, point.spread);
  }
  if (sizes.empty()) {
    throw InputError({measurement.file, measurement.line},
                     "a table without values was found below " + in_quotes(measurement.title));
  }
  measurement.points.clear();
  for (const auto& [bytes, one] : sizes) {
    measurement.points.push_back(
        {bytes, median(one.values), one.line, std::max(one.spread, spread_of_values(one.values))});
  }
  readings.measurements.push_back(std::move(measurement));
}

std::optional<Collective> collective_in(std::string_view title) {
  for (const auto& [name, collective] : kNames) {
    if (has_word(title, name)) return collective;
  }
  if (has_word(title, "reduce")) return Collective::reduce;
  return std::nullopt;
}

}  // namespace heddle::calibrate
