#include "calibrate/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "calibrate/loops.hpp"

namespace heddle::calibrate {
namespace {

bool is_fitted(Loop loop) {
  return loop == Loop::ping_pong || loop == Loop::stream || loop == Loop::both_streams;
}

}  // namespace

double Comparison::error(std::size_t point) const {
  const double ratio = simulated[point] / measurement.points[point].value;
  return measurement.rate ? 1 / ratio - 1 : ratio - 1;
}

std::vector<double> Comparison::sorted_errors() const {
  std::vector<double> errors;
  for (std::size_t i = 0; i < simulated.size(); ++i) errors.push_back(std::abs(error(i)));
  std::ranges::sort(errors);
  return errors;
}

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(at, 1, sorted.size()) - 1];
}

std::vector<Comparison> compare(const Calibration& found, const Readings& readings) {
  std::vector<Comparison> list;
  for (const Measurement& test : readings.measurements) {
    Comparison one{test, {}, why_not_simulated(test)};
    if (one.reason.empty()) one.simulated = simulate(*found.platform, found.settings, test);
    list.push_back(std::move(one));
  }
  return list;
}

bool left_out(const Measurement& measurement, std::size_t point) {
  return is_fitted(measurement.loop) && point % 2 == 1 && point + 1 < measurement.points.size();
}

FitInput without_half(const FitInput& input) {
  FitInput half = input;
  for (Measurement& test : half.readings.measurements) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < test.points.size(); ++i) {
      if (!left_out(test, i)) kept.push_back(test.points[i]);
    }
    test.points = std::move(kept);
  }
  return half;
}

}  // namespace heddle::calibrate
