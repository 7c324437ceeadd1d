#include "calibrate/eager_step.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/units.hpp"

namespace heddle::calibrate {
namespace {

/// No library sends as little as this only on demand.
constexpr std::int64_t kLeast = 2048;
/// A step is one if it is so much beyond its neighbours, in logarithms.
constexpr double kVisible = 0.1;
constexpr std::int64_t kUsual = 16384;

struct Step {
  double beyond = 0;      ///< Of the logarithm, what its neighbours do not explain.
  std::string told = {};  ///< "latency.txt:18: 64KiB take 2.3 times as long as 32KiB".
};

/// What a curve does at each size, beyond the mean of what it does before and behind. What is
/// smaller than noise does not count, and a fall only in part if waiting would be a rise.
void add_steps(std::map<std::int64_t, Step>& steps, const Measurement& test,
               const std::vector<double>& values, const char* what, double fall) {
  const auto rise = [&](std::size_t i) { return std::log(values[i] / values[i - 1]); };
  for (std::size_t i = 2; i + 1 < values.size(); ++i) {
    const Point& point = test.points[i];
    if (point.bytes < kLeast) continue;
    const double more = rise(i) - (rise(i - 1) + rise(i + 1)) / 2;
    const double beyond = more > 0 ? more : -fall * more;
    if (beyond < kVisible) continue;
    Step& step = steps[point.bytes];
    step.beyond += beyond;
    step.told +=
        fmt::format("{}{}: {} {} is {:.2f} times that of {}", step.told.empty() ? "" : ", ",
                    test.place(point), what, format_bytes(Bytes(point.bytes)),
                    values[i] / values[i - 1], format_bytes(Bytes(test.points[i - 1].bytes)));
  }
}

}  // namespace

EagerStep find_eager_step(const Measurement& latency, const Measurement* stream,
                          const std::vector<double>& gaps) {
  std::map<std::int64_t, Step> steps;
  std::vector<double> times;
  for (const Point& point : latency.points) times.push_back(point.value);
  add_steps(steps, latency, times, "the latency of", 0.5);
  if (stream != nullptr) add_steps(steps, *stream, gaps, "the gap between messages of", 1);
  std::vector<std::pair<double, std::int64_t>> order;
  for (const auto& [bytes, step] : steps) order.emplace_back(-step.beyond, bytes);
  std::ranges::sort(order);
  if (order.empty()) {
    return {kUsual, false,
            fmt::format("eager limit {}: no curve has a step; assumed is what is usual",
                        format_bytes(Bytes(kUsual)))};
  }
  const std::int64_t limit = order.front().second;
  std::string why = fmt::format("eager limit {}: the largest step of all is there ({})",
                                format_bytes(Bytes(limit)), steps[limit].told);
  for (const auto& [beyond, other] : order) {
    // Next to a step its neighbours look like smaller ones.
    const bool next = other <= 2 * limit && limit <= 2 * other;
    if (next || beyond > 0.5 * order.front().first) continue;
    why += fmt::format("; {} is possible, too ({})", format_bytes(Bytes(other)), steps[other].told);
    break;
  }
  return {limit, true, why};
}

}  // namespace heddle::calibrate
