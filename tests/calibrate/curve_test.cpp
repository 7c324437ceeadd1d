// Lines between points, and the step of a change of protocol.
#include "calibrate/curve.hpp"

#include <gmock/gmock.h>

#include "calibrate/eager_step.hpp"
#include "coll/costs/piecewise.hpp"

namespace heddle::calibrate {
namespace {

double ns_at(const std::string& text, std::int64_t bytes) {
  const auto times = coll::Overheads::parse(text);
  EXPECT_TRUE(times) << text;
  return static_cast<double>(times->at(bytes).ps()) / 1000;
}

TEST(Curve, GoesThroughItsPointsAndStraightBetweenThem) {
  const std::string text = times_text({{0, 300e-9}, {1000, 500e-9}, {2000, 1500e-9}});
  EXPECT_NEAR(ns_at(text, 0), 300, 0.002);
  EXPECT_NEAR(ns_at(text, 500), 400, 0.002);
  EXPECT_NEAR(ns_at(text, 1000), 500, 0.002);
  // This line begins below zero.
  EXPECT_NEAR(ns_at(text, 1500), 1000, 0.002);
  // Beyond the last point it goes on.
  EXPECT_NEAR(ns_at(text, 3000), 2500, 0.002);
}

TEST(Curve, BeforeTheFirstPointIsAsThere) {
  EXPECT_NEAR(ns_at(times_text({{8, 300e-9}, {16, 400e-9}}), 0), 300, 0.002);
}

TEST(Curve, ThatFallsEndsAtItsLastPoint) {
  const std::string text = times_text({{0, 300e-9}, {100, 200e-9}});
  EXPECT_NEAR(ns_at(text, 50), 250, 0.002);
  EXPECT_NEAR(ns_at(text, 1000), 200, 0.002);
}

TEST(Curve, HasNoMoreLinesThanItsToleranceNeeds) {
  const std::string text =
      times_text({{0, 100e-9, 1e-9}, {10, 110.5e-9, 1e-9}, {20, 120e-9, 1e-9}});
  EXPECT_EQ(text, "0:100.000ns:1.000000000ns/B");
}

TEST(Curve, BreaksWhereItIsToldTo) {
  const std::string text =
      times_text({{0, 100e-9}, {100, 200e-9}, {200, 1000e-9}, {300, 1000e-9}}, {200});
  EXPECT_NEAR(ns_at(text, 199), 299, 0.002);
  EXPECT_NEAR(ns_at(text, 200), 1000, 0.002);
}

TEST(Curve, BreaksBetweenPointsToo) {
  const std::string text =
      times_text({{0, 100e-9}, {100, 200e-9}, {200, 1000e-9}, {300, 1100e-9}}, {150});
  EXPECT_NEAR(ns_at(text, 149), 249, 0.002);
  EXPECT_NEAR(ns_at(text, 150), 950, 0.002);
  EXPECT_NEAR(ns_at(text, 200), 1000, 0.002);
}

Measurement latency_of(const std::vector<double>& from_1_kib) {
  Measurement test;
  test.file = "l.txt";
  std::int64_t bytes = 1024;
  std::uint32_t line = 1;
  for (const double value : from_1_kib) {
    test.points.push_back({bytes, value, line++});
    bytes *= 2;
  }
  return test;
}

TEST(EagerStep, IsTheLargestStepOfTheLatency) {
  const EagerStep step = find_eager_step(latency_of({10, 11, 12, 13, 30, 33, 36, 40}), nullptr, {});
  EXPECT_TRUE(step.seen);
  EXPECT_EQ(step.limit, 16384);
  EXPECT_THAT(step.why,
              testing::HasSubstr("l.txt:5: the latency of 16 KiB is 2.31 times that of 8 KiB"));
}

TEST(EagerStep, OfASmoothCurveIsAGuess) {
  const EagerStep step = find_eager_step(latency_of({10, 11, 12.1, 13.3, 14.6, 16.1}), nullptr, {});
  EXPECT_FALSE(step.seen);
  EXPECT_EQ(step.limit, 16384);
}

}  // namespace
}  // namespace heddle::calibrate
