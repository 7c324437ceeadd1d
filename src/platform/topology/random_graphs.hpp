// Fabrics wired at random, the same for the same seed: Jellyfish and Xpander.
#pragma once

#include <cstdint>

#include "platform/topology/graph.hpp"

namespace heddle::platform {

struct JellyfishShape {
  std::int64_t switches;
  std::int64_t ports;  ///< Of a switch, to others.
  std::int64_t nodes_per_switch;
  std::uint64_t seed;
};

/// A random graph in which every switch has as many cables to others as the rest, but for one port
/// if their number is odd. Pairs that can be joined are drawn until there are none; a switch that
/// has two ports left then takes the place of a cable between two others. Throws ParamError if
/// there is no such connected graph, or none was found in several attempts.
GraphPlan jellyfish(const JellyfishShape& shape);

struct XpanderShape {
  std::int64_t ports;  ///< Of a switch, to others.
  std::int64_t lift;   ///< Switches per group; there is one group more than a switch has ports.
  std::int64_t nodes_per_switch;
  std::uint64_t seed;
};

/// A random lift of the complete graph: between any two groups a random perfect matching of their
/// switches. Throws ParamError if it is not connected, which with three ports and more hardly
/// occurs.
GraphPlan xpander(const XpanderShape& shape);

}  // namespace heddle::platform
