#include "platform/figures/bisection.hpp"
#include "core/containers/distinct_values.hpp"
#include "platform/failures/degraded_fabric.hpp"
#include "platform/topology/cut_proposal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace heddle::platform {
namespace {

constexpr int kPasses = 8;
/// Exchanges in one pass, times the links of the fabric: bounds the time on large machines.
constexpr std::size_t kWorkPerPass = 20'000'000;
/// Fewer exchanges than this among millions of cables are not worth a pass.
constexpr std::size_t kFewestSteps = 8;
/// Fabrics with more links are not searched.
constexpr std::uint32_t kMostLinks = 1U << 24;
/// Exchanges compare so many of the most promising candidates of each side.
constexpr std::size_t kCandidates = 24;

/// Vertices and what their cables carry.
class Weights {
 public:
  /// There are millions of them.
  struct Edge {
    std::uint32_t to;
    std::uint32_t weight;  ///< Its number: there are few different ones.
  };

  explicit Weights(const Platform& platform) : first_(platform.topology().vertices() + 1) {
    const Topology& topology = platform.topology();
    for (std::uint32_t link = 0; link < topology.links(); ++link) {
      ++first_[index(topology.ends(LinkId{link}).from) + 1];
    }
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    edges_.resize(topology.links());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(LinkId{link});
      const std::int64_t weight = platform.cable(link / 2).bandwidth.bits_per_second();
      edges_[next[index(ends.from)]++] = {static_cast<std::uint32_t>(ends.to),
                                          weights_.number_of(weight)};
    }
  }
  std::span<const Edge> of(std::uint32_t v) const {
    return {edges_.data() + first_[v], edges_.data() + first_[v + 1]};
  }
  [[gnu::always_inline]] std::int64_t of(const Edge& edge) const { return weights_[edge.weight]; }
  std::uint32_t vertices() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::size_t edges() const { return edges_.size(); }

 private:
  DistinctValues<std::int64_t> weights_;
  std::vector<std::uint32_t> first_;  ///< Into edges_, by vertex.
  std::vector<Edge> edges_;
};

using Sides = std::vector<std::uint8_t>;  ///< 0 or 1, by vertex.

/// What crossing cables carry less when `v` alone changes sides.
std::int64_t gain_of_vertex(const Weights& weights, const Sides& sides, std::uint32_t v) {
  std::int64_t gain = 0;
  for (const auto& edge : weights.of(v)) {
    gain += sides[edge.to] != sides[v] ? weights.of(edge) : -weights.of(edge);
  }
  return gain;
}

/// What moves as a whole: a switch with its nodes, or a node of a switch whose nodes are divided.
struct Unit {
  std::vector<std::uint32_t> members;
  std::uint32_t nodes = 0;
};

constexpr std::uint32_t kNoUnit = UINT32_MAX;

/// A pass of exchanges of units between the two sides. What each unit would gain by moving alone is
/// kept up as others move.
class Exchange {
 public:
  Exchange(const Weights& weights, Sides& sides, std::vector<Unit> units)
      : weights_(weights),
        sides_(sides),
        units_(std::move(units)),
        unit_of_(weights.vertices(), kNoUnit),
        gain_(units_.size()),
        joined_(units_.size()) {
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      for (const std::uint32_t v : units_[u].members) unit_of_[v] = u;
    }
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      for_edges_of(u, [&](std::uint32_t v, const Weights::Edge& edge) {
        gain_[u] += sides_[edge.to] != sides_[v] ? weights_.of(edge) : -weights_.of(edge);
      });
      free_[side(u)].insert({-gain_[u], u});
    }
  }

  /// Makes the best sequence of at most `steps` exchanges; false if none narrows the cut.
  bool run(std::size_t steps);

 private:
  struct Pair {
    std::uint32_t a = kNoUnit;
    std::uint32_t b = kNoUnit;
    std::int64_t gain = 0;
  };
  /// Units that have not moved yet, the greatest gain first, then the lowest number.
  using Free = std::set<std::pair<std::int64_t, std::uint32_t>>;

  std::uint8_t side(std::uint32_t u) const { return sides_[units_[u].members[0]]; }
  /// Calls `use` with each edge that leads out of the unit, and the member at its beginning.
  template <class Use>
  void for_edges_of(std::uint32_t u, Use use) const {
    for (const std::uint32_t v : units_[u].members) {
      for (const Weights::Edge& edge : weights_.of(v)) {
        if (unit_of_[edge.to] != u) use(v, edge);
      }
    }
  }
  static std::vector<std::uint32_t> candidates(const Free& free) {
    std::vector<std::uint32_t> best;
    for (auto it = free.begin(); it != free.end() && best.size() < kCandidates; ++it) {
      best.push_back(it->second);
    }
    return best;
  }
  Pair best_pair();
  void move(std::uint32_t u) {
    for (const std::uint32_t v : units_[u].members) sides_[v] ^= 1;
  }
  void move_for_good(std::uint32_t u);

  const Weights& weights_;
  Sides& sides_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> unit_of_;  ///< By vertex.
  std::vector<std::int64_t> gain_;      ///< By unit.
  std::vector<std::int64_t> joined_;    ///< By unit: what joins it to the one looked at, else 0.
  Free free_[2];                        ///< By side.
};

/// Both gain what they gain alone, but for the cables between them, which cross before and after.
Exchange::Pair Exchange::best_pair() {
  Pair best;
  const std::vector<std::uint32_t> others = candidates(free_[1]);
  for (const std::uint32_t a : candidates(free_[0])) {
    const auto join = [&](std::int64_t sign) {
      for_edges_of(a, [&](std::uint32_t, const Weights::Edge& edge) {
        if (unit_of_[edge.to] != kNoUnit) joined_[unit_of_[edge.to]] += sign * weights_.of(edge);
      });
    };
    join(1);
    for (const std::uint32_t b : others) {
      if (units_[a].nodes != units_[b].nodes) continue;
      const std::int64_t gain = gain_[a] + gain_[b] - 2 * joined_[b];
      if (best.a == kNoUnit || gain > best.gain) best = {a, b, gain};
    }
    join(-1);
  }
  return best;
}

void Exchange::move_for_good(std::uint32_t u) {
  free_[side(u)].erase({-gain_[u], u});
  move(u);
  for_edges_of(u, [&](std::uint32_t v, const Weights::Edge& edge) {
    const std::uint32_t other = unit_of_[edge.to];
    if (other == kNoUnit) return;
    const bool free = free_[side(other)].erase({-gain_[other], other}) > 0;
    gain_[other] += 2 * (sides_[edge.to] != sides_[v] ? weights_.of(edge) : -weights_.of(edge));
    if (free) free_[side(other)].insert({-gain_[other], other});
  });
}

bool Exchange::run(std::size_t steps) {
  std::vector<Pair> made;
  std::int64_t total = 0;
  std::int64_t best_total = 0;
  std::size_t best_length = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const Pair pair = best_pair();
    if (pair.a == kNoUnit) break;
    total += pair.gain;
    move_for_good(pair.a);
    move_for_good(pair.b);
    made.push_back(pair);
    if (total <= best_total) continue;
    best_total = total;
    best_length = made.size();
  }
  for (std::size_t i = best_length; i < made.size(); ++i) {
    move(made[i].a);
    move(made[i].b);
  }
  return best_total > 0;
}

class Cut {
 public:
  Cut(const Weights& weights, std::uint32_t nodes, Sides sides)
      : weights_(weights), nodes_(nodes), sides_(std::move(sides)) {}

  void improve() {
    settle_switches();
    for (int pass = 0; pass < kPasses && exchange(); ++pass) settle_switches();
  }

  std::int64_t width() const {
    std::int64_t width = 0;
    for_crossing([&width](std::int64_t weight) { width += weight; });
    return width;
  }
  std::uint64_t cables() const {
    std::uint64_t cables = 0;
    for_crossing([&cables](std::int64_t) { ++cables; });
    return cables;
  }

 private:
  template <class Use>
  void for_crossing(Use use) const {
    for (std::uint32_t v = 0; v < weights_.vertices(); ++v) {
      if (sides_[v] != 0) continue;
      for (const auto& edge : weights_.of(v)) {
        if (sides_[edge.to] != 0) use(weights_.of(edge));
      }
    }
  }

  /// Switches are free to stand on either side: moves each to where it is better, while any gains.
  void settle_switches() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t s = nodes_; s < weights_.vertices(); ++s) {
        if (gain_of_vertex(weights_, sides_, s) <= 0) continue;
        sides_[s] ^= 1;
        moved = true;
      }
    }
  }

  std::vector<Unit> units() const;
  /// Makes the best sequence of exchanges; false if none narrows the cut.
  bool exchange();

  const Weights& weights_;
  std::uint32_t nodes_;
  Sides sides_;
};

std::vector<Unit> Cut::units() const {
  std::vector<Unit> units;
  std::vector<bool> taken(nodes_, false);
  for (std::uint32_t s = nodes_; s < weights_.vertices(); ++s) {
    Unit unit;
    bool divided = false;
    for (const auto& edge : weights_.of(s)) {
      if (edge.to >= nodes_ || taken[edge.to]) continue;
      divided |= sides_[edge.to] != sides_[s];
      unit.members.push_back(edge.to);
    }
    std::sort(unit.members.begin(), unit.members.end());
    unit.members.erase(std::unique(unit.members.begin(), unit.members.end()), unit.members.end());
    unit.nodes = static_cast<std::uint32_t>(unit.members.size());
    if (divided || unit.nodes == 0) continue;
    for (const std::uint32_t v : unit.members) taken[v] = true;
    unit.members.push_back(s);
    units.push_back(std::move(unit));
  }
  for (std::uint32_t v = 0; v < nodes_; ++v) {
    if (!taken[v]) units.push_back({{v}, 1});
  }
  return units;
}

bool Cut::exchange() {
  const std::size_t most = kWorkPerPass / (weights_.edges() + 1);
  if (most < kFewestSteps) return false;
  std::vector<Unit> all = units();
  const std::size_t steps = std::min(all.size() / 2, most);
  return Exchange(weights_, sides_, std::move(all)).run(steps);
}

/// Vertices in the order of a search from `start`; those out of reach last.
std::vector<std::uint32_t> grown_from(const Weights& weights, std::uint32_t start) {
  std::vector<std::uint8_t> seen(weights.vertices(), 0);
  std::vector<std::uint32_t> order;
  const auto visit = [&](std::uint32_t v) {
    if (seen[v] == 0) order.push_back(v);
    seen[v] = 1;
  };
  visit(start);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const auto& edge : weights.of(order[i])) visit(edge.to);
  }
  for (std::uint32_t v = 0; v < weights.vertices(); ++v) visit(v);
  return order;
}

/// Vertices from left to right, or from top to bottom, of a drawing; nothing if there is none.
std::vector<std::uint32_t> by_place(const Topology& topology, double Point::*axis) {
  // In whole steps, since the last bits of sines differ between machines.
  std::vector<std::pair<long long, std::uint32_t>> places;
  for (std::uint32_t v = 0; v < topology.vertices(); ++v) {
    const auto place = topology.position(VertexId{v});
    if (!place) return {};
    places.emplace_back(std::llround((*place).*axis * 1000), v);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> order;
  for (const auto& [place, v] : places) order.push_back(v);
  return order;
}

/// Puts the last half of the nodes in `order` on side 1, all other vertices on side 0.
Sides halves_of_nodes(const std::vector<std::uint32_t>& order, std::uint32_t nodes) {
  Sides sides(order.size(), 0);
  std::uint32_t first = 0;
  for (const std::uint32_t v : order) {
    if (v < nodes && first++ >= (nodes + 1) / 2) sides[v] = 1;
  }
  return sides;
}

/// Places each switch where most of its cables lead, going out from the nodes: those one cable away
/// look at the nodes, those two away at these, and so on.
void place_switches(const Weights& weights, std::uint32_t nodes, Sides& sides) {
  constexpr std::uint32_t kUnknown = UINT32_MAX;
  std::vector<std::uint32_t> ring(weights.vertices(), kUnknown);
  std::vector<std::uint32_t> queue(nodes);
  std::iota(queue.begin(), queue.end(), 0U);
  for (const std::uint32_t v : queue) ring[v] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const auto& edge : weights.of(queue[i])) {
      const std::uint32_t s = edge.to;
      if (ring[s] != kUnknown) continue;
      ring[s] = ring[queue[i]] + 1;
      std::int64_t balance = 0;
      for (const auto& from : weights.of(s)) {
        if (ring[from.to] >= ring[s]) continue;
        balance += sides[from.to] == 0 ? weights.of(from) : -weights.of(from);
      }
      sides[s] = balance >= 0 ? 0 : 1;
      queue.push_back(s);
    }
  }
}

/// As the topology proposes it; nothing if it does not.
std::vector<std::uint32_t> proposed_order(const Topology& topology) {
  const auto* const degraded = dynamic_cast<const DegradedFabric*>(&topology);
  const Topology& whole = degraded == nullptr ? topology : degraded->whole();
  const auto* const proposal = dynamic_cast<const CutProposal*>(&whole);
  if (proposal == nullptr) return {};
  std::vector<std::uint32_t> order = proposal->cut_order();
  for (std::uint32_t v = topology.nodes(); v < topology.vertices(); ++v) order.push_back(v);
  return order;
}

/// Calls `use` with orders of the vertices, of each of which the first half may be one side of a
/// narrow cut. Some are empty.
template <class Use>
void for_each_order(const Topology& topology, const Weights& weights, Use use) {
  std::vector<std::uint32_t> by_number(topology.vertices());
  std::iota(by_number.begin(), by_number.end(), 0U);
  use(by_number);
  const std::vector<std::uint32_t> grown = grown_from(weights, 0);
  use(grown);
  use(grown_from(weights, grown.back()));
  use(by_place(topology, &Point::x));
  use(by_place(topology, &Point::y));
  use(proposed_order(topology));
}

bool can_be_searched(const Topology& topology) {
  if (topology.links() > kMostLinks) return false;
  for (std::uint32_t link = 0; link < topology.links(); ++link) {
    if (topology.ends(LinkId{link}).from == kNoVertex) return false;
  }
  return true;
}

}  // namespace

std::optional<Bisection> narrowest_cut_found(const Platform& platform) {
  const std::uint32_t nodes = platform.nodes();
  if (nodes < 2 || !can_be_searched(platform.topology())) return std::nullopt;
  const Weights weights(platform);
  std::optional<Bisection> best;
  const auto try_from = [&](Sides start) {
    Cut cut(weights, nodes, std::move(start));
    cut.improve();
    const Bandwidth width = Bandwidth::bits_per_second(cut.width());
    if (!best || width < best->bandwidth) best = Bisection{width, cut.cables(), false};
  };
  for_each_order(platform.topology(), weights, [&](const std::vector<std::uint32_t>& order) {
    if (order.empty()) return;
    Sides sides = halves_of_nodes(order, nodes);
    try_from(sides);
    place_switches(weights, nodes, sides);
    try_from(std::move(sides));
  });
  return best;
}

}  // namespace heddle::platform
