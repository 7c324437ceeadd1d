#include "report/drawing_bends.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

/// Bending is for drawings small enough to be looked at closely.
constexpr std::size_t kMostTests = 4'000'000;

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
  const double part = std::clamp(along, 0.0, 1.0);
  const double ex = p.x - a.x - part * dx;
  const double ey = p.y - a.y - part * dy;
  return std::sqrt(ex * ex + ey * ey);
}

}  // namespace

Bends::Bends(const DrawingGraph& graph, const Places& places, std::vector<std::size_t> group)
    : graph_(graph),
      places_(places),
      group_(std::move(group)),
      is_bent_(graph.edges.size()),
      lengths_(1 + (group_.empty() ? 0 : *std::max_element(group_.begin(), group_.end()))) {
  if (places.in_rows() || graph.edges.size() * places.vertices() > kMostTests) return;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    is_bent_[e] = is_blocked(graph.edges[e]);
    if (!is_bent_[e]) continue;
    Lengths& range = lengths_[group_[e]];
    range = {std::min(range.shortest, length(graph.edges[e])),
             std::max(range.longest, length(graph.edges[e]))};
  }
}

bool Bends::any() const {
  return std::find(is_bent_.begin(), is_bent_.end(), true) != is_bent_.end();
}

/// Whether the straight line would run over a third vertex.
bool Bends::is_blocked(const DrawnEdge& edge) const {
  const double clear = places_.measures().box_height / 2 + 2;
  for (std::size_t v = 0; v < places_.vertices(); ++v) {
    if (v == edge.a || v == edge.b) continue;
    if (distance_to_segment(places_.vertex(v), places_.vertex(edge.a), places_.vertex(edge.b)) <
        clear) {
      return true;
    }
  }
  return false;
}

Point Bends::between(const DrawnEdge& edge) const {
  const Point a = places_.vertex(edge.a);
  const Point b = places_.vertex(edge.b);
  return {b.x - a.x, b.y - a.y};
}

double Bends::length(const DrawnEdge& edge) const {
  const Point d = between(edge);
  return std::sqrt(d.x * d.x + d.y * d.y);
}

/// Up or left, clear of the boxes between the ends, and further for the longer edges of a group.
std::optional<Point> Bends::sideways(std::size_t e) const {
  if (!is_bent_[e]) return std::nullopt;
  const Measures& m = places_.measures();
  const DrawnEdge& edge = graph_.edges[e];
  Point d = between(edge);
  if (d.x < 0 || (d.x == 0 && d.y > 0)) d = {-d.x, -d.y};
  const Point across{d.y / length(edge), -d.x / length(edge)};
  const double box = std::abs(across.x) * m.box_width / 2 + std::abs(across.y) * m.box_height / 2;
  const double cell = std::max(m.cell_width, m.cell_height);
  const double clear = box + 8 + std::max(0.0, 0.4 * cell - box - 8) * relative_length(e);
  // A cubic curve reaches three quarters of the way to its control points.
  return Point{across.x * clear / 0.75, across.y * clear / 0.75};
}

/// 0 for the shortest bent edge of the group, 1 for the longest.
double Bends::relative_length(std::size_t e) const {
  const auto [shortest, longest] = lengths_[group_[e]];
  return longest - shortest < 1 ? 0 : (length(graph_.edges[e]) - shortest) / (longest - shortest);
}

}  // namespace heddle::report
