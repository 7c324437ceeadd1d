// Systems of flows on links, and their shares found as plainly as can be: what tests of the solver
// have in common.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "core/random.hpp"
#include "network/fluid/max_min_solver.hpp"

namespace heddle::network {

struct MaxMinFlow {
  std::vector<MaxMinSolver::Element> elements;
  double weight = 1;
  double bound = MaxMinSolver::kUnbounded;
  std::uint32_t multiplicity = 1;
};

inline MaxMinSolver::Variable add(MaxMinSolver& solver, const MaxMinFlow& flow) {
  return solver.add(flow.elements, flow.weight, flow.bound, flow.multiplicity);
}

/// Progressive filling, written as plainly as it can be: in each round the lowest level at which
/// some constraint is full or some flow at its bound, found by looking at everything.
class PlainFilling {
 public:
  PlainFilling(const std::vector<double>& capacities, const std::vector<MaxMinFlow>& flows)
      : capacities_(capacities), flows_(flows), rates_(flows.size(), -1) {}

  std::vector<double> rates() {
    for (;;) {
      double level = MaxMinSolver::kUnbounded;
      for (std::size_t c = 0; c < capacities_.size(); ++c) level = std::min(level, full_at(c));
      for (std::size_t f = 0; f < flows_.size(); ++f) {
        if (rates_[f] < 0) level = std::min(level, flows_[f].bound / flows_[f].weight);
      }
      if (level == MaxMinSolver::kUnbounded) return rates_;
      freeze(level * (1 + 1e-13));
    }
  }

 private:
  static double coefficient(const MaxMinFlow& flow, std::size_t constraint) {
    for (const MaxMinSolver::Element& e : flow.elements) {
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
    return slope > 0 ? remaining / slope : MaxMinSolver::kUnbounded;
  }
  void freeze(double level) {
    std::vector<bool> full(capacities_.size());
    for (std::size_t c = 0; c < capacities_.size(); ++c) full[c] = full_at(c) <= level;
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      if (rates_[f] >= 0) continue;
      bool stop = flows_[f].bound / flows_[f].weight <= level;
      for (const MaxMinSolver::Element& e : flows_[f].elements) stop = stop || full[e.constraint];
      if (stop) rates_[f] = std::min(level * flows_[f].weight, flows_[f].bound);
    }
  }

  const std::vector<double>& capacities_;
  const std::vector<MaxMinFlow>& flows_;
  std::vector<double> rates_;
};

/// A capacity of 10, which many links have, or any from 1 to 21.
inline double random_capacity(RandomStream& random) {
  return random.below(2) ? 10 : 1 + 20 * random.uniform();
}

/// Up to four links, some of them loaded weakly, any weight, perhaps a bound.
inline MaxMinFlow random_flow(RandomStream& random, std::size_t links) {
  MaxMinFlow flow;
  std::map<std::uint32_t, double> loads;
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
    loads[static_cast<std::uint32_t>(random.below(links))] += random.below(4) == 0 ? 0.05 : 1;
  }
  for (const auto& [constraint, load] : loads) flow.elements.push_back({constraint, load});
  if (random.below(2)) flow.weight = 0.1 + 10 * random.uniform();
  if (random.below(3) == 0) flow.bound = 0.05 + 5 * random.uniform();
  return flow;
}

/// One of those in a map.
template <class Map>
typename Map::iterator random_entry(RandomStream& random, Map& map) {
  return std::next(map.begin(), static_cast<long>(random.below(map.size())));
}

}  // namespace heddle::network
