#include "network/parts/fabric_cut.hpp"

#include <algorithm>
#include <limits>

namespace heddle::network {
namespace {

using platform::LinkEnds;
using platform::Platform;
using platform::Topology;

constexpr std::uint16_t kNoPart = FabricCut::kNoPart;
constexpr std::uint16_t kSeveralParts = kNoPart - 1;

LinkEnds ends_of(const Topology& topology, std::uint32_t link) {
  return topology.ends(LinkId{link});
}

/// The vertices next to each one.
class Neighbours {
 public:
  explicit Neighbours(const Topology& topology) : begins_(topology.vertices() + std::size_t{1}, 0) {
    for (std::uint32_t l = 0; l < topology.links(); ++l) {
      ++begins_[index(ends_of(topology, l).from) + 1];
    }
    for (std::size_t v = 1; v < begins_.size(); ++v) begins_[v] += begins_[v - 1];
    all_.resize(topology.links());
    std::vector<std::uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (std::uint32_t l = 0; l < topology.links(); ++l) {
      const LinkEnds ends = ends_of(topology, l);
      all_[next[index(ends.from)]++] = static_cast<std::uint32_t>(ends.to);
    }
  }
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(all_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
  }

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> all_;
};

/// Places switches layer by layer, away from the nodes.
class SwitchPlacer {
 public:
  SwitchPlacer(const Topology& topology, std::size_t parts, std::vector<std::uint16_t>& part_of)
      : neighbours_(topology), part_of_(part_of), votes_(parts), placed_(parts) {
    for (std::uint32_t v = 0; v < topology.nodes(); ++v) layer_.push_back(v);
  }

  void place() {
    while (!layer_.empty()) {
      const std::vector<std::uint32_t> next = unplaced_next_to_layer();
      std::fill(placed_.begin(), placed_.end(), 0);
      std::vector<std::uint16_t> choices;
      for (const std::uint32_t v : next) choices.push_back(choose(v));
      for (std::size_t i = 0; i < next.size(); ++i) part_of_[next[i]] = choices[i];
      layer_ = next;
    }
    std::replace(part_of_.begin(), part_of_.end(), kNoPart, std::uint16_t{0});
  }

 private:
  std::vector<std::uint32_t> unplaced_next_to_layer() const {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t v : layer_) {
      for (const std::uint32_t other : neighbours_.of(v)) {
        if (part_of_[other] == kNoPart) next.push_back(other);
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    return next;
  }

  /// Of the parts with half as many neighbours as the first or more, the one with the fewest
  /// switches in this layer.
  std::uint16_t choose(std::uint32_t v) {
    std::fill(votes_.begin(), votes_.end(), 0);
    for (const std::uint32_t other : neighbours_.of(v)) {
      if (part_of_[other] != kNoPart) ++votes_[part_of_[other]];
    }
    const std::uint32_t most = *std::max_element(votes_.begin(), votes_.end());
    std::size_t chosen = votes_.size();
    for (std::size_t p = 0; p < votes_.size(); ++p) {
      if (2 * votes_[p] < most) continue;
      if (chosen == votes_.size() || placed_[p] < placed_[chosen]) chosen = p;
    }
    ++placed_[chosen];
    return static_cast<std::uint16_t>(chosen);
  }

  Neighbours neighbours_;
  std::vector<std::uint16_t>& part_of_;
  std::vector<std::uint32_t> votes_;   ///< By part.
  std::vector<std::uint32_t> placed_;  ///< In this layer, by part.
  std::vector<std::uint32_t> layer_;
};

/// By vertex: the part of all that a message there may come to next, or kSeveralParts.
class PartsBehind {
 public:
  explicit PartsBehind(std::size_t vertices) : part_(vertices, kNoPart) {}
  void add(VertexId v, std::uint32_t part) {
    std::uint16_t& known = part_[index(v)];
    if (known != part) known = known == kNoPart ? static_cast<std::uint16_t>(part) : kSeveralParts;
  }
  bool leads_elsewhere(VertexId v, std::uint32_t part) const { return part_[index(v)] != part; }

 private:
  std::vector<std::uint16_t> part_;
};

}  // namespace

std::vector<std::uint32_t> homes_of(const Topology& topology) {
  std::vector<std::uint32_t> homes(topology.nodes());
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) homes[n] = n;
  for (std::uint32_t l = topology.links(); l-- > 0;) {
    const LinkEnds ends = ends_of(topology, l);
    if (!topology.is_switch(ends.from)) {
      homes[index(ends.from)] = static_cast<std::uint32_t>(ends.to);
    }
  }
  return homes;
}

std::string indivisible(const Platform& platform) {
  if (platform.routing().choice() != platform::RouteChoice::fixed) {
    return "routes that depend on loads or chance are followed by one thread";
  }
  if (!platform.topology().concurrent()) {
    return "routes that are worked out when they are needed are followed by one thread";
  }
  return "";
}

FabricCut::FabricCut(const Platform& platform, std::vector<std::uint16_t> part_of_node,
                     std::size_t parts, bool back_as_well)
    : part_of_vertex_(std::move(part_of_node)) {
  std::uint16_t last = 0;
  for (std::uint16_t& part : part_of_vertex_) {  // Idle nodes are with those before them.
    if (part == kNoPart) part = last;
    last = part;
  }
  part_of_vertex_.resize(platform.topology().vertices(), kNoPart);
  SwitchPlacer(platform.topology(), parts, part_of_vertex_).place();
  place_links(platform);
  find_lookahead(platform, back_as_well);
}

void FabricCut::place_links(const Platform& platform) {
  const Topology& topology = platform.topology();
  part_of_link_.resize(platform.links().ids());
  for (std::uint32_t l = 0; l < topology.links(); ++l) {
    // Both directions share what there is of a half-duplex cable.
    const LinkEnds ends = topology.ends(platform.links().capacity(LinkId{l}));
    const bool to_node = topology.is_switch(ends.from) && !topology.is_switch(ends.to);
    part_of_link_[l] = part_of_vertex_[index(to_node ? ends.to : ends.from)];
  }
  const std::uint32_t own = platform.links().ids() - topology.links();
  for (std::uint32_t l = 0; l < own; ++l) {
    part_of_link_[topology.links() + l] = part_of_vertex_[l / (own / platform.nodes())];
  }
}

void FabricCut::find_lookahead(const Platform& platform, bool back_as_well) {
  const Topology& topology = platform.topology();
  PartsBehind behind(topology.vertices());
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) behind.add(VertexId{n}, part_of_vertex_[n]);
  for (std::uint32_t l = 0; l < topology.links(); ++l) {
    behind.add(ends_of(topology, l).from, part_of_link_[l]);
  }
  for (std::uint32_t l = 0; l < topology.links(); ++l) {
    const LinkEnds ends = ends_of(topology, l);
    if (!behind.leads_elsewhere(ends.to, part_of_link_[l])) continue;
    const bool less_switch = back_as_well && topology.is_switch(ends.from);
    const Time in_switch = less_switch ? platform.switches().latency : Time::zero();
    lookahead_ = std::min(lookahead_, platform.links()[LinkId{l}].latency - in_switch);
  }
}

}  // namespace heddle::network
