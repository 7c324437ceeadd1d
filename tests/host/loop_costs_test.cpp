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

// Five equal runs are enough, four are not; ranks do not matter.
TEST(LoopCosts, AreKnownAfterTheFirstRuns) {
  LoopCosts costs(kLimits);
  for (std::uint32_t i = 0; i < 4; ++i) costs.add(run(i), 100);
  EXPECT_FALSE(costs.known(run(0)));
  costs.add(run(4), 100);
  EXPECT_EQ(costs.known(run(9)), 100.0);
  EXPECT_EQ(costs.error(run(9)), 0.0);
}

// 90 and 110 by turns have a deviation of 10.5 after ten, and a standard error of 3.3 %, which is
// too much; after twelve it is 3.0 %, after fourteen less.
TEST(LoopCosts, AreToBeAsExactAsWanted) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 10; ++i) costs.add(run(0), i % 2 == 0 ? 90 : 110);
  EXPECT_FALSE(costs.known(run(0)));
  for (int i = 0; i < 4; ++i) costs.add(run(0), i % 2 == 0 ? 90 : 110);
  ASSERT_TRUE(costs.known(run(0)));
  EXPECT_NEAR(*costs.known(run(0)), 100, 1e-9);
  EXPECT_NEAR(costs.error(run(0)), 10.377 / 3.742, 0.01);
}

// Ranks with blocks of different sizes are told apart once there are sixteen runs.
TEST(LoopCosts, ArePerRankWhereThoseDiffer) {
  LoopCosts costs(kLimits);
  for (int i = 0; i < 8; ++i) {
    costs.add(run(0), 100);
    costs.add(run(1), 300);
  }
  EXPECT_EQ(costs.known(run(0)), 100.0);
  EXPECT_EQ(costs.known(run(1)), 300.0);
  EXPECT_FALSE(costs.known(run(2)));
}

// So are levels of a grid, whose size is in a register.
TEST(LoopCosts, AreByTheRegisterThatSaysTheSize) {
  LoopCosts costs(kLimits);
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint64_t size = std::uint64_t{1} << (i * 7 % 3);
    costs.add(run(i % 4, size), 100.0 * static_cast<double>(size));
  }
  EXPECT_EQ(costs.known(run(0, 1)), 100.0);
  EXPECT_EQ(costs.known(run(3, 4)), 400.0);
  EXPECT_FALSE(costs.known(run(0, 8)));
}

// Costs that nothing explains are not known, and after 128 nobody asks any more.
TEST(LoopCosts, DoNotRepeatWhereNothingExplainsThem) {
  LoopCosts costs({5, 0.001, 10});
  std::uint64_t state = 1;
  for (std::uint32_t i = 0; i < 128; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    costs.add(run(i % 4, i), 100.0 + static_cast<double>(state >> 57));
  }
  EXPECT_EQ(costs.state(), LoopCosts::State::irregular);
  EXPECT_FALSE(costs.known(run(0)));
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
  EXPECT_FALSE(costs.known(run(0)));
  for (int i = 0; i < 5; ++i) costs.add(run(0), 150);
  EXPECT_EQ(costs.known(run(0)), 150.0);
}

}  // namespace
}  // namespace heddle::host
