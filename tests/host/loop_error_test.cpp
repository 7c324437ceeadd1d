#include "host/program/sampling/loop_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace heddle::host {
namespace {

/// Goes through runs of a loop as the sampler does, with costs by the number of the run: ten are
/// measured, and of the others those that chance says.
struct Course {
  Course(const std::function<double(int, RandomStream&)>& cost, std::uint64_t seed) {
    RandomStream costs = RandomStream(seed).split("costs");
    RandomStream chance = RandomStream(seed).split("chance");
    CostSample kind;
    for (int i = 0; i < 2000; ++i) {
      const double here = cost(i, costs);
      const double check = error.probability();
      if (i < 10) {
        kind.add(here);
      } else if (chance.uniform() < check) {
        error.checked(check, kind.mean(), here);
        kind.add(here);
      } else {
        left_out += here;
        error.left_out(kind.drawn(chance), kind);
      }
    }
  }
  bool holds() const { return std::abs(error.charged() - left_out) <= error.half_width(); }
  double width() const { return error.half_width() / error.charged(); }

  LoopError error;
  double left_out = 0;  ///< What they would have cost.
};

/// Of 200 courses, in how many the truth was within what is stated.
int held(const std::function<double(int, RandomStream&)>& cost) {
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) held += Course(cost, seed).holds() ? 1 : 0;
  return held;
}

// Nothing differs: nothing may be wrong.
TEST(LoopError, IsNothingWhereAllCostTheSame) {
  const Course course([](int, RandomStream&) { return 100; }, 1);
  EXPECT_EQ(course.error.half_width(), 0);
  EXPECT_EQ(course.error.charged(), course.left_out);
  EXPECT_GT(course.error.checks(), 20U);
}

// Costs by chance, even and with a long tail; costs that grow to the double; that are one and a
// half times as much from the middle on; that swing. 95 % is 190 of 200.
TEST(LoopError, HoldsWhatItStates) {
  EXPECT_GE(held([](int, RandomStream& c) { return 90 + 20 * c.uniform(); }), 190);
  EXPECT_GE(held([](int, RandomStream& c) { return 50 + c.exponential(50); }), 190);
  EXPECT_GE(held([](int i, RandomStream&) { return 100 + i / 20.0; }), 190);
  EXPECT_GE(held([](int i, RandomStream&) { return i < 1000 ? 100 : 150; }), 190);
  EXPECT_GE(held([](int i, RandomStream&) { return 100 + 30 * std::sin(i / 50.0); }), 190);
}

// A spread of 5.8 % is stated about as it is, not many times of that.
TEST(LoopError, IsNotMuchMoreThanNeedBe) {
  const Course course([](int, RandomStream& c) { return 90 + 20 * c.uniform(); }, 1);
  EXPECT_LT(course.width(), 0.15);
}

// Often in the beginning, then each 64th, and of millions ever fewer.
TEST(LoopError, IsFoundByRunsByChance) {
  LoopError error;
  CostSample kind;
  for (int i = 0; i < 3; ++i) kind.add(1);
  EXPECT_EQ(error.probability(), 0.5);
  for (int i = 0; i < 1000; ++i) error.left_out(1, kind);
  EXPECT_EQ(error.probability(), 1.0 / 64);
  for (int i = 0; i < 1'023'000; ++i) error.left_out(1, kind);
  EXPECT_EQ(error.probability(), 0.0005);
}

}  // namespace
}  // namespace heddle::host
