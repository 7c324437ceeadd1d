#include "platform/metrics.hpp"

#include <algorithm>
#include <limits>

#include "core/random.hpp"
#include "platform/bisection.hpp"

namespace heddle::platform {
namespace {

/// All pairs of up to so many nodes are looked at (a second or so), else so many pairs drawn.
constexpr std::uint32_t kMostNodesForAllPairs = 2048;
constexpr std::uint32_t kSampledPairs = 500'000;
/// All switches of up to so many are starts of a search, else so many evenly spaced ones.
constexpr std::uint32_t kMostSwitchesForAll = 1024;
constexpr std::uint32_t kSampledSwitches = 64;

std::uint32_t hops_between(const Topology& topology, VertexId from, VertexId to) {
  Hop hop{from, from, to};
  while (hop.at != hop.to) {
    hop.at = topology.after(hop, topology.output(hop));
    ++hop.step;
  }
  return hop.step;
}

void add_pair(HopCounts& counts, const Topology& topology, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t hops = hops_between(topology, VertexId{from}, VertexId{to});
  counts.most = std::max(counts.most, hops);
  counts.sum += hops;
  ++counts.pairs;
}

HopCounts sample_hops(const Topology& topology) {
  HopCounts counts;
  counts.exact = false;
  RandomStream random(0);
  const std::uint32_t nodes = topology.nodes();
  for (std::uint32_t i = 0; i < kSampledPairs; ++i) {
    const auto from = static_cast<std::uint32_t>(random.below(nodes));
    const auto to = static_cast<std::uint32_t>(random.below(nodes - 1));
    add_pair(counts, topology, from, to < from ? to : to + 1);
  }
  return counts;
}

/// The neighbours of every vertex, once for every cable.
class Neighbours {
 public:
  explicit Neighbours(const Topology& topology) : first_(topology.vertices() + 1, 0) {
    for (std::uint32_t link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(LinkId{link});
      if (ends.from != kNoVertex) ++first_[index(ends.from) + 1];
    }
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    list_.resize(first_.back());
    for (std::uint32_t link = 0; link < topology.links(); ++link) {
      const LinkEnds ends = topology.ends(LinkId{link});
      if (ends.from != kNoVertex) list_[next[index(ends.from)]++] = ends.to;
    }
  }
  std::uint32_t count(std::uint32_t v) const { return first_[v + 1] - first_[v]; }

  /// The largest distance from `start` to a vertex numbered `least` or more.
  std::uint32_t farthest(std::uint32_t start, std::uint32_t least) const {
    constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> distance(first_.size() - 1, kUnseen);
    std::vector<std::uint32_t> order{start};
    std::uint32_t farthest = 0;
    distance[start] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t at = order[i];
      if (at >= least) farthest = distance[at];
      for (std::uint32_t n = first_[at]; n < first_[at + 1]; ++n) {
        const auto next = static_cast<std::uint32_t>(list_[n]);
        if (distance[next] != kUnseen) continue;
        distance[next] = distance[at] + 1;
        order.push_back(next);
      }
    }
    return farthest;
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<VertexId> list_;
};

void measure_switches(const Topology& topology, Metrics& metrics) {
  const Neighbours neighbours(topology);
  const std::uint32_t switches = topology.switches();
  const std::uint32_t nodes = topology.nodes();
  for (std::uint32_t s = 0; s < switches; ++s) {
    metrics.radix = std::max(metrics.radix, neighbours.count(nodes + s));
  }
  metrics.switch_diameter_exact = switches <= kMostSwitchesForAll;
  const std::uint32_t starts = metrics.switch_diameter_exact ? switches : kSampledSwitches;
  for (std::uint64_t i = 0; i < starts; ++i) {
    const auto s = static_cast<std::uint32_t>(i * switches / starts);
    metrics.switch_diameter =
        std::max(metrics.switch_diameter, neighbours.farthest(nodes + s, nodes));
  }
}

std::vector<CableCount> count_cables(const Platform& platform) {
  std::vector<CableCount> counts;
  for (std::uint32_t cable = 0; cable < platform.topology().cables(); ++cable) {
    const std::string group = platform.topology().cable_group(cable);
    const LinkParams& params = platform.cable_params(cable);
    const auto same = std::find_if(counts.rbegin(), counts.rend(), [&](const CableCount& c) {
      return c.group == group && c.params == params;
    });
    if (same != counts.rend()) {
      ++same->cables;
    } else {
      counts.push_back({group, 1, params});
    }
  }
  return counts;
}

bool all_equal(const std::vector<CableCount>& counts) {
  return std::all_of(counts.begin(), counts.end(), [&](const CableCount& c) {
    return c.params.bandwidth == counts.front().params.bandwidth;
  });
}

Bandwidth times(Bandwidth bandwidth, std::uint64_t cables) {
  const __int128 total = static_cast<__int128>(bandwidth.bits_per_second()) * cables;
  const __int128 most = std::numeric_limits<std::int64_t>::max();
  return Bandwidth::bits_per_second(static_cast<std::int64_t>(std::min(total, most)));
}

std::optional<Bisection> measure_bisection(const Platform& platform,
                                           const std::vector<CableCount>& counts) {
  const bool unlimited = std::any_of(counts.begin(), counts.end(), [](const CableCount& c) {
    return c.params.bandwidth.is_unlimited();
  });
  if (counts.empty() || unlimited) return std::nullopt;
  const auto cables = platform.topology().bisection_cables();
  if (cables && all_equal(counts)) {
    return Bisection{times(counts.front().params.bandwidth, *cables), *cables, true};
  }
  return narrowest_cut_found(platform);
}

/// One node of each switch: routes of the others are as long. All, where cables have no ends.
std::vector<std::uint32_t> one_node_per_switch(const Topology& topology) {
  std::vector<std::uint32_t> nodes;
  std::vector<bool> seen(topology.vertices());
  for (std::uint32_t n = 0; n < topology.nodes() && topology.nodes() > 1; ++n) {
    const VertexId other{n == 0 ? 1U : 0U};
    const VertexId first = topology.ends(topology.output({VertexId{n}, VertexId{n}, other})).to;
    if (first != kNoVertex && topology.is_switch(first)) {
      if (seen[index(first)]) continue;
      seen[index(first)] = true;
    }
    nodes.push_back(n);
  }
  return nodes;
}

std::uint32_t longest_fixed(const Topology& topology) {
  const std::vector<std::uint32_t> nodes = one_node_per_switch(topology);
  if (nodes.size() > kMostNodesForAllPairs) return sample_hops(topology).most;
  HopCounts counts;
  counts.most = 2;  // By way of the switch that two nodes have in common.
  for (const std::uint32_t to : nodes) {
    for (const std::uint32_t from : nodes) {
      if (from != to) add_pair(counts, topology, from, to);
    }
  }
  return counts.most;
}

}  // namespace

std::uint32_t longest_route(const Topology& topology, RouteChoice choice) {
  const std::uint32_t longest = longest_fixed(topology);
  // A detour has two ways between switches, and the links of the two nodes.
  return choice == RouteChoice::detour ? 2 * longest - 2 : longest;
}

HopCounts count_hops(const Topology& topology) {
  if (topology.nodes() > kMostNodesForAllPairs) return sample_hops(topology);
  HopCounts counts;
  for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
    for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
      if (from != to) add_pair(counts, topology, from, to);
    }
  }
  return counts;
}

Metrics measure(const Platform& platform) {
  Metrics metrics;
  measure_switches(platform.topology(), metrics);
  metrics.hops = count_hops(platform.topology());
  metrics.cables = count_cables(platform);
  metrics.bisection = measure_bisection(platform, metrics.cables);
  return metrics;
}

}  // namespace heddle::platform
