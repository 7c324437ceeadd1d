#include "calibrate/rest_curves.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "calibrate/curve.hpp"

namespace heddle::calibrate {
namespace {

/// How often what was simulated is used to correct what was assumed.
constexpr int kCurveCorrections = 4;
/// Of a measured time: what lines may miss it by, so that there are fewer of them.
constexpr double kLineError = 0.0005;

/// Messages whose times a test has one after another.
double in_a_row(const Measurement& test) {
  return test.rate ? std::max(1U, test.window - 1) : 1;
}

}  // namespace

void RestCurves::fit() {
  for (RestCurve& curve : curves_) {
    curve.seconds.resize(curve.test->points.size());
    write(curve);
  }
  for (int i = 0; i < kCurveCorrections; ++i) {
    for (RestCurve& curve : curves_) correct(curve);
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
    curve.seconds[i] = std::max(0.0, curve.seconds[i] + missing);
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
