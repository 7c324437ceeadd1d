#include "calibrate/draft.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "calibrate/curve.hpp"
#include "calibrate/loops.hpp"
#include "core/units.hpp"

namespace heddle::calibrate {

double seconds_of(const Measurement& test, const Point& point) {
  if (!test.rate) return point.value * kMicrosecond;
  const double directions = test.loop == Loop::both_streams ? 2 : 1;
  const double messages = test.window * directions * std::max(1U, test.pairs);
  return messages * static_cast<double>(point.bytes) / (point.value * 1e6);
}

double time_at(const Measurement& test, std::int64_t bytes) {
  const auto& points = test.points;
  const auto next =
      std::ranges::find_if(points, [&](const Point& point) { return point.bytes >= bytes; });
  return (next == points.end() ? points.back() : *next).value * kMicrosecond;
}

std::string text_of_time(double seconds) {
  return fmt::format("{:.3f}ns", std::max(0.0, seconds) * 1e9);
}

std::string shown_size(std::int64_t bytes) {
  return format_bytes(Bytes(bytes));
}

Draft::Draft(const FitInput& input)
    : input_(input), found_{input.settings, input.description, nullptr, {}, {}, {}, {}} {}

const Measurement* Draft::find_test(Loop loop, bool inside) const {
  for (const Measurement& test : tests()) {
    const bool fits = test.loop == loop && test.inside == inside && !test.device &&
                      test.pairs == 1 && test.ranks <= 2;
    if (fits) return &test;
  }
  return nullptr;
}

bool Draft::shares_nodes() const {
  return std::ranges::any_of(tests(), [](const Measurement& test) {
    return why_not_simulated(test).empty() && !test.inside && ranks_of(test).per_node > 1;
  });
}

bool Draft::is_given(const std::string& parameter) const {
  return std::ranges::any_of(input_.readings.given,
                             [&](const GivenValue& value) { return value.parameter == parameter; });
}

void Draft::set(const std::string& parameter, const std::string& value,
                std::vector<std::string> remarks) {
  found_.settings.assign(parameter, value, {"calibrate"});
  std::erase_if(found_.values, [&](const FittedValue& one) { return one.parameter == parameter; });
  found_.values.push_back({parameter, value, std::move(remarks)});
}

void Draft::guess(const std::string& parameter, const std::string& value, const std::string& why) {
  set(parameter, value, {"guessed: " + why});
  found_.guesses.push_back(fmt::format("{}={}: {}", parameter, value, why));
}

void Draft::take_curve(const std::string& parameter, const Measurement& test,
                       const std::string& what) {
  std::vector<CurvePoint> points;
  std::vector<std::string> remarks = {fmt::format("time of {} by itself: {}, {} sizes", what,
                                                  test.place(test.points.front()),
                                                  test.points.size())};
  for (const Point& point : test.points) {
    const double seconds = point.value * kMicrosecond;
    points.push_back({point.bytes, seconds, 0.02 * seconds});
  }
  set(parameter, times_text(points), std::move(remarks));
}

void Draft::take_given() {
  for (const GivenValue& value : input_.readings.given) {
    found_.settings.assign(value.parameter, value.value, value.where);
    set(value.parameter, value.value, {"as " + value.where.str() + " has it"});
  }
}

void Draft::rebuild() {
  found_.platform = platform::build_platform(found_.description, found_.settings);
}

std::vector<double> Draft::simulated(const Measurement& test) const {
  return simulate(*found_.platform, found_.settings, test);
}

}  // namespace heddle::calibrate
