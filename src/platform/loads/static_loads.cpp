#include "platform/loads/static_loads.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/random.hpp"
#include "platform/source_dependent.hpp"

namespace heddle::platform {
namespace {

double bits_of(Bandwidth bandwidth) {
  return bandwidth.is_unlimited() ? 1e30 : static_cast<double>(bandwidth.bits_per_second());
}

/// Where routes to one destination are the same from where they meet, they are asked for once: what
/// failures leave of a fabric takes its time to answer.
class RouteTable {
 public:
  explicit RouteTable(const Topology& topology) : topology_(topology) {
    constexpr std::uint64_t kMostEntries = 32'000'000;  // 128 MB.
    const auto first = route_class(topology, VertexId{0});
    bool alike = first.has_value();
    for (std::uint32_t n = 1; n < topology.nodes() && alike; ++n) {
      alike = route_class(topology, VertexId{n}) == first;
    }
    if (!alike || std::uint64_t{topology.nodes()} * topology.vertices() > kMostEntries) return;
    known_.resize(topology.nodes());
  }

  LinkId output(const Hop& hop) {
    if (known_.empty()) return topology_.output(hop);
    std::vector<LinkId>& to = known_[index(hop.to)];
    if (to.empty()) to.assign(topology_.vertices(), kNoLink);
    LinkId& link = to[index(hop.at)];
    if (link == kNoLink) link = topology_.output(hop);
    return link;
  }

 private:
  const Topology& topology_;
  std::vector<std::vector<LinkId>> known_;  ///< By destination, then vertex; empty: not kept.
};

/// Counts flows link by link.
class FlowCounter {
 public:
  explicit FlowCounter(const Platform& platform)
      : platform_(platform),
        topology_(platform.topology()),
        routes_(topology_),
        flows_(topology_.links()) {}

  void add(std::uint32_t from, std::uint32_t to) {
    const VertexId source{from};
    const VertexId target{to};
    if (!topology_.has_route(source, target)) {
      ++cut_off_;
      return;
    }
    Hop hop{source, source, target};
    for (; hop.at != hop.to; ++hop.step) {
      const LinkId link = routes_.output(hop);
      count(link);
      hop.at = topology_.after(hop, link);
    }
    longest_ = std::max(longest_, hop.step);
  }

  /// If each flow has 1/`share` of what a node can inject. Starts again.
  StaticLoad take(double share) {
    StaticLoad load;
    load.cut_off = std::exchange(cut_off_, 0);
    load.longest = std::exchange(longest_, 0);
    double least = 1;
    for (const LinkId link : used_) {
      std::uint64_t& flows = flows_[index(link)];
      load.flows = std::max(load.flows, flows);
      const double part = bits_of(platform_.link(link).bandwidth) / injection() * share /
                          static_cast<double>(flows);
      least = std::min(least, part);
      const LinkEnds ends = topology_.ends(link);
      const bool inner = topology_.is_switch(ends.from) && topology_.is_switch(ends.to);
      if (inner) load.inner = std::min(load.inner, part);
      flows = 0;
    }
    load.saturation = least;
    used_.clear();
    return load;
  }

 private:
  void count(LinkId link) {
    // Of a half-duplex cable both directions share what there is.
    const LinkId whole = platform_.capacity(link);
    if (flows_[index(whole)]++ == 0) used_.push_back(whole);
  }
  /// What the first node that has a cable can inject: all nodes are taken to be alike.
  double injection() {
    for (std::uint32_t n = 0; n < topology_.nodes() && injection_ == 0; ++n) {
      const VertexId other{n == 0 ? 1U : 0U};
      if (!topology_.has_route(VertexId{n}, other)) continue;
      injection_ =
          bits_of(platform_.link(topology_.output({VertexId{n}, VertexId{n}, other})).bandwidth);
    }
    return injection_;
  }

  const Platform& platform_;
  const Topology& topology_;
  RouteTable routes_;
  std::vector<std::uint64_t> flows_;  ///< By link.
  std::vector<LinkId> used_;          ///< Those with flows.
  std::uint64_t cut_off_ = 0;
  std::uint32_t longest_ = 0;
  double injection_ = 0;
};

StaticLoad count_shift(FlowCounter& counter, std::uint32_t nodes, std::uint32_t shift) {
  for (std::uint32_t n = 0; n < nodes; ++n) {
    counter.add(n, static_cast<std::uint32_t>((std::uint64_t{n} + shift) % nodes));
  }
  return counter.take(1);
}

/// All shifts, or powers of two and others at equal distances.
std::vector<std::uint32_t> some_shifts(std::uint32_t nodes, std::uint32_t most) {
  std::set<std::uint32_t> shifts;
  if (nodes > most + 1) {
    for (std::uint64_t power = 1; power < nodes; power *= 2) {
      shifts.insert(static_cast<std::uint32_t>(power));
    }
  }
  const std::uint64_t count = std::min(most, nodes - 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    shifts.insert(static_cast<std::uint32_t>(1 + i * (nodes - 1) / count));
  }
  return {shifts.begin(), shifts.end()};
}

/// All shifts, or so many drawn at random: at equal distances they would meet the numbers by which
/// fabrics are built.
std::vector<std::uint32_t> drawn_shifts(std::uint32_t nodes, std::uint32_t most) {
  if (nodes - 1 <= most) return some_shifts(nodes, most);
  std::set<std::uint32_t> shifts;
  RandomStream random(0);
  while (shifts.size() < most) {
    shifts.insert(1 + static_cast<std::uint32_t>(random.below(nodes - 1)));
  }
  return {shifts.begin(), shifts.end()};
}

}  // namespace

StaticLoad shift_load(const Platform& platform, std::uint32_t shift) {
  FlowCounter counter(platform);
  return count_shift(counter, platform.nodes(), shift);
}

WorstShift worst_shift(const Platform& platform, std::uint32_t most) {
  WorstShift worst;
  if (platform.nodes() < 2) return worst;
  worst.all = platform.nodes() - 1 <= most;
  FlowCounter counter(platform);
  for (const std::uint32_t shift : some_shifts(platform.nodes(), most)) {
    const StaticLoad load = count_shift(counter, platform.nodes(), shift);
    if (worst.shift != 0 && load.flows <= worst.load.flows) continue;
    worst.shift = shift;
    worst.load = load;
  }
  return worst;
}

UniformLoad uniform_load(const Platform& platform, std::uint32_t most) {
  UniformLoad uniform;
  const std::uint32_t nodes = platform.nodes();
  if (nodes < 2) return uniform;
  FlowCounter counter(platform);
  // Shifts by all numbers are all pairs; some of them load every node's cables alike.
  const std::vector<std::uint32_t> shifts = drawn_shifts(nodes, most);
  uniform.all = shifts.size() == nodes - 1;
  // All of one destination together: the routes there that are known stay in the cache.
  for (std::uint32_t to = 0; to < nodes; ++to) {
    for (const std::uint32_t shift : shifts) counter.add((to + nodes - shift) % nodes, to);
  }
  uniform.load = counter.take(static_cast<double>(shifts.size()));
  return uniform;
}

}  // namespace heddle::platform
