#include "report/drawing_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>

namespace heddle::report {
namespace {

constexpr double kHostDrop = 34;  ///< From a switch down to its nodes, where they stand in rows.
constexpr double kElasticRoom = 1.3;  ///< From one cell to the next, where places are elastic.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How many cells fit between the two nearest places, side by side or one above the other; infinite
/// if there are fewer than two places.
double least_distance(std::vector<Point> at, double cell_width, double cell_height) {
  std::sort(at.begin(), at.end(), [](Point a, Point b) { return a.x < b.x; });
  double least = kInfinity;
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = i + 1; j < at.size() && at[j].x - at[i].x < least * cell_width; ++j) {
      const double across = (at[j].x - at[i].x) / cell_width;
      least = std::min(least, std::max(across, std::abs(at[j].y - at[i].y) / cell_height));
    }
  }
  return std::max(least, 1e-3 / cell_width);
}

/// How far the nearest other place is from most places, counted in cells.
double usual_distance(const std::vector<Point>& at, double cell_width, double cell_height) {
  std::vector<double> nearest(at.size(), kInfinity);
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (i == j) continue;
      nearest[i] = std::min(nearest[i], std::max(std::abs(at[j].x - at[i].x) / cell_width,
                                                 std::abs(at[j].y - at[i].y) / cell_height));
    }
  }
  const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
  std::nth_element(nearest.begin(), middle, nearest.end());
  return std::max(*middle, 1e-3 / cell_width);
}

/// Moves two places apart, along the shorter way, if their cells overlap. Says whether they did.
bool push_apart(Point& a, Point& b, double cell_width, double cell_height) {
  const double across = cell_width - std::abs(b.x - a.x);
  const double down = cell_height - std::abs(b.y - a.y);
  if (across <= 1e-6 || down <= 1e-6) return false;
  const bool sideways = across < down;
  const double half = (sideways ? across : down) / 2;
  double& low = sideways ? (a.x <= b.x ? a.x : b.x) : (a.y <= b.y ? a.y : b.y);
  double& high = sideways ? (a.x <= b.x ? b.x : a.x) : (a.y <= b.y ? b.y : a.y);
  low -= half;
  high += half;
  return true;
}

/// Pushes overlapping cells apart, pair by pair, for as many rounds as usually suffice.
void push_all_apart(std::vector<Point>& at, double cell_width, double cell_height) {
  constexpr int kRounds = 60;
  bool moved = true;
  for (int round = 0; round < kRounds && moved; ++round) {
    moved = false;
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = i + 1; j < at.size(); ++j) {
        moved = push_apart(at[i], at[j], cell_width, cell_height) || moved;
      }
    }
  }
}

/// A rectangle that grows around what is put into it.
struct Bounds {
  Point low{kInfinity, kInfinity};
  Point high{-kInfinity, -kInfinity};
  void add(Point centre, double width, double height) {
    low = {std::min(low.x, centre.x - width / 2), std::min(low.y, centre.y - height / 2)};
    high = {std::max(high.x, centre.x + width / 2), std::max(high.y, centre.y + height / 2)};
  }
};

}  // namespace

Places::Places(const DrawingGraph& graph, const platform::Topology& topology, HostDetail detail)
    : graph_(graph),
      layout_(layout(graph, topology)),
      measures_(measure(graph, layout_.in_rows, detail)) {
  if (in_rows()) {
    scale_rows();
  } else {
    scale_plane();
  }
  place_blocks();
  move_to_origin();
}

void Places::scale_rows() {
  // Leaves get the width of their nodes, other rows only that of their boxes.
  double scale = 0;
  for (const bool leaves : {true, false}) {
    std::vector<Point> row;
    for (std::size_t v = 0; v < vertices(); ++v) {
      if (graph_.vertices[v].hosts.empty() != leaves) row.push_back(vertex(v));
    }
    const double room = leaves ? measures_.cell_width : measures_.box_width + 12;
    // Rows are far apart: only distances within a row count.
    scale = std::max(scale, 1 / least_distance(row, room, 1e-6));
  }
  Bounds bounds;
  for (const Point& p : layout_.at) bounds.add({p.x * scale, 0}, 0, 0);
  // Many cables between two rows need height to be told apart.
  const double least = 110 + 0.4 * std::min(static_cast<double>(graph_.edges.size()), 200.0);
  const double row = std::clamp((bounds.high.x - bounds.low.x) / 7, least, 280.0);
  for (Point& p : layout_.at) p = {p.x * scale, p.y * row};
}

void Places::scale_plane() {
  const double width = measures_.cell_width;
  const double height = measures_.cell_height;
  const auto scale = [this](double factor) {
    for (Point& p : layout_.at) p = {p.x * factor, p.y * factor};
  };
  if (layout_.is_elastic) {
    scale(kElasticRoom / usual_distance(layout_.at, width, height));
    push_all_apart(layout_.at, width, height);
  }
  const double needed = 1 / least_distance(layout_.at, width, height);
  if (needed > 1 || !layout_.is_elastic) scale(needed);
}

bool Places::is_framed(std::size_t v) const {
  return measures_.hosts != HostStyle::badge && graph_.vertices[v].hosts.size() > measures_.columns;
}

Point Places::block_size(std::size_t v) const {
  const Measures& m = measures_;
  if (m.hosts == HostStyle::badge) return {m.block_width, m.block_height};
  const std::size_t hosts = graph_.vertices[v].hosts.size();
  const std::size_t across = std::min(m.columns, hosts);
  if (across == 0) return {0, 0};
  const std::size_t rows = (hosts + across - 1) / across;
  return {static_cast<double>(across) * m.host_column,
          static_cast<double>(rows) * m.host_row + m.name_below};
}

/// How much the cables of vertex `v` are in the way of nodes on one side of it.
double Places::in_the_way(std::size_t v, Point side) const {
  const double side_length = std::sqrt(side.x * side.x + side.y * side.y);
  double sum = 0;
  for (const std::uint32_t u : graph_.vertices[v].neighbours) {
    const double dx = vertex(u).x - vertex(v).x;
    const double dy = vertex(u).y - vertex(v).y;
    const double cosine =
        (dx * side.x + dy * side.y) / (std::sqrt(dx * dx + dy * dy) * side_length);
    if (cosine > 0) sum += cosine * cosine * cosine * cosine;
  }
  return sum;
}

bool Places::is_grid() const {
  std::set<double> columns;
  std::set<double> rows;
  for (const Point& p : layout_.at) {
    columns.insert(p.x);
    rows.insert(p.y);
  }
  return 2 * columns.size() <= vertices() && 2 * rows.size() <= vertices();
}

/// The side of each vertex for its nodes: where its cables are least in the way, the same for all
/// vertices of a grid.
std::vector<Point> Places::clearest_sides() const {
  constexpr std::array kSides = {Point{0, 1},   Point{1, 1},  Point{-1, 1}, Point{1, -1},
                                 Point{-1, -1}, Point{0, -1}, Point{1, 0},  Point{-1, 0}};
  const auto clearest = [](std::span<const Point> sides, const auto& cost) {
    Point best = sides.front();
    double least = kInfinity;
    for (const Point& side : sides) {
      // Hardly clearer is not worth leaving the usual side.
      if (cost(side) >= least - 0.05) continue;
      least = cost(side);
      best = side;
    }
    return best;
  };
  if (is_grid()) {
    return std::vector<Point>(vertices(),
                              clearest(std::span(kSides).subspan(1, 4), [&](Point side) {
                                double sum = 0;
                                for (std::size_t v = 0; v < vertices(); ++v) {
                                  sum += in_the_way(v, side);
                                }
                                return sum;
                              }));
  }
  std::vector<Point> sides;
  for (std::size_t v = 0; v < vertices(); ++v) {
    sides.push_back(clearest(kSides, [&](Point side) { return in_the_way(v, side); }));
  }
  return sides;
}

void Places::place_blocks() {
  const Measures& m = measures_;
  const auto sides = in_rows() ? std::vector<Point>() : clearest_sides();
  for (std::size_t v = 0; v < vertices(); ++v) {
    const Point size = block_size(v);
    const Point at = vertex(v);
    if (in_rows()) {
      blocks_.push_back({at.x, at.y + m.box_height / 2 + kHostDrop + size.y / 2 - m.host_radius});
      continue;
    }
    const Point side = sides[v];
    blocks_.push_back({at.x + side.x * (m.box_width / 2 + size.x / 2),
                       at.y + side.y * (m.box_height / 2 + size.y / 2 + 5)});
  }
}

Point Places::host(std::size_t v, std::size_t i) const {
  const Measures& m = measures_;
  const std::size_t across = std::min(m.columns, graph_.vertices[v].hosts.size());
  const std::size_t row = i / across;
  const Point size = block_size(v);
  return {blocks_[v].x - size.x / 2 + (static_cast<double>(i % across) + 0.5) * m.host_column,
          blocks_[v].y - size.y / 2 + m.host_radius + static_cast<double>(row) * m.host_row};
}

void Places::move_to_origin() {
  Bounds bounds;
  for (std::size_t v = 0; v < vertices(); ++v) {
    bounds.add(vertex(v), measures_.box_width, measures_.box_height);
    const Point size = block_size(v);
    if (!graph_.vertices[v].hosts.empty()) bounds.add(blocks_[v], size.x, size.y);
  }
  if (vertices() == 0) bounds.add({}, 0, 0);
  width_ = bounds.high.x - bounds.low.x;
  height_ = bounds.high.y - bounds.low.y;
  shift(-bounds.low.x, -bounds.low.y);
}

void Places::shift(double dx, double dy) {
  for (Point& p : layout_.at) p = {p.x + dx, p.y + dy};
  for (Point& p : blocks_) p = {p.x + dx, p.y + dy};
}

}  // namespace heddle::report
