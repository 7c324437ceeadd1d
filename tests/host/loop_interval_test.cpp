// Whether the interval that is stated for a run's time contains it, where all ranks wait for each
// other after each step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "host/program/sampling/loop_costs.hpp"
#include "host/program/sampling/loop_error.hpp"

namespace heddle::host {
namespace {

constexpr std::uint32_t kRanks = 16;
constexpr int kSteps = 200;
constexpr int kRuns = 40;

/// The part of a mean that a rank takes for a step.
using Cost = std::function<double(std::uint32_t rank, int step, RandomStream& chance)>;

/// One program, carried out as a whole and with its loop left out, by the rules of the sampler: the
/// first two runs of a rank are always carried out, the first is not counted.
class SteppedProgram {
 public:
  SteppedProgram(const Cost& cost, std::uint64_t seed)
      : chance_(RandomStream(seed).split("loops")) {
    RandomStream costs = RandomStream(seed).split("costs");
    for (int step = 0; step < kSteps; ++step) {
      double slowest = 0;
      double charged = 0;
      for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
        const double whole = 1000 * cost(rank, step, costs);
        slowest = std::max(slowest, whole);
        charged = std::max(charged, come(rank, step, whole));
      }
      whole_ += slowest;
      sampled_ += charged;
    }
  }
  double missing() const { return whole_ / sampled_ - 1; }
  double stated() const {
    return error_.charged() > 0 ? error_.half_width() / error_.charged() : 0;
  }
  bool holds() const { return std::abs(missing()) <= stated() + 1e-12; }
  double part_run() const { return static_cast<double>(run_) / (kRanks * kSteps); }

 private:
  double come(std::uint32_t rank, int step, double whole) {
    const LoopCosts::Run run{rank, {}};
    const CostSample* const known = step < 2 ? nullptr : costs_.known(run);
    double check = 0;
    if (known != nullptr) {
      RandomStream chance = chance_.split(rank).split(static_cast<std::uint64_t>(step));
      check = error_.probability();
      if (chance.uniform() >= check) {
        const double cost = known->drawn(chance);
        error_.left_out(cost, *known);
        return cost;
      }
    }
    ++run_;
    if (check > 0) {
      error_.checked(check, known->mean(), whole);
      if (!costs_.confirms(run, whole)) costs_.forget(run);
    }
    if (step > 0) costs_.add(run, whole);
    return whole;
  }

  RandomStream chance_;
  LoopCosts costs_{LoopLimits{}};
  LoopError error_;
  double whole_ = 0;
  double sampled_ = 0;
  std::uint64_t run_ = 0;
};

struct Held {
  int of_40 = 0;
  double widest = 0;
  double part_run = 0;
  std::string text;
};

Held intervals(const Cost& cost) {
  Held held;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const SteppedProgram program(cost, seed);
    held.of_40 += program.holds() ? 1 : 0;
    held.widest = std::max(held.widest, program.stated());
    held.part_run += program.part_run() / kRuns;
    held.text +=
        std::to_string(program.missing()) + " of " + std::to_string(program.stated()) + ", ";
  }
  return held;
}

// All the same: exactly known.
TEST(LoopInterval, IsNothingWhereNothingDiffers) {
  const Held same = intervals([](std::uint32_t, int, RandomStream&) { return 1; });
  EXPECT_EQ(same.of_40, kRuns);
  EXPECT_EQ(same.widest, 0);
  EXPECT_LT(same.part_run, 0.05);
}

// Evenly between 0.8 and 1.2, by chance: a deviation of 11.5 %. Each step is as long as the slowest
// of 16 ranks, 1.18, which means would not tell.
TEST(LoopInterval, HoldsForCostsByChance) {
  const Held even =
      intervals([](std::uint32_t, int, RandomStream& c) { return 0.8 + 0.4 * c.uniform(); });
  EXPECT_GE(even.of_40, 38) << even.text;
  EXPECT_LT(even.widest, 0.25);
}

// Half of it always, the rest of exponential distribution: the slowest of 16 takes 2.2.
TEST(LoopInterval, HoldsForLongTails) {
  const Held tail =
      intervals([](std::uint32_t, int, RandomStream& c) { return 0.5 + c.exponential(0.5); });
  EXPECT_GE(tail.of_40, 38) << tail.text;
  EXPECT_LT(tail.widest, 0.9);
}

// Ranks differ, by 4 % each: from 0.7 to 1.3; and by chance, by 5 % up and down.
TEST(LoopInterval, HoldsWhereRanksDiffer) {
  const Held ranks = intervals([](std::uint32_t r, int, RandomStream&) { return 0.7 + 0.04 * r; });
  EXPECT_GE(ranks.of_40, 38) << ranks.text;
  EXPECT_LT(ranks.widest, 0.05);
  const Held both = intervals([](std::uint32_t r, int, RandomStream& c) {
    return 0.7 + 0.04 * r + 0.1 * (c.uniform() - 0.5);
  });
  EXPECT_GE(both.of_40, 38) << both.text;
  EXPECT_LT(both.widest, 0.15);
}

// From 0.7 to 1.3 in the course of the program, and at once in the middle of it.
TEST(LoopInterval, HoldsWhereCostsChange) {
  const Held drift =
      intervals([](std::uint32_t, int s, RandomStream&) { return 0.7 + 0.6 * s / kSteps; });
  EXPECT_GE(drift.of_40, 38) << drift.text;
  EXPECT_LT(drift.widest, 0.6);
  const Held jump =
      intervals([](std::uint32_t, int s, RandomStream&) { return s < 100 ? 0.8 : 1.2; });
  EXPECT_GE(jump.of_40, 38) << jump.text;
  EXPECT_LT(jump.widest, 0.3);
}

// Up and down by 30 %, each rank at another time.
TEST(LoopInterval, HoldsWhereCostsSwing) {
  const Held swing = intervals(
      [](std::uint32_t r, int s, RandomStream&) { return 1 + 0.3 * std::sin(s / 5.0 + r); });
  EXPECT_GE(swing.of_40, 38) << swing.text;
  EXPECT_LT(swing.widest, 0.5);
}

}  // namespace
}  // namespace heddle::host
