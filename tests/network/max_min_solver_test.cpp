#include "network/fluid/max_min_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/max_min_systems.hpp"
#include "sanitized.hpp"

namespace heddle::network {
namespace {

constexpr double kUnbounded = MaxMinSolver::kUnbounded;

using Flow = MaxMinFlow;

// Three flows over one constraint of capacity 12 get 4 each.
TEST(MaxMinSolver, EqualFlowsShareAlike) {
  MaxMinSolver solver({12});
  for (int i = 0; i < 3; ++i) add(solver, {{{0, 1}}});
  const MaxMinSolver::Changes changes = solver.solve();
  EXPECT_THAT(changes.levels, testing::ElementsAre(0));
  EXPECT_THAT(changes.holders, testing::UnorderedElementsAre(0, 1, 2));
  EXPECT_DOUBLE_EQ(solver.level(0), 4);
  for (MaxMinSolver::Variable v = 0; v < 3; ++v) EXPECT_DOUBLE_EQ(solver.rate(v), 4);
}

// The classic chain: a long flow over two links of 10 and 4, a short one on each. The second link
// is full first, at level 2; the flow on the first takes the remaining 8.
TEST(MaxMinSolver, WhatABottleneckLeavesGoesToTheOthers) {
  MaxMinSolver solver({10, 4});
  const auto both = add(solver, {{{0, 1}, {1, 1}}});
  const auto first = add(solver, {{{0, 1}}});
  const auto second = add(solver, {{{1, 1}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(both), 2);
  EXPECT_DOUBLE_EQ(solver.rate(first), 8);
  EXPECT_DOUBLE_EQ(solver.rate(second), 2);
}

// Weights 5 and 1 on a capacity of 12 share it 10 to 2.
TEST(MaxMinSolver, RatesAreProportionalToWeights) {
  MaxMinSolver solver({12});
  const auto heavy = add(solver, {{{0, 1}}, 5});
  const auto light = add(solver, {{{0, 1}}, 1});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(heavy), 10);
  EXPECT_DOUBLE_EQ(solver.rate(light), 2);
}

// Of a capacity of 12 a flow bounded to 1 leaves 11 to the other.
TEST(MaxMinSolver, WhatABoundLeavesGoesToTheOthers) {
  MaxMinSolver solver({12});
  const auto bounded = add(solver, {{{0, 1}}, 1, 1});
  const auto open = add(solver, {{{0, 1}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(bounded), 1);
  EXPECT_DOUBLE_EQ(solver.rate(open), 11);
}

// Two opposite flows that load the way back by 0.05 of their rate: 1.05 * rate = 10.5 gives 10.
TEST(MaxMinSolver, CoefficientsScaleTheLoad) {
  MaxMinSolver solver({10.5, 10.5});
  const auto there = add(solver, {{{0, 1}, {1, 0.05}}});
  const auto back = add(solver, {{{1, 1}, {0, 0.05}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(there), 10);
  EXPECT_DOUBLE_EQ(solver.rate(back), 10);
}

// A variable of multiplicity 3 beside one of 1 on a capacity of 12: each of the four flows gets 3;
// with one of the three gone, 4.
TEST(MaxMinSolver, AVariableStandsForItsMultiplicityOfFlows) {
  MaxMinSolver solver({12});
  const auto three = add(solver, {{{0, 1}}, 1, kUnbounded, 3});
  const auto one = add(solver, {{{0, 1}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(three), 3);
  solver.set_multiplicity(three, 2);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(three), 4);
  EXPECT_DOUBLE_EQ(solver.rate(one), 4);
}

// One flow is added to a link of 12 and becomes three before there is a solution: 4 each. The link
// is still its own.
TEST(MaxMinSolver, AVariableMayChangeBeforeItIsSolved) {
  MaxMinSolver solver({12});
  const auto variable = add(solver, {{{0, 1}}});
  solver.set_multiplicity(variable, 3);
  EXPECT_THAT(solver.solve().levels, testing::ElementsAre(0));
  EXPECT_DOUBLE_EQ(solver.rate(variable), 4);
  EXPECT_EQ(solver.flows(0), 3);
}

// A constraint counts its flows: 3 and 1 make 4, with one of the three gone 3.
TEST(MaxMinSolver, ConstraintsCountTheirFlows) {
  MaxMinSolver solver({12});
  const auto three = add(solver, {{{0, 1}}, 1, kUnbounded, 3});
  add(solver, {{{0, 1}}});
  EXPECT_EQ(solver.flows(0), 4);
  solver.set_multiplicity(three, 2);
  EXPECT_EQ(solver.flows(0), 3);
  solver.remove(three);
  EXPECT_EQ(solver.flows(0), 1);
}

// Without constraint a variable gets its bound, or an infinite rate if it has none.
TEST(MaxMinSolver, WithoutConstraintTheBoundDecides) {
  MaxMinSolver solver({});
  const auto bounded = add(solver, {{}, 1, 7});
  const auto free = add(solver, {{}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(bounded), 7);
  EXPECT_EQ(solver.rate(free), kUnbounded);
}

// A change on one constraint leaves those alone that are not connected to it, and so does a change
// above the level at which a variable is held: flow 0 is held to 1 by link 0; of the 10 of link 1
// flows 1 and 2 have 4.5 each; when flow 2 goes only the level of link 1 changes, to 9, and what
// holds each flow stays as it was.
TEST(MaxMinSolver, OnlyWhatChangesIsReported) {
  MaxMinSolver solver({1, 10, 5});
  const auto held = add(solver, {{{0, 1}, {1, 1}}});
  const auto stays = add(solver, {{{1, 1}}});
  const auto goes = add(solver, {{{1, 1}}});
  const auto elsewhere = add(solver, {{{2, 1}}});
  solver.solve();
  solver.remove(goes);
  const MaxMinSolver::Changes changes = solver.solve();
  EXPECT_THAT(changes.levels, testing::ElementsAre(1));
  EXPECT_TRUE(changes.holders.empty());
  EXPECT_DOUBLE_EQ(solver.rate(stays), 9);
  EXPECT_DOUBLE_EQ(solver.rate(held), 1);
  EXPECT_DOUBLE_EQ(solver.rate(elsewhere), 5);
  EXPECT_TRUE(solver.solve().levels.empty());
}

// Flows 0 and 1 share link 0 of 10, flows 0 and 2 link 1 of 12: link 0 holds flows 0 and 1 at 5,
// and flow 2 gets 7. When flow 1 goes link 0 would allow flow 0 the whole of 10, so link 1 takes it
// over: 6 each. A flow bounded to 1 joins on link 1: both have 5.5 then.
TEST(MaxMinSolver, ARiseEndsWhereAnotherConstraintHolds) {
  MaxMinSolver solver({10, 12});
  const auto both = add(solver, {{{0, 1}, {1, 1}}});
  const auto first = add(solver, {{{0, 1}}});
  const auto second = add(solver, {{{1, 1}}});
  solver.solve();
  EXPECT_EQ(solver.holder(both), 0U);
  EXPECT_DOUBLE_EQ(solver.rate(second), 7);
  solver.remove(first);
  EXPECT_THAT(solver.solve().holders, testing::Contains(both));
  EXPECT_EQ(solver.holder(both), 1U);
  EXPECT_DOUBLE_EQ(solver.rate(both), 6);
  EXPECT_DOUBLE_EQ(solver.rate(second), 6);
  const auto bounded = add(solver, {{{1, 1}}, 1, 1});
  solver.solve();
  EXPECT_EQ(solver.holder(bounded), MaxMinSolver::kBound);
  EXPECT_DOUBLE_EQ(solver.rate(both), 5.5);
}

// Three flows share constraint 0 of 10; the first also loads constraint 1, whose capacity is 5 but
// for rounding. When one of the others goes, the first gets 5: constraint 1 is full, but takes over
// nobody, and so it has no level.
TEST(MaxMinSolver, WhatIsTooFullByRoundingAloneHoldsNobody) {
  MaxMinSolver solver({10, 5 * (1 - 5e-13)});
  const auto both = add(solver, {{{0, 1}, {1, 1}}});
  add(solver, {{{0, 1}}});
  const auto goes = add(solver, {{{0, 1}}});
  solver.solve();
  solver.remove(goes);
  solver.solve();
  EXPECT_EQ(solver.holder(both), 0U);
  EXPECT_DOUBLE_EQ(solver.rate(both), 5);
  EXPECT_EQ(solver.level(1), MaxMinSolver::kNoLevel);
}

// A flow alone on links of 10 and 4 has 4, held by the second. One that comes to the first link
// takes the 6 that are left there, and one that comes to the second halves what it has: 2, 8 and 2.
// When both have gone it has 4 again.
TEST(MaxMinSolver, AFlowThatWasAloneSharesWithThoseThatCome) {
  MaxMinSolver solver({10, 4});
  const auto lone = add(solver, {{{0, 1}, {1, 1}}});
  const MaxMinSolver::Changes changes = solver.solve();
  EXPECT_THAT(changes.levels, testing::ElementsAre(1));
  EXPECT_THAT(changes.holders, testing::ElementsAre(lone));
  EXPECT_EQ(solver.holder(lone), 1U);
  EXPECT_DOUBLE_EQ(solver.rate(lone), 4);
  const auto first = add(solver, {{{0, 1}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(lone), 4);
  EXPECT_DOUBLE_EQ(solver.rate(first), 6);
  const auto second = add(solver, {{{1, 1}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(lone), 2);
  EXPECT_DOUBLE_EQ(solver.rate(first), 8);
  EXPECT_DOUBLE_EQ(solver.rate(second), 2);
  solver.remove(first);
  solver.remove(second);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(lone), 4);
}

// A variable alone that loads a link of 12 twice, by 1 and by 0.5, has 8; as two flows each has 4;
// its bound of 3 holds it lower than that; when it has gone the link has no level and no flows.
TEST(MaxMinSolver, AloneAVariableIsHeldByItsLinkOrItsBound) {
  MaxMinSolver solver({12});
  const auto twice = add(solver, {{{0, 1}, {0, 0.5}}});
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(twice), 8);
  solver.set_multiplicity(twice, 2);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(twice), 4);
  EXPECT_EQ(solver.flows(0), 2);
  solver.remove(twice);
  const auto bounded = add(solver, {{{0, 1}}, 1, 3});
  solver.solve();
  EXPECT_EQ(solver.holder(bounded), MaxMinSolver::kBound);
  EXPECT_DOUBLE_EQ(solver.rate(bounded), 3);
  solver.remove(bounded);
  solver.solve();
  EXPECT_EQ(solver.flows(0), 0);
  EXPECT_EQ(solver.level(0), MaxMinSolver::kNoLevel);
}

// Whatever was alone when: a system to which flows come one by one, each solved, and one that is
// filled at once have the same levels. On three links in a row of 9, 6 and 12 a flow over the first
// two and one over the last two have 3 each, held by the middle one; those on the first and on the
// last alone have 6 and 9.
TEST(MaxMinSolver, OneByOneOrAtOnceGiveTheSame) {
  const std::vector<Flow> flows{{{{0, 1}, {1, 1}}}, {{{2, 1}}}, {{{1, 1}, {2, 1}}}, {{{0, 1}}}};
  MaxMinSolver one_by_one({9, 6, 12});
  MaxMinSolver at_once({9, 6, 12});
  for (const Flow& flow : flows) {
    add(one_by_one, flow);
    one_by_one.solve();
    add(at_once, flow);
  }
  at_once.solve();
  const double expected[] = {3, 9, 3, 6};
  for (MaxMinSolver::Variable v = 0; v < flows.size(); ++v) {
    EXPECT_DOUBLE_EQ(one_by_one.rate(v), expected[v]);
    EXPECT_DOUBLE_EQ(at_once.rate(v), expected[v]);
  }
}

// Flows over links of 10 and 4 and over the first alone have 4 and 6. When the second link becomes
// one of 8, the first holds both: 5 each. With one of 2 they have 2 and 8. At 0 nothing passes it,
// and the other has all of the 10; from there one of 4 gives what there was to begin with.
TEST(MaxMinSolver, ACapacityMayChange) {
  MaxMinSolver solver({10, 4});
  const auto both = add(solver, {{{0, 1}, {1, 1}}});
  const auto first = add(solver, {{{0, 1}}});
  solver.solve();
  const double expected[][3] = {{8, 5, 5}, {2, 2, 8}, {0, 0, 10}, {4, 4, 6}};
  for (const auto& [capacity, long_one, short_one] : expected) {
    solver.set_capacity(1, capacity);
    solver.solve();
    EXPECT_DOUBLE_EQ(solver.rate(both), long_one) << capacity;
    EXPECT_DOUBLE_EQ(solver.rate(first), short_one) << capacity;
  }
}

// A flow that is alone on a link of 12 has 12, then 3, then nothing, and 7 in the end; one that
// comes while the link is closed waits as well, and has a half of the 7.
TEST(MaxMinSolver, AFlowAloneFollowsTheCapacityOfItsLink) {
  MaxMinSolver solver({12});
  const auto lone = add(solver, {{{0, 1}}});
  for (const double capacity : {12, 3, 0}) {
    solver.set_capacity(0, capacity);
    solver.solve();
    EXPECT_EQ(solver.rate(lone), capacity);
  }
  const auto late = add(solver, {{{0, 1}}});
  solver.solve();
  EXPECT_EQ(solver.rate(late), 0);
  solver.set_capacity(0, 7);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(lone), 3.5);
  EXPECT_DOUBLE_EQ(solver.rate(late), 3.5);
}

// Nobody uses the link when its capacity changes: who comes has the new one.
TEST(MaxMinSolver, AFreeLinkMayChangeItsCapacity) {
  MaxMinSolver solver({12});
  solver.set_capacity(0, 0);
  EXPECT_TRUE(solver.solve().levels.empty());
  const auto lone = add(solver, {{{0, 1}}});
  solver.solve();
  EXPECT_EQ(solver.rate(lone), 0);
  solver.remove(lone);
  solver.set_capacity(0, 5);
  const auto next = add(solver, {{{0, 1}}});
  solver.solve();
  EXPECT_EQ(solver.rate(next), 5);
}

/// Random systems under random changes, each compared with a plain solution from nothing.
class RandomSystems : public testing::TestWithParam<std::uint64_t> {
 protected:
  void change(MaxMinSolver& solver) {
    const std::uint64_t kind = live_.empty() ? 0 : random_.below(live_.size() < 30 ? 4 : 8);
    if (kind < 3) {
      Flow flow = random_flow(random_, capacities_.size());
      flow.multiplicity = 1 + static_cast<std::uint32_t>(random_.below(3));
      live_[add(solver, flow)] = flow;
      return;
    }
    const auto it = random_entry(random_, live_);
    if (kind < 6) {
      solver.remove(it->first);
      live_.erase(it);
    } else {
      it->second.multiplicity = 1 + static_cast<std::uint32_t>(random_.below(4));
      solver.set_multiplicity(it->first, it->second.multiplicity);
    }
  }
  void compare(const MaxMinSolver& solver) {
    std::vector<Flow> flows;
    for (const auto& [variable, flow] : live_) flows.push_back(flow);
    const std::vector<double> expected = PlainFilling(capacities_, flows).rates();
    std::size_t i = 0;
    for (const auto& [variable, flow] : live_) {
      ASSERT_NEAR(solver.rate(variable), expected[i], 1e-10 * expected[i]) << "variable " << i;
      ++i;
    }
  }

  /// Solves, and learns of the outcome from what is reported alone.
  void solve(MaxMinSolver& solver) {
    const MaxMinSolver::Changes changes = solver.solve();
    for (const auto constraint : changes.levels) levels_[constraint] = solver.level(constraint);
    for (const auto variable : changes.holders) holders_[variable] = solver.holder(variable);
  }
  void expect_all_was_reported(const MaxMinSolver& solver) {
    for (const auto& [variable, flow] : live_) {
      const auto holder = holders_.at(variable);
      const double level = holder == MaxMinSolver::kBound ? kUnbounded : levels_.at(holder);
      ASSERT_EQ(std::min(flow.weight * level, flow.bound), solver.rate(variable));
    }
  }

  RandomStream random_{GetParam()};
  std::vector<double> capacities_;
  std::map<MaxMinSolver::Constraint, double> levels_;
  std::map<MaxMinSolver::Variable, MaxMinSolver::Constraint> holders_;
  std::map<MaxMinSolver::Variable, Flow> live_;
};

TEST_P(RandomSystems, ChangesGiveWhatSolvingFromNothingGives) {
  const std::size_t constraints = 1 + random_.below(24);
  for (std::size_t c = 0; c < constraints; ++c) {
    capacities_.push_back(random_capacity(random_));
  }
  MaxMinSolver solver(capacities_);
  for (int step = 0; step < 60; ++step) {
    for (std::uint64_t n = 1 + random_.below(step == 0 ? 30 : 4); n > 0; --n) change(solver);
    solve(solver);
    compare(solver);
    if (HasFatalFailure()) return;
    expect_all_was_reported(solver);
  }
}

// Likewise with capacities that change, to 0 now and then, and at times all flows at one instant: a
// rate of 0 is 0 to the bit.
TEST_P(RandomSystems, ChangesOfCapacitiesGiveWhatSolvingFromNothingGives) {
  capacities_.resize(1 + random_.below(24));
  for (double& capacity : capacities_) capacity = random_capacity(random_);
  MaxMinSolver solver(capacities_);
  for (int step = 0; step < 80; ++step) {
    for (std::uint64_t n = random_.below(step == 0 ? 30 : 3); n > 0; --n) change(solver);
    for (std::uint64_t n = random_.below(4); n > 0; --n) {
      const auto link = static_cast<MaxMinSolver::Constraint>(random_.below(capacities_.size()));
      capacities_[link] = random_.below(4) == 0 ? 0 : random_capacity(random_);
      solver.set_capacity(link, capacities_[link]);
    }
    solve(solver);
    compare(solver);
    if (HasFatalFailure()) return;
    expect_all_was_reported(solver);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystems, testing::Range<std::uint64_t>(0, 100));

/// A large system: flows between the ends of a tree of 256 ends and 32 x 16 cables above them.
class LargeSystem {
 public:
  static constexpr std::uint32_t kEnds = 256;
  static constexpr std::uint32_t kLeaves = 16;

  explicit LargeSystem(std::uint64_t seed) : random_(seed), capacities_(4 * kEnds, 10) {}
  const std::vector<double>& capacities() const { return capacities_; }
  Flow random_flow() {
    const auto from = static_cast<std::uint32_t>(random_.below(kEnds));
    const auto to = static_cast<std::uint32_t>(random_.below(kEnds));
    const std::uint32_t up = from / kLeaves * kLeaves + to % kLeaves;
    Flow flow{{{from, 1}, {kEnds + up, 1}, {2 * kEnds + to, 1}, {3 * kEnds + to, 1}}};
    if (random_.below(8) == 0) flow.weight = 1 + random_.uniform();
    if (random_.below(8) == 0) flow.bound = random_.uniform();
    return flow;
  }
  void add_one(MaxMinSolver& solver) {
    const Flow flow = random_flow();
    live_[add(solver, flow)] = flow;
  }
  void remove_one(MaxMinSolver& solver) {
    const auto it = random_entry(random_, live_);
    solver.remove(it->first);
    live_.erase(it);
  }
  /// Links that hold nobody, and sleep perhaps, are among those whose capacity changes.
  void change_a_capacity(MaxMinSolver& solver) {
    const auto link = static_cast<MaxMinSolver::Constraint>(random_.below(capacities_.size()));
    capacities_[link] = random_.below(5) == 0 ? 0 : 20 * random_.uniform();
    solver.set_capacity(link, capacities_[link]);
  }
  /// The greatest deviation from what filling from nothing gives: to begin with everything is new.
  double deviation(const MaxMinSolver& solver) const {
    MaxMinSolver fresh(capacities_);
    for (const auto& [variable, flow] : live_) add(fresh, flow);
    fresh.solve();
    double worst = 0;
    MaxMinSolver::Variable number = 0;
    for (const auto& [variable, flow] : live_) {
      const double expected = fresh.rate(number++);
      const double error = std::abs(solver.rate(variable) - expected);
      if (error > 0) worst = std::max(worst, error / expected);
    }
    return worst;
  }

 private:
  RandomStream random_;
  std::vector<double> capacities_;
  std::map<MaxMinSolver::Variable, Flow> live_;
};

class LargeSystems : public testing::TestWithParam<std::uint64_t> {};

// 2,000 flows, then 1,000 times one goes and now and then some come: after each twentieth step the
// rates are those of filling from nothing, to 1e-10.
TEST_P(LargeSystems, ManySmallChangesDoNotAddUp) {
  LargeSystem system(GetParam());
  MaxMinSolver solver(system.capacities());
  for (int i = 0; i < 2000; ++i) system.add_one(solver);
  solver.solve();
  for (int step = 0; step < 1000; ++step) {
    system.remove_one(solver);
    for (int come = step % 7; come > 3; --come) system.add_one(solver);
    solver.solve();
    if (step % 20 == 0) {
      ASSERT_LT(system.deviation(solver), 1e-10) << "step " << step;
    }
  }
}

// Likewise where the capacities of links change in between.
TEST_P(LargeSystems, ChangesOfCapacitiesDoNotAddUp) {
  LargeSystem system(GetParam());
  MaxMinSolver solver(system.capacities());
  for (int i = 0; i < 1500; ++i) system.add_one(solver);
  solver.solve();
  for (int step = 0; step < 600; ++step) {
    if (step % 3 == 0) system.remove_one(solver);
    if (step % 7 == 0) system.add_one(solver);
    system.change_a_capacity(solver);
    solver.solve();
    if (step % 20 == 0) {
      ASSERT_LT(system.deviation(solver), 1e-10) << "step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LargeSystems, testing::Range<std::uint64_t>(0, kSanitized ? 1 : 4));

/// Each of 64 ends of a tree with eight leaves sends to one other, over its own cables and one up
/// and one down between a leaf and a spine.
std::vector<Flow> random_permutation(RandomStream& random) {
  constexpr std::uint32_t kEnds = 64;
  constexpr std::uint32_t kSpines = 8;
  std::vector<std::uint32_t> to(kEnds);
  for (std::uint32_t n = 0; n < kEnds; ++n) {
    const auto place = static_cast<std::uint32_t>(random.below(n + 1));
    to[n] = to[place];
    to[place] = n;
  }
  std::vector<Flow> flows;
  for (std::uint32_t n = 0; n < kEnds; ++n) {
    const std::uint32_t spine = to[n] % kSpines;
    const std::uint32_t up = kEnds + n / kSpines * kSpines + spine;
    const std::uint32_t down = 2 * kEnds + to[n] / kSpines * kSpines + spine;
    flows.push_back({{{n, 1}, {up, 1}, {down, 1}, {3 * kEnds + to[n], 1}}});
  }
  return flows;
}

class Permutations : public testing::TestWithParam<std::uint64_t> {
 protected:
  void begin(MaxMinSolver& solver, const std::vector<Flow>& flows) {
    for (const Flow& flow : flows) live_[add(solver, flow)] = flow;
  }
  void end_one(MaxMinSolver& solver) {
    const auto it = random_entry(random_, live_);
    solver.remove(it->first);
    live_.erase(it);
  }
  void compare(const MaxMinSolver& solver) const {
    std::vector<Flow> flows;
    for (const auto& [variable, flow] : live_) flows.push_back(flow);
    const std::vector<double> expected = PlainFilling(capacities_, flows).rates();
    std::size_t i = 0;
    for (const auto& [variable, flow] : live_) {
      ASSERT_NEAR(solver.rate(variable), expected[i], 1e-12 * expected[i]);
      ++i;
    }
  }

  RandomStream random_{GetParam()};
  std::vector<double> capacities_ = std::vector<double>(256, 10);
  std::map<MaxMinSolver::Variable, Flow> live_;
};

// The ends' own cables have one flow each, and some of the others: they are limits of their flows.
// While flows end one by one, and half-way those of a second permutation come, which makes most
// cables shared, the rates are those of plain filling. Cables of 10 that one or two flows use make
// many levels equal: 10 or 5.
TEST_P(Permutations, RatesAreThoseOfPlainFilling) {
  if (GetParam() % 2 == 1) {
    for (double& capacity : capacities_) capacity = random_capacity(random_);
  }
  MaxMinSolver solver(capacities_);
  begin(solver, random_permutation(random_));
  solver.solve();
  compare(solver);
  for (int step = 0; !live_.empty(); ++step) {
    if (step == 30) begin(solver, random_permutation(random_));
    end_one(solver);
    solver.solve();
    if (step % 5 == 0) compare(solver);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Permutations, testing::Range<std::uint64_t>(0, kSanitized ? 2 : 8));

// 2,000 flows from as many links of their own into one: each gets its part of 10, and when flows go
// one by one the others' part grows, until the last are held by their own links, of 1.
TEST(MaxMinSolver, ManyLimitsOnOneLink) {
  constexpr std::uint32_t kFlows = 2000;
  std::vector<double> capacities(kFlows + 1, 1);
  capacities[kFlows] = 10;
  MaxMinSolver solver(capacities);
  for (std::uint32_t f = 0; f < kFlows; ++f) add(solver, {{{f, 1}, {kFlows, 1}}});
  for (std::uint32_t left = kFlows; left > 0; --left) {
    solver.solve();
    ASSERT_NEAR(solver.rate(left - 1), std::min(1.0, 10.0 / left), 1e-12) << left;
    solver.remove(left - 1);
  }
}

}  // namespace
}  // namespace heddle::network
