// Where to put the vertices of a drawing.
#pragma once

#include <vector>

#include "report/drawing_graph.hpp"

namespace heddle::report {

using platform::Point;

/// Places for the drawn vertices, y growing downwards.
struct Layout {
  std::vector<Point> at;  ///< By number of drawn vertex.
  /// Whether the vertices stand in rows with those that have nodes in the lowest: then y counts
  /// rows. Otherwise neighbours are about 1 apart.
  bool in_rows = false;
  bool is_elastic = false;  ///< Whether moving vertices a little apart does no harm.
};

/// The topology's own places if it gives them for all drawn vertices. Else rows by the distance
/// from the nodes, where cables join only neighbouring rows, ordered so that few cables cross. Else
/// distances in the drawing follow distances in the graph. The same graph always gets the same
/// layout.
Layout layout(const DrawingGraph& graph, const platform::Topology& topology);

}  // namespace heddle::report
