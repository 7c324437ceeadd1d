#include "traffic/pattern.hpp"

#include <bit>
#include <numeric>

#include "core/error.hpp"
#include "traffic/grid.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::traffic {
namespace {

using PatternPtr = std::unique_ptr<const Pattern>;

std::uint32_t number(NodeId node) {
  return static_cast<std::uint32_t>(node);
}

/// Any of `nodes` nodes but `self`, each as likely.
NodeId any_other(NodeId self, std::uint32_t nodes, RandomStream& random) {
  const auto draw = static_cast<std::uint32_t>(random.below(nodes - 1));
  return NodeId{draw + (draw >= number(self))};
}

[[noreturn]] void fail(std::string_view parameter, const std::string& problem) {
  throw ParamError({"traffic." + std::string(parameter)}, problem);
}

/// Throws unless the pattern has at least `least` nodes to work with.
void need_nodes(std::string_view pattern, std::uint32_t nodes, std::uint32_t least) {
  if (nodes >= least) return;
  fail("pattern", "'" + std::string(pattern) + "' needs at least " + std::to_string(least) +
                      " nodes; the platform has " + std::to_string(nodes));
}

class Uniform final : public Pattern {
 public:
  explicit Uniform(std::uint32_t nodes) : nodes_(nodes) {}
  bool sends(NodeId) const override { return true; }
  NodeId destination(NodeId source, std::uint64_t, RandomStream& random) const override {
    return any_other(source, nodes_, random);
  }

 private:
  std::uint32_t nodes_;
};

/// Every node always sends to the same one; those mapped to themselves are silent.
class FixedMap final : public Pattern {
 public:
  explicit FixedMap(std::vector<std::uint32_t> to) : to_(std::move(to)) {}
  bool sends(NodeId source) const override { return to_[index(source)] != number(source); }
  NodeId destination(NodeId source, std::uint64_t, RandomStream&) const override {
    return NodeId{to_[index(source)]};
  }

 private:
  std::vector<std::uint32_t> to_;
};

template <class Function>
PatternPtr fixed_map(std::uint32_t nodes, Function to) {
  std::vector<std::uint32_t> map(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) map[n] = to(n);
  return std::make_unique<FixedMap>(std::move(map));
}

class Hotspot final : public Pattern {
 public:
  Hotspot(const TrafficConfig& config, std::uint32_t nodes)
      : nodes_(nodes),
        hot_(static_cast<std::uint32_t>(config.hot_nodes)),
        target_(static_cast<std::uint32_t>(config.target)),
        fraction_(config.hot_fraction) {}
  bool sends(NodeId) const override { return true; }
  NodeId destination(NodeId source, std::uint64_t, RandomStream& random) const override {
    if (random.uniform() < fraction_) {
      const NodeId hot = hot_node(random.below(hot_));
      if (hot != source) return hot;
    }
    return any_other(source, nodes_, random);
  }

 private:
  NodeId hot_node(std::uint64_t i) const {
    return NodeId{static_cast<std::uint32_t>((target_ + i * nodes_ / hot_) % nodes_)};
  }
  std::uint32_t nodes_;
  std::uint32_t hot_;
  std::uint32_t target_;
  double fraction_;
};

/// To any node of the group that follows, around the end.
class NextGroup final : public Pattern {
 public:
  NextGroup(std::uint32_t nodes, std::uint32_t group) : nodes_(nodes), group_(group) {}
  bool sends(NodeId) const override { return true; }
  NodeId destination(NodeId source, std::uint64_t, RandomStream& random) const override {
    const std::uint32_t first = number(source) / group_ * group_ + group_;
    return NodeId{first % nodes_ + static_cast<std::uint32_t>(random.below(group_))};
  }

 private:
  std::uint32_t nodes_;
  std::uint32_t group_;
};

/// The `fan_in` nodes behind the target, around the end of the numbering, send to it.
class Incast final : public Pattern {
 public:
  Incast(std::uint32_t nodes, std::uint32_t target, std::uint32_t fan_in)
      : nodes_(nodes), target_(target), fan_in_(fan_in) {}
  bool sends(NodeId source) const override {
    const std::uint32_t distance = (number(source) + nodes_ - target_) % nodes_;
    return distance >= 1 && distance <= fan_in_;
  }
  NodeId destination(NodeId, std::uint64_t, RandomStream&) const override {
    return NodeId{target_};
  }

 private:
  std::uint32_t nodes_;
  std::uint32_t target_;
  std::uint32_t fan_in_;
};

/// Each node goes round all others, beginning behind itself, so that no two nodes send to the same
/// one in a round.
class AllToAll final : public Pattern {
 public:
  explicit AllToAll(std::uint32_t nodes) : nodes_(nodes) {}
  bool sends(NodeId) const override { return true; }
  NodeId destination(NodeId source, std::uint64_t k, RandomStream&) const override {
    const auto distance = static_cast<std::uint32_t>(k % (nodes_ - 1)) + 1;
    return NodeId{(number(source) + distance) % nodes_};
  }
  std::int64_t usual_messages() const override { return nodes_ - 1; }

 private:
  std::uint32_t nodes_;
};

/// Each node goes round its neighbours in a grid with joined edges: one step up and down each
/// dimension. Two steps that lead to the same node (an extent of 2) count once.
class Neighbours final : public Pattern {
 public:
  explicit Neighbours(Grid grid) : grid_(std::move(grid)) {
    for (std::size_t d = 0; d < grid_.extents().size(); ++d) {
      const std::uint32_t extent = grid_.extents()[d];
      if (extent >= 2) steps_.push_back({d, 1});
      if (extent >= 3) steps_.push_back({d, extent - 1});
    }
  }
  bool sends(NodeId) const override { return !steps_.empty(); }
  NodeId destination(NodeId source, std::uint64_t k, RandomStream&) const override {
    const Step& step = steps_[k % steps_.size()];
    return NodeId{grid_.moved(number(source), step.dimension, step.distance)};
  }
  std::int64_t usual_messages() const override { return static_cast<std::int64_t>(steps_.size()); }

 private:
  struct Step {
    std::size_t dimension;
    std::uint32_t distance;
  };
  Grid grid_;
  std::vector<Step> steps_;
};

PatternPtr make_uniform(const TrafficConfig&, std::uint32_t nodes, RandomStream) {
  need_nodes("uniform", nodes, 2);
  return std::make_unique<Uniform>(nodes);
}

PatternPtr make_permutation(const TrafficConfig&, std::uint32_t nodes, RandomStream random) {
  need_nodes("permutation", nodes, 2);
  std::vector<std::uint32_t> to(nodes);
  std::iota(to.begin(), to.end(), 0U);
  // Exchanging each entry with an earlier one only makes a single cycle: nobody keeps its own.
  for (std::uint32_t i = nodes - 1; i >= 1; --i) std::swap(to[i], to[random.below(i)]);
  return std::make_unique<FixedMap>(std::move(to));
}

PatternPtr make_shift(const TrafficConfig& config, std::uint32_t nodes, RandomStream) {
  need_nodes("shift", nodes, 2);
  if (config.shift >= nodes) {
    fail("shift", "'" + std::to_string(config.shift) + "' is too far: accepted is 1 to " +
                      std::to_string(nodes - 1) + " on this platform");
  }
  const auto distance = static_cast<std::uint32_t>(config.shift);
  return fixed_map(nodes, [=](std::uint32_t n) { return (n + distance) % nodes; });
}

PatternPtr make_next_group(const TrafficConfig& config, std::uint32_t nodes, RandomStream) {
  if (nodes % config.group != 0 || nodes / config.group < 2) {
    fail("group", "there are " + std::to_string(nodes) +
                      " nodes, which are not two or more groups of " +
                      std::to_string(config.group) + ": accepted is a part of their number");
  }
  return std::make_unique<NextGroup>(nodes, static_cast<std::uint32_t>(config.group));
}

PatternPtr make_tornado(const TrafficConfig& config, std::uint32_t nodes, RandomStream) {
  need_nodes("tornado", nodes, 3);
  const Grid grid(config.grid == "auto" ? "1d" : config.grid, nodes);
  return fixed_map(nodes, [&](std::uint32_t n) {
    for (std::size_t d = 0; d < grid.extents().size(); ++d) {
      n = grid.moved(n, d, (grid.extents()[d] + 1) / 2 - 1);
    }
    return n;
  });
}

void need_power_of_two(std::string_view pattern, std::uint32_t nodes) {
  need_nodes(pattern, nodes, 2);
  if (std::has_single_bit(nodes)) return;
  fail("pattern", "'" + std::string(pattern) +
                      "' needs a number of nodes that is a power of two; the platform has " +
                      std::to_string(nodes) + ", the next accepted are " +
                      std::to_string(std::bit_floor(nodes)) + " and " +
                      std::to_string(std::uint64_t{std::bit_floor(nodes)} * 2));
}

PatternPtr make_bit_reverse(const TrafficConfig&, std::uint32_t nodes, RandomStream) {
  need_nodes("bit-reverse", nodes, 4);  // Of two, both would send to themselves.
  need_power_of_two("bit-reverse", nodes);
  const int bits = std::countr_zero(nodes);
  return fixed_map(nodes, [bits](std::uint32_t n) {
    std::uint32_t reversed = 0;
    for (int b = 0; b < bits; ++b) reversed |= (n >> b & 1U) << (bits - 1 - b);
    return reversed;
  });
}

PatternPtr make_bit_complement(const TrafficConfig&, std::uint32_t nodes, RandomStream) {
  need_power_of_two("bit-complement", nodes);
  return fixed_map(nodes, [nodes](std::uint32_t n) { return nodes - 1 - n; });
}

PatternPtr make_transpose(const TrafficConfig&, std::uint32_t nodes, RandomStream) {
  need_nodes("transpose", nodes, 4);
  std::uint64_t side = 1;
  while (side * side < nodes) ++side;
  if (side * side != nodes) {
    fail("pattern", "'transpose' needs a square number of nodes; the platform has " +
                        std::to_string(nodes) + ", the next accepted are " +
                        std::to_string((side - 1) * (side - 1)) + " and " +
                        std::to_string(side * side));
  }
  const auto s = static_cast<std::uint32_t>(side);
  return fixed_map(nodes, [s](std::uint32_t n) { return n % s * s + n / s; });
}

void need_target(const TrafficConfig& config, std::uint32_t nodes) {
  if (config.target < nodes) return;
  fail("target", "there is no node '" + std::to_string(config.target) + "': accepted is 0 to " +
                     std::to_string(nodes - 1));
}

PatternPtr make_hotspot(const TrafficConfig& config, std::uint32_t nodes, RandomStream) {
  need_nodes("hotspot", nodes, 2);
  need_target(config, nodes);
  if (config.hot_nodes > nodes) {
    fail("hot_nodes", "'" + std::to_string(config.hot_nodes) +
                          "' is more than the platform has: accepted is 1 to " +
                          std::to_string(nodes));
  }
  return std::make_unique<Hotspot>(config, nodes);
}

PatternPtr make_incast(const TrafficConfig& config, std::uint32_t nodes, RandomStream) {
  need_nodes("incast", nodes, 2);
  need_target(config, nodes);
  const std::int64_t fan_in = config.fan_in.value_or(nodes - 1);
  if (fan_in >= nodes) {
    fail("fan_in", "'" + std::to_string(fan_in) + "' is too many: accepted is 1 to " +
                       std::to_string(nodes - 1) + " on this platform");
  }
  return std::make_unique<Incast>(nodes, static_cast<std::uint32_t>(config.target),
                                  static_cast<std::uint32_t>(fan_in));
}

PatternPtr make_all_to_all(const TrafficConfig&, std::uint32_t nodes, RandomStream) {
  need_nodes("all-to-all", nodes, 2);
  return std::make_unique<AllToAll>(nodes);
}

PatternPtr make_neighbours(const TrafficConfig& config, std::uint32_t nodes, RandomStream) {
  need_nodes("neighbours", nodes, 2);
  return std::make_unique<Neighbours>(Grid(config.grid == "auto" ? "3d" : config.grid, nodes));
}

}  // namespace

const std::vector<PatternKind>& pattern_kinds() {
  static const std::vector<PatternKind> kinds = {
      {"uniform", "each message to any other node, each as likely", make_uniform},
      {"permutation", "each node to one other, drawn once: a random cycle through all nodes",
       make_permutation},
      {"shift", "node i to i + shift, around the end", make_shift},
      {"next-group", "each message to any node of the next group of nodes, each as likely",
       make_next_group},
      {"tornado", "almost half way round each dimension of the grid", make_tornado},
      {"bit-reverse", "the bits of the node's number in reverse order (a power of two of nodes)",
       make_bit_reverse},
      {"bit-complement", "the bits of the node's number inverted (a power of two of nodes)",
       make_bit_complement},
      {"transpose", "row and column of the node's number exchanged (a square number of nodes)",
       make_transpose},
      {"hotspot", "a fraction to one or a few hot nodes, the rest uniform", make_hotspot},
      {"incast", "many nodes to one", make_incast},
      {"all-to-all", "each node to all others in turn", make_all_to_all},
      {"neighbours", "each node to its neighbours in a grid in turn", make_neighbours},
      {"file", "the messages of a traffic file", nullptr},
  };
  return kinds;
}

PatternPtr make_pattern(const TrafficConfig& config, std::uint32_t nodes, RandomStream random) {
  for (const PatternKind& kind : pattern_kinds()) {
    if (kind.name == config.pattern && kind.make != nullptr) {
      return kind.make(config, nodes, random);
    }
  }
  fail("pattern", "'" + config.pattern + "' does not choose destinations");
}

std::vector<NodeId> senders_of(const Pattern& pattern, std::uint32_t nodes) {
  std::vector<NodeId> senders;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (pattern.sends(NodeId{n})) senders.push_back(NodeId{n});
  }
  if (senders.empty()) {
    throw ParamError({"traffic.pattern"}, "no node sends anything with this pattern");
  }
  return senders;
}

}  // namespace heddle::traffic
