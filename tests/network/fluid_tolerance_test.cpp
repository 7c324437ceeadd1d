// Shares found with a tolerance: those of a machine that differs from the given one by no more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "network/max_min_systems.hpp"
#include "network/support.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

using Element = MaxMinSolver::Element;
using Variable = MaxMinSolver::Variable;

/// A machine and the flows on it, by variable of the solver.
class Machine {
 public:
  Machine(std::uint64_t seed, double tolerance)
      : random_(seed), tolerance_(tolerance), capacities_(random_capacities()) {
    solver_.emplace(capacities_, tolerance);
  }

  void change_something() {
    const bool add = flows_.empty() || random_.below(flows_.size() < 60 ? 3 : 5) < 2;
    if (add) return add_flow();
    const auto variable = random_entry(random_, flows_);
    if (random_.below(3) == 0) {
      variable->second.multiplicity = 1 + static_cast<std::uint32_t>(random_.below(4));
      return solver_->set_multiplicity(variable->first, variable->second.multiplicity);
    }
    solver_->remove(variable->first);
    flows_.erase(variable);
  }
  void solve() { solver_->solve(); }

  /// The capacities of the machine whose max-min shares the rates are: what is used of links that
  /// hold flows; at least that of the others.
  std::vector<double> capacities_of_the_shares() const {
    std::vector<double> load(capacities_.size());
    std::vector<bool> holds(capacities_.size());
    for (const auto& [variable, flow] : flows_) {
      const auto holder = solver_->holder(variable);
      if (holder != MaxMinSolver::kBound) holds[holder] = true;
      for (const Element& e : flow.elements) {
        load[e.constraint] += e.coefficient * flow.multiplicity * solver_->rate(variable);
      }
    }
    for (std::size_t c = 0; c < load.size(); ++c) {
      if (!holds[c]) load[c] = std::max(load[c], capacities_[c]);
    }
    return load;
  }
  void expect_near(const std::vector<double>& capacities) const {
    for (std::size_t c = 0; c < capacities.size(); ++c) {
      ASSERT_LE(std::abs(capacities[c] / capacities_[c] - 1), tolerance_ * (1 + 1e-9))
          << "link " << c;
    }
  }
  /// Solves the machine with these capacities from nothing and without a tolerance.
  void expect_exact_shares(const std::vector<double>& capacities) const {
    MaxMinSolver exact(capacities);
    std::map<Variable, Variable> counterpart;
    for (const auto& [variable, flow] : flows_) {
      counterpart[variable] = add(exact, flow);
    }
    exact.solve();
    for (const auto& [variable, other] : counterpart) {
      ASSERT_NEAR(solver_->rate(variable), exact.rate(other), 1e-8 * exact.rate(other));
    }
  }

 private:
  std::vector<double> random_capacities() {
    std::vector<double> result(1 + random_.below(30));
    for (double& c : result) c = random_capacity(random_);
    return result;
  }
  void add_flow() {
    const MaxMinFlow flow = random_flow(random_, capacities_.size());
    flows_[add(*solver_, flow)] = flow;
  }

  RandomStream random_;
  double tolerance_;
  std::vector<double> capacities_;
  std::optional<MaxMinSolver> solver_;
  std::map<Variable, MaxMinFlow> flows_;
};

class Tolerances : public testing::TestWithParam<std::uint64_t> {};

// Whatever came and went before, the rates are the max-min shares of a machine whose capacities
// differ from the given ones by no more than the tolerance: those that are used up where a link
// holds flows back, and at least the given ones elsewhere. The shares of that machine are found
// from nothing, exactly.
TEST_P(Tolerances, SharesAreThoseOfAMachineThatDiffersByNoMore) {
  for (const double tolerance : {1e-4, 1e-2, MaxMinSolver::kMostTolerance}) {
    Machine machine(GetParam(), tolerance);
    for (int i = 0; i < 40; ++i) machine.change_something();
    for (int step = 0; step < 200; ++step) {
      machine.change_something();
      machine.solve();
      const std::vector<double> capacities = machine.capacities_of_the_shares();
      machine.expect_near(capacities);
      machine.expect_exact_shares(capacities);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Tolerances, testing::Range<std::uint64_t>(0, 40));

/// Flows between random ends of a tree of 256 nodes and full bisection, all at once.
struct Outcome {
  std::vector<double> ends;   ///< By flow.
  double levels_per_end = 0;  ///< Levels that changed because a flow ended, on average.
};

Outcome transfer_all(std::size_t flows, double tolerance) {
  constexpr std::uint32_t kEnds = 256;
  constexpr std::uint32_t kLeaves = 16;
  RandomStream random(flows);
  MaxMinSolver solver(std::vector<double>(4 * kEnds, 1), tolerance);
  Outcome outcome;
  outcome.ends.resize(flows);
  std::vector<double> left(flows);
  std::vector<Variable> under_way;
  for (std::size_t f = 0; f < flows; ++f) {
    const auto from = static_cast<std::uint32_t>(random.below(kEnds));
    const auto to = static_cast<std::uint32_t>(random.below(kEnds));
    left[f] = 1 + 9 * random.uniform();
    const std::uint32_t up = from / kLeaves * kLeaves + to % kLeaves;
    const std::uint32_t down = to % kLeaves * kLeaves + to / kLeaves;
    const std::vector<Element> route{
        {from, 1}, {kEnds + up, 1}, {2 * kEnds + down, 1}, {3 * kEnds + to, 1}};
    under_way.push_back(solver.add(route, 1, MaxMinSolver::kUnbounded, 1));
  }
  solver.solve();
  const auto time_of = [&](Variable v) { return left[v] / solver.rate(v); };
  for (double now = 0; !under_way.empty();) {
    const auto first = std::ranges::min_element(under_way, {}, time_of);
    const double step = time_of(*first);
    for (const Variable v : under_way) left[v] -= step * solver.rate(v);
    outcome.ends[*first] = now += step;
    solver.remove(*first);
    under_way.erase(first);
    outcome.levels_per_end += static_cast<double>(solver.solve().levels.size());
  }
  outcome.levels_per_end /= static_cast<double>(flows);
  return outcome;
}

// How far the ends of flows are off is not bounded by the tolerance, but on average it is far
// below: here it is asked to be below a half of it on average, and below ten times of it for
// each flow. Fewer levels change, which is what the solution costs.
TEST(FluidTolerance, EndsAreNearTheExactOnesAndFewerLevelsChange) {
  constexpr std::size_t kFlows = 2500;
  const Outcome exact = transfer_all(kFlows, 0);
  for (const double tolerance : {1e-4, 1e-3, 1e-2}) {
    const Outcome outcome = transfer_all(kFlows, tolerance);
    double sum = 0;
    double most = 0;
    for (std::size_t f = 0; f < kFlows; ++f) {
      const double error = std::abs(outcome.ends[f] / exact.ends[f] - 1);
      sum += error;
      most = std::max(most, error);
    }
    const double mean = sum / kFlows;
    EXPECT_LT(mean, tolerance / 2);
    EXPECT_LT(most, 10 * tolerance);
    EXPECT_LT(outcome.levels_per_end, exact.levels_per_end);
    validation_row("Fluid network with a tolerance against the exact solution",
                   fmt::format("{} flows at once, tree of 256 nodes, tolerance {}: {:.1f} levels "
                               "change per end of a flow, exactly {:.1f}",
                               kFlows, tolerance, outcome.levels_per_end, exact.levels_per_end),
                   "finish times", "finish times",
                   fmt::format("{:.1e} on average, {:.1e} at most", mean, most),
                   fmt::format("{:.0e} on average, {:.0e} at most", tolerance / 2, 10 * tolerance));
  }
}

/// When the last of six messages of one node to two others ends.
Time last_end(const std::vector<std::string>& assignments) {
  const platform::Platform machine = star(3);
  Bed bed("fluid", machine, assignments);
  for (std::uint32_t to : {1U, 2U}) {
    for (int i = 0; i < 3; ++i) {
      Transfer transfer{{NodeId{0}}, {NodeId{to}}, Bytes(1'000'000 + 1000 * i)};
      transfer.client = &bed.recorder;
      transfer.cookie = 3 * to + static_cast<std::uint64_t>(i);
      bed.network->start(transfer);
    }
  }
  bed.simulation.run();
  return bed.simulation.now();
}

// A tolerance of 0 is what is computed without one. The cable of the sender is all that decides:
// with a tolerance it carries at most that part more or less, so the last end is off by no more.
TEST(FluidTolerance, ZeroIsExact) {
  EXPECT_EQ(last_end({"fluid.tolerance=0"}), last_end({}));
  const double exact = last_end({}).seconds();
  EXPECT_NEAR(last_end({"fluid.tolerance=0.01"}).seconds(), exact, 0.01 * exact);
}

}  // namespace
}  // namespace heddle::network
