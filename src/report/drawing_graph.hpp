// The graph of a fabric as it is drawn: nodes hang on their switch, parallel cables are one line.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/topology.hpp"

namespace heddle::report {

/// A switch, or a node that does not hang on a single switch.
struct DrawnVertex {
  VertexId vertex;
  std::vector<VertexId> hosts;             ///< Nodes that only this switch is cabled to.
  std::vector<std::uint32_t> host_cables;  ///< The (first) cable of each of them.
  std::vector<std::uint32_t> neighbours;   ///< Numbers of drawn vertices, each once, ascending.
};

/// All cables between two drawn vertices.
struct DrawnEdge {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t first_cable;
  std::uint32_t cables;
};

struct DrawingGraph {
  std::vector<DrawnVertex> vertices;  ///< By vertex number.
  std::vector<DrawnEdge> edges;       ///< In the order of their first cables.
  std::uint32_t endless_cables = 0;   ///< Cables without fixed ends, which cannot be drawn.

  /// Nodes on the vertex with most of them.
  std::size_t most_hosts() const;
};

DrawingGraph drawing_graph(const platform::Topology& topology);

}  // namespace heddle::report
