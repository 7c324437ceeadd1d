#include "host/program/sampling/loop_costs.hpp"

#include <gtest/gtest.h>

namespace heddle::host {
namespace {

constexpr LoopLimits kLimits{5, 0.03, 10};

LoopCosts::Run run(std::uint32_t rank, std::uint64_t number = 0) {
  LoopCosts::Run run{rank, {}};
  run.numbers[4] = number;
  return run;
}

/// 0: not known.
double mean(const LoopCosts& costs, const LoopCosts::Run& run) {
  const CostSample* const known = costs.known(run);
  return known == nullptr ? 0 : known->mean();
}

// Five equal runs are enough, four are not; ranks do not matter.
TEST(LoopCosts, AreKnownAfterTheFirstRuns) {
  LoopCosts costs(kLimits);
  for (std::uint32_t i = 0; i < 4; ++i) costs.add(run(i), 100);
  EXPECT_EQ(costs.known(run(0)), nullptr);
  costs.add(run(4), 100);
  EXPECT_EQ(mean(costs, run(9)), 100);
  EXPECT_EQ(costs.known(run(9))->half_width(), 0);
}

// 90 and 110 by turns have a deviation of 10.5 after ten, and a standard error of 3.3 %, which is
// too much; after fourteen it is 10.38 / 3.742 = 2.77 %. With 95 % the mean is within 2.16 of that.
TEST(LoopCosts, AreToBeAsExactAsWanted) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 10; ++i) costs.add(run(0), i % 2 == 0 ? 90 : 110);
  EXPECT_EQ(costs.known(run(0)), nullptr);
  for (int i = 0; i < 4; ++i) costs.add(run(0), i % 2 == 0 ? 90 : 110);
  ASSERT_NE(costs.known(run(0)), nullptr);
  EXPECT_NEAR(mean(costs, run(0)), 100, 1e-9);
  EXPECT_NEAR(costs.known(run(0))->half_width(), 2.16 * 10.377 / 3.742, 0.01);
}

// What stands for others is one of those that were measured.
TEST(LoopCosts, AreDrawnFromThoseThatWereMeasured) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 14; ++i) costs.add(run(0), i % 2 == 0 ? 90 : 110);
  int small = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    RandomStream chance = RandomStream(1).split(i);
    const double cost = costs.known(run(0))->drawn(chance);
    EXPECT_TRUE(cost == 90 || cost == 110);
    small += cost == 90 ? 1 : 0;
  }
  EXPECT_NEAR(small, 500, 64) << "four deviations";
}

// Ranks with blocks of different sizes are told apart once there are sixteen runs.
TEST(LoopCosts, ArePerRankWhereThoseDiffer) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 8; ++i) {
    costs.add(run(0), 100);
    costs.add(run(1), 300);
  }
  EXPECT_EQ(mean(costs, run(0)), 100);
  EXPECT_EQ(mean(costs, run(1)), 300);
  EXPECT_EQ(costs.known(run(2)), nullptr);
}

// So are levels of a grid, whose size is in a register.
TEST(LoopCosts, AreByTheRegisterThatSaysTheSize) {
  LoopCosts costs(kLimits);
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint64_t size = std::uint64_t{1} << (i * 7 % 3);
    costs.add(run(i % 4, size), 100.0 * static_cast<double>(size));
  }
  EXPECT_EQ(mean(costs, run(0, 1)), 100);
  EXPECT_EQ(mean(costs, run(3, 4)), 400);
  EXPECT_EQ(costs.known(run(0, 8)), nullptr);
}

// Costs that nothing explains and whose mean is not known well enough after 4096 runs are not asked
// for any more: between 100 and 228, their standard error is 37 / 64 of 164, or 0.35 %.
TEST(LoopCosts, DoNotRepeatWhereNothingExplainsThem) {
  LoopCosts costs({5, 0.001, 10});
  RandomStream chance(1);
  for (std::uint32_t i = 0; i < 4096; ++i) {
    costs.add(run(i % 4, i), 100.0 + static_cast<double>(chance.below(128)));
  }
  EXPECT_EQ(costs.state(), LoopCosts::State::irregular);
  EXPECT_EQ(costs.known(run(0)), nullptr);
}

TEST(LoopCosts, AreNotWorthItWhereTheyAreLittle) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 3; ++i) costs.add(run(0), 9);
  EXPECT_EQ(costs.state(), LoopCosts::State::too_short);
}

// Another cost than before is told, and what is forgotten begins anew.
TEST(LoopCosts, AreConfirmedOrForgotten) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 5; ++i) costs.add(run(0), 100);
  EXPECT_TRUE(costs.confirms(run(0), 109));
  EXPECT_FALSE(costs.confirms(run(0), 150));
  costs.forget(run(0));
  EXPECT_EQ(costs.known(run(0)), nullptr);
  for (int i = 0; i < 5; ++i) costs.add(run(0), 150);
  EXPECT_EQ(mean(costs, run(0)), 150);
}

}  // namespace
}  // namespace heddle::host
