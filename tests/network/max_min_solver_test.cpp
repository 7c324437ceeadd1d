#include "network/fluid/max_min_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/random.hpp"

namespace heddle::network {
namespace {

using Element = MaxMinSolver::Element;
constexpr double kUnbounded = MaxMinSolver::kUnbounded;

struct Flow {
  std::vector<Element> elements;
  double weight = 1;
  double bound = kUnbounded;
  std::uint32_t multiplicity = 1;
};

MaxMinSolver::Variable add(MaxMinSolver& solver, const Flow& flow) {
  return solver.add(flow.elements, flow.weight, flow.bound, flow.multiplicity);
}

/// Progressive filling, written as plainly as it can be: in each round the lowest level at which
/// some constraint is full or some flow at its bound, found by looking at everything.
class PlainFilling {
 public:
  PlainFilling(const std::vector<double>& capacities, const std::vector<Flow>& flows)
      : capacities_(capacities), flows_(flows), rates_(flows.size(), -1) {}

  std::vector<double> rates() {
    for (;;) {
      double level = kUnbounded;
      for (std::size_t c = 0; c < capacities_.size(); ++c) level = std::min(level, full_at(c));
      for (std::size_t f = 0; f < flows_.size(); ++f) {
        if (rates_[f] < 0) level = std::min(level, flows_[f].bound / flows_[f].weight);
      }
      if (level == kUnbounded) return rates_;
      freeze(level * (1 + 1e-13));
    }
  }

 private:
  static double coefficient(const Flow& flow, std::size_t constraint) {
    for (const Element& e : flow.elements) {
      if (e.constraint == constraint) return e.coefficient * flow.multiplicity;
    }
    return 0;
  }
  double full_at(std::size_t constraint) const {
    double remaining = capacities_[constraint];
    double slope = 0;
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      const double load = coefficient(flows_[f], constraint);
      if (rates_[f] < 0) {
        slope += load * flows_[f].weight;
      } else {
        remaining -= load * rates_[f];
      }
    }
    return slope > 0 ? remaining / slope : kUnbounded;
  }
  void freeze(double level) {
    std::vector<bool> full(capacities_.size());
    for (std::size_t c = 0; c < capacities_.size(); ++c) full[c] = full_at(c) <= level;
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      if (rates_[f] >= 0) continue;
      bool stop = flows_[f].bound / flows_[f].weight <= level;
      for (const Element& e : flows_[f].elements) stop = stop || full[e.constraint];
      if (stop) rates_[f] = std::min(level * flows_[f].weight, flows_[f].bound);
    }
  }

  const std::vector<double>& capacities_;
  const std::vector<Flow>& flows_;
  std::vector<double> rates_;
};

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

/// Random systems under random changes, each compared with a plain solution from nothing.
class RandomSystems : public testing::TestWithParam<std::uint64_t> {
 protected:
  Flow random_flow() {
    Flow flow;
    std::map<std::uint32_t, double> loads;
    for (std::uint64_t n = 1 + random_.below(4); n > 0; --n) {
      loads[static_cast<std::uint32_t>(random_.below(capacities_.size()))] +=
          random_.below(4) == 0 ? 0.05 : 1;
    }
    for (const auto& [constraint, load] : loads) flow.elements.push_back({constraint, load});
    if (random_.below(2)) flow.weight = 0.1 + 10 * random_.uniform();
    if (random_.below(3) == 0) flow.bound = 0.05 + 5 * random_.uniform();
    flow.multiplicity = 1 + static_cast<std::uint32_t>(random_.below(3));
    return flow;
  }
  void change(MaxMinSolver& solver) {
    const std::uint64_t kind = live_.empty() ? 0 : random_.below(live_.size() < 30 ? 4 : 8);
    if (kind < 3) {
      const Flow flow = random_flow();
      live_[add(solver, flow)] = flow;
      return;
    }
    auto it = live_.begin();
    std::advance(it, static_cast<long>(random_.below(live_.size())));
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
    capacities_.push_back(random_.below(2) ? 10 : 1 + 20 * random_.uniform());
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

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystems, testing::Range<std::uint64_t>(0, 100));

/// A large system: flows between the ends of a tree of 256 ends and 32 x 16 cables above them.
class LargeSystem {
 public:
  static constexpr std::uint32_t kEnds = 256;
  static constexpr std::uint32_t kLeaves = 16;
  static std::vector<double> capacities() { return std::vector<double>(4 * kEnds, 10); }

  explicit LargeSystem(std::uint64_t seed) : random_(seed) {}
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
    auto it = live_.begin();
    std::advance(it, static_cast<long>(random_.below(live_.size())));
    solver.remove(it->first);
    live_.erase(it);
  }
  /// The greatest deviation from what filling from nothing gives: to begin with everything is new.
  double deviation(const MaxMinSolver& solver) const {
    MaxMinSolver fresh(capacities());
    for (const auto& [variable, flow] : live_) add(fresh, flow);
    fresh.solve();
    double worst = 0;
    MaxMinSolver::Variable number = 0;
    for (const auto& [variable, flow] : live_) {
      worst = std::max(worst, std::abs(solver.rate(variable) / fresh.rate(number++) - 1));
    }
    return worst;
  }

 private:
  RandomStream random_;
  std::map<MaxMinSolver::Variable, Flow> live_;
};

class LargeSystems : public testing::TestWithParam<std::uint64_t> {};

// 2,000 flows, then 1,000 times one goes and now and then some come: after each twentieth step the
// rates are those of filling from nothing, to 1e-10.
TEST_P(LargeSystems, ManySmallChangesDoNotAddUp) {
  LargeSystem system(GetParam());
  MaxMinSolver solver(LargeSystem::capacities());
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

INSTANTIATE_TEST_SUITE_P(Seeds, LargeSystems, testing::Range<std::uint64_t>(0, 4));

}  // namespace
}  // namespace heddle::network
