// Which lines of a drawing go around a vertex that stands in their way.
#pragma once

#include <optional>
#include <vector>

#include "report/drawing_graph.hpp"
#include "report/drawing_places.hpp"

namespace heddle::report {

class Bends {
 public:
  /// Lines of equal `group` (one number for each edge) that overlap are led apart by their lengths.
  /// All must outlive the bends.
  Bends(const DrawingGraph& graph, const Places& places, std::vector<std::size_t> group);

  bool any() const;
  /// The way from either end of an edge to the control point of its curve; nothing if the edge is
  /// straight.
  std::optional<Point> sideways(std::size_t edge) const;

 private:
  struct Lengths {
    double shortest = 1e300;
    double longest = 0;
  };

  bool is_blocked(const DrawnEdge& edge) const;
  Point between(const DrawnEdge& edge) const;
  double length(const DrawnEdge& edge) const;
  double relative_length(std::size_t edge) const;

  const DrawingGraph& graph_;
  const Places& places_;
  std::vector<std::size_t> group_;
  std::vector<bool> is_bent_;     ///< By edge.
  std::vector<Lengths> lengths_;  ///< Of the bent edges, by group.
};

}  // namespace heddle::report
