#include "platform/topology/random_graphs.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"
#include "core/random.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Cables between switches while they are being drawn: which pairs are joined, and which switches
/// have ports left.
class Wiring {
 public:
  Wiring(std::uint32_t switches, std::uint32_t ports)
      : left_(switches, ports), open_(switches), place_(switches) {
    std::iota(open_.begin(), open_.end(), 0U);
    std::iota(place_.begin(), place_.end(), 0U);
  }

  const std::vector<Edge>& edges() const { return edges_; }

  /// Draws pairs until no two switches with ports left can be joined.
  void join_pairs(RandomStream& random) {
    std::size_t misses = 0;
    while (open_.size() > 1) {
      const std::uint32_t a = open_[random.below(open_.size())];
      const std::uint32_t b = open_[random.below(open_.size())];
      if (a != b && !joined(a, b)) {
        join(a, b);
        misses = 0;
      } else if (++misses > 20 * open_.size()) {
        if (!join_any()) return;
        misses = 0;
      }
    }
  }

  /// Lets ports that are left take the place of cables elsewhere: two of one switch, or one each of
  /// two that are joined already. False if no cable fits.
  bool fill(RandomStream& random) {
    while (!open_.empty()) {
      const std::uint32_t a = open_.front();
      const std::uint32_t b = left_[a] > 1 ? a : open_.back();
      if (left_[a] == 1 && a == b) return true;
      if (!replace(a, b, random)) return false;
    }
    return true;
  }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }
  bool joined(std::uint32_t a, std::uint32_t b) const { return joined_.contains(key(a, b)); }

  void join(std::uint32_t a, std::uint32_t b) {
    edges_.emplace_back(a, b);
    joined_.insert(key(a, b));
    for (const std::uint32_t s : {a, b}) {
      if (--left_[s] == 0) close(s);
    }
  }

  /// A switch has no port left.
  void close(std::uint32_t s) {
    const std::uint32_t last = open_.back();
    open_[place_[s]] = last;
    place_[last] = place_[s];
    open_.pop_back();
  }

  void free_port(std::uint32_t s) {
    if (left_[s]++ > 0) return;
    place_[s] = static_cast<std::uint32_t>(open_.size());
    open_.push_back(s);
  }

  bool join_any() {
    for (const std::uint32_t a : open_) {
      for (const std::uint32_t b : open_) {
        if (a != b && !joined(a, b)) {
          join(a, b);
          return true;
        }
      }
    }
    return false;
  }

  /// A cable x-y becomes x-a and b-y.
  bool replace(std::uint32_t a, std::uint32_t b, RandomStream& random) {
    const std::size_t first = random.below(edges_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const std::size_t at = (first + i) % edges_.size();
      const auto [x, y] = edges_[at];
      if (x == a || y == a || x == b || y == b || joined(x, a) || joined(y, b)) continue;
      joined_.erase(key(x, y));
      edges_[at] = edges_.back();
      edges_.pop_back();
      free_port(x);
      free_port(y);
      join(x, a);
      join(b, y);
      return true;
    }
    return false;
  }

  std::vector<std::uint32_t> left_;   ///< Ports, by switch.
  std::vector<std::uint32_t> open_;   ///< Switches that have some left.
  std::vector<std::uint32_t> place_;  ///< In open_, by switch.
  std::vector<Edge> edges_;
  std::unordered_set<std::uint64_t> joined_;
};

bool is_connected(std::uint32_t switches, const std::vector<Edge>& edges) {
  std::vector<std::uint32_t> head(switches);
  std::iota(head.begin(), head.end(), 0U);
  const auto root = [&head](std::uint32_t s) {
    while (head[s] != s) s = head[s] = head[head[s]];
    return s;
  };
  std::uint32_t parts = switches;
  for (const auto& [a, b] : edges) {
    const std::uint32_t one = root(a);
    const std::uint32_t other = root(b);
    if (one != other) --parts;
    head[one] = other;
  }
  return parts == 1;
}

/// Each vertex of a graph has a name of its own.
constexpr std::uint32_t kMostNamed = 1'000'000;

GraphPlan planned(std::uint32_t switches, std::int64_t nodes_per_switch, std::vector<Edge> edges) {
  const auto per_switch = static_cast<std::uint32_t>(nodes_per_switch);
  check_size(capped_product(switches, per_switch), switches,
             capped_product(switches, per_switch) + edges.size());
  const std::uint32_t nodes = switches * per_switch;
  if (nodes > kMostNamed) {
    throw ParamError({"nodes_per_switch"},
                     "the machine has " + std::to_string(nodes) + " nodes; accepted are at most " +
                         std::to_string(kMostNamed) + " where they are joined at random");
  }
  GraphPlan plan;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    plan.nodes.push_back("n" + std::to_string(n));
    plan.cables.push_back({VertexId{n}, VertexId{nodes + n / per_switch}, Time::zero(), "access"});
  }
  for (std::uint32_t s = 0; s < switches; ++s) plan.switches.push_back("s" + std::to_string(s));
  std::sort(edges.begin(), edges.end());
  for (const auto& [a, b] : edges) {
    plan.cables.push_back({VertexId{nodes + a}, VertexId{nodes + b}, Time::zero(), "cables"});
  }
  return plan;
}

void check_jellyfish(const JellyfishShape& shape) {
  check_list("switches", {shape.switches}, 1);
  check_list("nodes_per_switch", {shape.nodes_per_switch}, 1);
  check_list("ports", {shape.ports}, shape.switches > 1 ? 1 : 0);
  if (shape.ports >= shape.switches) {
    throw ParamError({"ports"}, "ports is " + std::to_string(shape.ports) + ", but there are " +
                                    std::to_string(shape.switches - 1) +
                                    " other switches; accepted is at most that");
  }
  check_size(1, 1, capped_product({shape.switches, shape.ports}));
}

constexpr std::uint64_t kAttempts = 16;

}  // namespace

GraphPlan jellyfish(const JellyfishShape& shape) {
  check_jellyfish(shape);
  const auto switches = static_cast<std::uint32_t>(shape.switches);
  const RandomStream seeded(shape.seed);
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    RandomStream random = seeded.split(attempt);
    Wiring wiring(switches, static_cast<std::uint32_t>(shape.ports));
    wiring.join_pairs(random);
    if (!wiring.fill(random) || !is_connected(switches, wiring.edges())) continue;
    GraphPlan plan = planned(switches, shape.nodes_per_switch, wiring.edges());
    plan.about =
        "Jellyfish, " + counted(switches, "switch", "switches") + " with " +
        counted(static_cast<std::uint64_t>(shape.ports), "cable", "cables") + " to others, " +
        counted(static_cast<std::uint64_t>(shape.nodes_per_switch), "node", "nodes") + " each";
    return plan;
  }
  throw ParamError({"ports"}, "with " + std::to_string(shape.ports) +
                                  " ports no connected graph of " + std::to_string(shape.switches) +
                                  " switches was found; accepted are more ports");
}

GraphPlan xpander(const XpanderShape& shape) {
  check_list("ports", {shape.ports}, 1);
  check_list("lift", {shape.lift}, 1);
  check_list("nodes_per_switch", {shape.nodes_per_switch}, 1);
  check_size(1, 1, capped_product({shape.ports + 1, shape.ports, shape.lift}));
  const auto groups = static_cast<std::uint32_t>(shape.ports + 1);
  const auto lift = static_cast<std::uint32_t>(shape.lift);
  RandomStream random(shape.seed);
  std::vector<Edge> edges;
  std::vector<std::uint32_t> partner(lift);
  for (std::uint32_t a = 0; a < groups; ++a) {
    for (std::uint32_t b = a + 1; b < groups; ++b) {
      std::iota(partner.begin(), partner.end(), 0U);
      for (std::uint32_t i = lift; i > 1; --i) std::swap(partner[i - 1], partner[random.below(i)]);
      for (std::uint32_t i = 0; i < lift; ++i) {
        edges.emplace_back(a * lift + i, b * lift + partner[i]);
      }
    }
  }
  if (!is_connected(groups * lift, edges)) {
    throw ParamError(
        {"ports", "seed"},
        "the switches are not all connected; accepted are more ports, or another seed");
  }
  GraphPlan plan = planned(groups * lift, shape.nodes_per_switch, std::move(edges));
  plan.about = "Xpander, " + counted(groups, "group", "groups") + " of " +
               counted(lift, "switch", "switches") + ", " +
               counted(static_cast<std::uint64_t>(shape.nodes_per_switch), "node", "nodes") +
               " each";
  return plan;
}

}  // namespace heddle::platform
