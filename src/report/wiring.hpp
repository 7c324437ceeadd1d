// What joins what in a fabric: the vertices and cables that a drawing shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/topology.hpp"

namespace heddle::report {

enum class VertexKind {
  node,
  fabric_switch,
  shared_link,  ///< A link that has no two ends: a backbone that many routes share.
  junction,     ///< Where links meet that the machine's description has no name for.
};

struct WiredVertex {
  VertexKind kind;
  VertexId vertex = kNoVertex;  ///< Of a node or switch.
  std::uint32_t cable = 0;      ///< Of a shared link.
};

/// A cable, or several in series, between two vertices; none where two vertices merely touch.
struct Wire {
  std::uint32_t a;
  std::uint32_t b;
  std::vector<std::uint32_t> cables;
};

struct Wiring {
  std::vector<WiredVertex> vertices;  ///< The topology's own first, by number.
  std::vector<Wire> wires;
  std::uint32_t left_out = 0;  ///< Cables of which no end is known.
};

/// By the ends of the cables where the topology knows them, else by its routes.
Wiring wiring(const platform::Topology& topology);

/// Of a topology whose links have no ends, only routes that list them: the links that follow one
/// another on routes meet. Follows all routes of a small machine, some of a large one.
Wiring wiring_by_routes(const platform::Topology& topology);

}  // namespace heddle::report
