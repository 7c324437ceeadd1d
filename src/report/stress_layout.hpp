// A layout in which distances on paper follow distances in the graph.
#pragma once

#include <vector>

#include "report/drawing_graph.hpp"

namespace heddle::report {

/// Stress majorization from a start along the graph's two longest ways; neighbours come out about 1
/// apart and the longest extent is horizontal. Time and memory grow with the square of the
/// vertices.
std::vector<platform::Point> stress_layout(const DrawingGraph& graph);

}  // namespace heddle::report
