// The figures by which fabrics are compared: radix, diameter, hops, bisection bandwidth, cables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::platform {

/// What passes, in each direction, between two halves of the nodes, where it is least.
struct Bisection {
  Bandwidth bandwidth;
  std::uint64_t cables = 0;
  bool exact = true;  ///< From the topology's formula; otherwise the narrowest cut that was found.
};

/// Cables of one group with the same parameters.
struct CableCount {
  std::string group;
  std::uint32_t cables = 0;
  LinkParams params;
};

struct Metrics {
  std::uint32_t radix = 0;            ///< Most cables at a switch.
  std::uint32_t switch_diameter = 0;  ///< Most links on the shortest path between two switches.
  bool switch_diameter_exact = true;  ///< Otherwise from a sample of switches: at least this.
  HopCounts hops;
  std::optional<Bisection> bisection;
  std::string no_bisection;        ///< Why there is none, for people.
  std::vector<CableCount> cables;  ///< In the order of the first cable of each.
};

/// Most links of the fabric that a route crosses; from a sample in a large fabric, the same in
/// every run.
std::uint32_t longest_route(const Topology& topology, RouteChoice choice);
HopCounts count_hops(const Topology& topology);
Metrics measure(const Platform& platform);

}  // namespace heddle::platform
