#include "calibrate/rest_curves.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "calibrate/curve.hpp"

namespace heddle::calibrate {
namespace {

/// How often what was simulated is used to correct what was assumed.
constexpr int kCurveCorrections = 4;
/// Of a measured time: what lines may miss it by, so that there are fewer of them.
constexpr double kLineError = 0.0005;

/// Of a measured rate: what is missing needs no parameter of its own.
constexpr double kAsMeasured = 0.005;

/// Messages whose times a test has one after another.
double in_a_row(const Measurement& test) {
  return test.rate ? std::max(1U, test.window - 1) : 1;
}

}  // namespace

void RestCurves::fit() {
  for (RestCurve& curve : curves_) {
    find_idle(curve);
    curve.seconds.resize(curve.test->points.size());
    write(curve);
  }
  for (int i = 0; i < kCurveCorrections; ++i) {
    for (RestCurve& curve : curves_) correct(curve);
  }
}

/// Where the wire alone spaces messages as they were measured, a gap of the same length would
/// change nothing between two nodes. Towards several it would keep messages from sharing the wire.
void RestCurves::find_idle(RestCurve& curve) {
  const Measurement& test = *curve.test;
  curve.idle.resize(test.points.size());
  if (!test.rate) return;
  std::vector<double> given(test.points.size());
  curve.seconds.resize(test.points.size());
  given.swap(curve.seconds);
  write(curve);
  const std::vector<double> simulated = draft_.simulated(test);
  for (std::size_t i = 0; i < test.points.size(); ++i) {
    curve.idle[i] = std::abs(simulated[i] / test.points[i].value - 1) < kAsMeasured;
    if (!curve.idle[i]) curve.seconds[i] = given[i];
  }
}

void RestCurves::correct(RestCurve& curve) {
  const Measurement& test = *curve.test;
  const std::vector<double> simulated = draft_.simulated(test);
  for (std::size_t i = 0; i < test.points.size(); ++i) {
    Point point = test.points[i];
    const double measured = seconds_of(test, point);
    point.value = simulated[i];
    const double missing = (measured - seconds_of(test, point)) / in_a_row(test);
    if (!curve.idle[i]) curve.seconds[i] = std::max(0.0, curve.seconds[i] + missing);
  }
  write(curve);
}

void RestCurves::write(const RestCurve& curve) {
  const Measurement& test = *curve.test;
  std::vector<CurvePoint> points;
  std::vector<std::string> remarks = {curve.what + ", from"};
  for (std::size_t i = 0; i < curve.seconds.size(); ++i) {
    const Point& point = test.points[i];
    const double whole = seconds_of(test, point);
    const double allowed = kLineError * (test.rate ? whole / test.window : whole);
    points.push_back({point.bytes, curve.seconds[i], allowed});
    remarks.push_back(fmt::format("  {}: {} B, {} {}", test.place(point), point.bytes, point.value,
                                  test.rate ? "MB/s" : "us"));
  }
  std::vector<std::int64_t> breaks;
  if (curve.limit > 0) breaks.push_back(curve.limit);
  draft_.set(curve.parameter, times_text(points, breaks), std::move(remarks));
}

}  // namespace heddle::calibrate
