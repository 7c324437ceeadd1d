// The graph of a fabric as it is drawn: nodes hang on their switch, parallel cables are one line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/wiring.hpp"

namespace heddle::report {

/// The cables that one line of a drawing stands for.
struct Line {
  std::vector<std::uint32_t> cables;  ///< All of them; none where two vertices merely touch.
  std::uint32_t parallel = 0;         ///< Ways side by side, each of one or more cables in series.
};

/// A node on the only switch that it is cabled to.
struct DrawnHost {
  VertexId vertex;
  std::string name;
  Line line;
};

/// A switch, or what else does not hang on a single switch.
struct DrawnVertex {
  WiredVertex is;
  std::string name;  ///< Of a node, a switch or a link; empty for a junction.
  std::vector<DrawnHost> hosts;
  std::vector<std::uint32_t> neighbours;  ///< Numbers of drawn vertices, each once, ascending.
};

struct DrawnEdge {
  std::uint32_t a;
  std::uint32_t b;
  Line line;
};

struct DrawingGraph {
  std::vector<DrawnVertex> vertices;
  std::vector<DrawnEdge> edges;  ///< In the order of their first cables.
  std::uint32_t left_out = 0;    ///< Cables of which no end is known.

  /// Nodes on the vertex with most of them.
  std::size_t most_hosts() const;
  /// Vertices of a kind, nodes on switches not among them.
  std::size_t count(VertexKind kind) const;
};

/// A name for people of a cable that has no ends: as its description has it.
std::string cable_name(const platform::Topology& topology, std::uint32_t cable);

/// Throws InputError if there is more than a viewer shows with ease.
DrawingGraph drawing_graph(const platform::Topology& topology);

}  // namespace heddle::report
