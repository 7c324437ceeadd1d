#include "platform/figures/metrics.hpp"

#include <algorithm>
#include <limits>

#include "core/random.hpp"
#include "platform/distance_search.hpp"
#include "platform/figures/bisection.hpp"

namespace heddle::platform {
namespace {

/// All pairs of up to so many nodes are looked at (a second or so), else so many pairs drawn.
constexpr std::uint32_t kMostNodesForAllPairs = 2048;
constexpr std::uint32_t kSampledDestinations = 250;
constexpr std::uint32_t kSampledSources = 2000;
/// Routes may be as long as a ring of thousands of switches: no more links are followed than these,
/// which takes a second or so, but for those of one destination.
constexpr std::uint64_t kMostLinksCounted = 50'000'000;

std::uint32_t hops_between(const Topology& topology, VertexId from, VertexId to) {
  Hop hop{from, from, to};
  while (hop.at != hop.to) {
    hop.at = topology.after(hop, topology.output(hop));
    ++hop.step;
  }
  return hop.step;
}

void add_pair(HopCounts& counts, const Topology& topology, std::uint32_t from, std::uint32_t to) {
  if (!topology.has_route(VertexId{from}, VertexId{to})) {
    ++counts.cut_off;
    return;
  }
  const std::uint32_t hops = hops_between(topology, VertexId{from}, VertexId{to});
  counts.most = std::max(counts.most, hops);
  counts.sum += hops;
  ++counts.pairs;
}

/// Few destinations with many sources each: what is worked out for a destination serves them all.
HopCounts sample_hops(const Topology& topology) {
  HopCounts counts;
  counts.exact = false;
  RandomStream random(0);
  const std::uint32_t nodes = topology.nodes();
  for (std::uint32_t i = 0; i < kSampledDestinations && counts.sum < kMostLinksCounted; ++i) {
    const auto to = static_cast<std::uint32_t>(random.below(nodes));
    for (std::uint32_t k = 0; k < kSampledSources; ++k) {
      const auto from = static_cast<std::uint32_t>(random.below(nodes - 1));
      add_pair(counts, topology, from < to ? from : from + 1, to);
    }
  }
  return counts;
}

HopCounts follow_routes(const Topology& topology) {
  if (topology.nodes() > kMostNodesForAllPairs) return sample_hops(topology);
  HopCounts counts;
  for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
    for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
      if (from != to) add_pair(counts, topology, from, to);
    }
    if (counts.sum > kMostLinksCounted) return sample_hops(topology);
  }
  return counts;
}

/// Whether the diameter of the switches is exact.
bool search_switches(const Topology& topology, Metrics& metrics) {
  const DistanceSearch search(topology);
  const bool all = search.is_quick();
  const Distances found = all ? search.from_all() : search.from_some();
  metrics.radix = found.radix;
  metrics.switch_diameter = found.switch_diameter;
  return all;
}

void measure_distances(const Topology& topology, Metrics& metrics) {
  if (const auto known = topology.distances()) {
    metrics.radix = known->radix;
    metrics.switch_diameter = known->switch_diameter;
    metrics.hops = known->hops;
    return;
  }
  metrics.switch_diameter_exact = search_switches(topology, metrics);
  metrics.hops = follow_routes(topology);
}

/// The cables of a run, counted by what they are; adds to what is there of the same group.
class RunCounter {
 public:
  RunCounter(const Platform& platform, std::vector<CableCount>& counts)
      : platform_(platform), counts_(counts) {}

  void add(const CableRun& run) {
    const LinkParams* last = nullptr;
    std::uint32_t* count = nullptr;
    for (std::uint32_t i = 0; i < run.cables; ++i) {
      const LinkParams& params = platform_.cable(run.first + i);
      if (&params != last) count = &count_of(run.group, params);
      last = &params;
      ++*count;
    }
  }

 private:
  std::uint32_t& count_of(const std::string& group, const LinkParams& params) {
    const auto same = std::find_if(counts_.rbegin(), counts_.rend(), [&](const CableCount& c) {
      return c.group == group && c.params == params;
    });
    if (same != counts_.rend()) return same->cables;
    return counts_.emplace_back(CableCount{group, 0, params}).cables;
  }

  const Platform& platform_;
  std::vector<CableCount>& counts_;
};

std::vector<CableCount> count_cables(const Platform& platform, const std::vector<CableRun>& runs) {
  std::vector<CableCount> counts;
  RunCounter counter(platform, counts);
  for (const CableRun& run : runs) counter.add(run);
  return counts;
}

/// What a cable of each run carries; nothing if those of one run differ.
std::optional<std::vector<Bandwidth>> bandwidths(const std::vector<CableRun>& runs,
                                                 const std::vector<CableCount>& counts) {
  std::vector<Bandwidth> by_run;
  for (const CableRun& run : runs) {
    std::optional<Bandwidth> bandwidth;
    for (const CableCount& count : counts) {
      if (count.group != run.group) continue;
      if (bandwidth && *bandwidth != count.params.bandwidth) return std::nullopt;
      bandwidth = count.params.bandwidth;
    }
    by_run.push_back(*bandwidth);
  }
  return by_run;
}

Bandwidth times(Bandwidth bandwidth, std::uint64_t cables) {
  const __int128 total = static_cast<__int128>(bandwidth.bits_per_second()) * cables;
  const __int128 most = std::numeric_limits<std::int64_t>::max();
  return Bandwidth::bits_per_second(static_cast<std::int64_t>(std::min(total, most)));
}

/// Why nothing can be said of the bisection; empty if it can.
std::string bisection_obstacle(const Platform& platform, const std::vector<CableCount>& counts) {
  const bool unlimited = std::any_of(counts.begin(), counts.end(), [](const CableCount& c) {
    return c.params.bandwidth.is_unlimited();
  });
  if (platform.nodes() < 2) return "none: a single node has no halves";
  if (counts.empty()) return "none: no cables";
  return unlimited ? "unknown: there are cables without a limit" : "";
}

void measure_bisection(const Platform& platform, const std::vector<CableRun>& runs,
                       Metrics& metrics) {
  metrics.no_bisection = bisection_obstacle(platform, metrics.cables);
  if (!metrics.no_bisection.empty()) return;
  if (const auto by_run = bandwidths(runs, metrics.cables)) {
    if (const auto cut = platform.topology().narrowest_cut(*by_run)) {
      metrics.bisection = Bisection{times((*by_run)[cut->run], cut->cables), cut->cables, true};
      return;
    }
  }
  metrics.bisection = narrowest_cut_found(platform);
  if (!metrics.bisection) {
    metrics.no_bisection = "unknown: no formula, and too large or without fixed ends to search";
  }
}

/// One node of each switch: routes of the others are as long. All, where cables have no ends.
std::vector<std::uint32_t> one_node_per_switch(const Topology& topology) {
  std::vector<std::uint32_t> nodes;
  std::vector<bool> seen(topology.vertices());
  for (std::uint32_t n = 0; n < topology.nodes() && topology.nodes() > 1; ++n) {
    const VertexId other{n == 0 ? 1U : 0U};
    nodes.push_back(n);
    if (!topology.has_route(VertexId{n}, other)) continue;
    const VertexId first = topology.ends(topology.output({VertexId{n}, VertexId{n}, other})).to;
    if (first == kNoVertex || !topology.is_switch(first)) continue;
    if (seen[index(first)]) nodes.pop_back();
    seen[index(first)] = true;
  }
  return nodes;
}

std::uint32_t longest_fixed(const Topology& topology) {
  // At least by way of the switch that two nodes have in common.
  if (const auto known = topology.distances()) return std::max(known->hops.most, 2U);
  const std::vector<std::uint32_t> nodes = one_node_per_switch(topology);
  if (nodes.size() > kMostNodesForAllPairs) return sample_hops(topology).most;
  HopCounts counts;
  counts.most = 2;
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
  const auto known = topology.distances();
  return known ? known->hops : follow_routes(topology);
}

Metrics measure(const Platform& platform) {
  Metrics metrics;
  measure_distances(platform.topology(), metrics);
  const std::vector<CableRun> runs = platform.topology().cable_runs();
  metrics.cables = count_cables(platform, runs);
  measure_bisection(platform, runs, metrics);
  return metrics;
}

}  // namespace heddle::platform
