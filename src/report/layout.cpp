#include "report/layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "report/stress_layout.hpp"

namespace heddle::report {
namespace {

using platform::Topology;

/// Stress layouts of more vertices take too long.
constexpr std::size_t kMostForStress = 2000;
constexpr int kSweeps = 8;

/// Whether nodes hang on the vertex, or it is one.
bool has_hosts(const DrawnVertex& v) {
  return !v.hosts.empty() || v.is.kind == VertexKind::node;
}

/// Whether some row holds exactly the vertices with nodes, and there are other rows.
bool stands_in_rows(const DrawingGraph& graph, const std::vector<Point>& at) {
  std::optional<double> leaf_row;
  for (std::size_t v = 0; v < at.size(); ++v) {
    if (!has_hosts(graph.vertices[v])) continue;
    if (leaf_row && *leaf_row != at[v].y) return false;
    leaf_row = at[v].y;
  }
  if (!leaf_row) return false;
  bool others = false;
  for (std::size_t v = 0; v < at.size(); ++v) {
    if (has_hosts(graph.vertices[v])) continue;
    if (at[v].y == *leaf_row) return false;
    others = true;
  }
  return others;
}

/// Makes y count the rows, the one with the nodes lowest.
void number_rows(const DrawingGraph& graph, std::vector<Point>& at) {
  std::map<double, double> row;
  for (const Point& p : at) row[p.y] = 0;
  double next = 0;
  for (auto& [y, number] : row) number = next++;
  const auto leaf = std::find_if(graph.vertices.begin(), graph.vertices.end(), has_hosts);
  const bool upside_down = row[at[static_cast<std::size_t>(leaf - graph.vertices.begin())].y] == 0;
  for (Point& p : at) p.y = upside_down ? next - 1 - row[p.y] : row[p.y];
}

std::optional<Layout> given_layout(const DrawingGraph& graph, const Topology& topology) {
  Layout result;
  for (const DrawnVertex& v : graph.vertices) {
    if (v.is.vertex == kNoVertex) return std::nullopt;
    const auto place = topology.position(v.is.vertex);
    if (!place) return std::nullopt;
    result.at.push_back(*place);
  }
  result.in_rows = stands_in_rows(graph, result.at);
  if (result.in_rows) number_rows(graph, result.at);
  return result;
}

/// Rows of vertices by their distance from the nodes, nothing if a cable stays within a row, skips
/// one, or only one row would come out.
std::optional<std::vector<std::vector<std::uint32_t>>> rows_of(const DrawingGraph& graph) {
  std::vector<int> level(graph.vertices.size(), -1);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t v = 0; v < level.size(); ++v) {
    if (!has_hosts(graph.vertices[v])) continue;
    level[v] = 0;
    queue.push_back(v);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const std::uint32_t next : graph.vertices[queue[head]].neighbours) {
      if (level[next] >= 0) continue;
      level[next] = level[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  const bool layered = queue.size() == level.size() &&
                       std::all_of(graph.edges.begin(), graph.edges.end(),
                                   [&](const DrawnEdge& e) { return level[e.a] != level[e.b]; });
  if (!layered || queue.empty() || level[queue.back()] == 0) return std::nullopt;
  std::vector<std::vector<std::uint32_t>> rows(static_cast<std::size_t>(level[queue.back()]) + 1);
  for (std::uint32_t v = 0; v < level.size(); ++v) {
    rows[static_cast<std::size_t>(level[v])].push_back(v);
  }
  return rows;
}

/// Spreads a row evenly over the width of the widest.
void spread(const std::vector<std::uint32_t>& row, double width, std::vector<Point>& at) {
  const double step = width / static_cast<double>(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    at[row[i]].x = (static_cast<double>(i) + 0.5) * step;
  }
}

/// Orders a row by the mean place of each vertex's neighbours in the rows on one side.
void order_by_neighbours(const DrawingGraph& graph, std::vector<std::uint32_t>& row, bool above,
                         const std::vector<Point>& at) {
  std::map<std::uint32_t, double> centre;
  for (const std::uint32_t v : row) {
    double sum = 0;
    int count = 0;
    for (const std::uint32_t u : graph.vertices[v].neighbours) {
      if ((at[u].y < at[v].y) != above) continue;
      sum += at[u].x;
      ++count;
    }
    centre[v] = count > 0 ? sum / count : at[v].x;
  }
  std::stable_sort(row.begin(), row.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return centre[a] < centre[b]; });
}

std::optional<Layout> row_layout(const DrawingGraph& graph) {
  auto rows = rows_of(graph);
  if (!rows) return std::nullopt;
  Layout result{std::vector<Point>(graph.vertices.size()), true, false};
  std::size_t widest = 0;
  for (const auto& row : *rows) widest = std::max(widest, row.size());
  for (std::size_t level = 0; level < rows->size(); ++level) {
    for (const std::uint32_t v : (*rows)[level]) {
      result.at[v].y = static_cast<double>(rows->size() - 1 - level);
    }
    spread((*rows)[level], static_cast<double>(widest), result.at);
  }
  const auto place = [&](std::vector<std::uint32_t>& row, bool above) {
    order_by_neighbours(graph, row, above, result.at);
    spread(row, static_cast<double>(widest), result.at);
  };
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t i = 1; i < rows->size(); ++i) place((*rows)[i], false);
    for (std::size_t i = rows->size() - 1; i-- > 0;) place((*rows)[i], true);
  }
  return result;
}

/// Line by line, for graphs too large for anything better.
Layout grid_layout(const DrawingGraph& graph) {
  Layout result;
  const auto side =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(graph.vertices.size()))));
  for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
    const std::size_t row = v / side;
    result.at.push_back({static_cast<double>(v % side), static_cast<double>(row)});
  }
  return result;
}

}  // namespace

Layout layout(const DrawingGraph& graph, const Topology& topology) {
  if (graph.vertices.size() == 1) return {{{0, 0}}, true, false};
  if (auto given = given_layout(graph, topology)) return *given;
  if (auto rows = row_layout(graph)) return *rows;
  if (graph.vertices.size() > kMostForStress || graph.edges.empty()) return grid_layout(graph);
  return {stress_layout(graph), false, true};
}

}  // namespace heddle::report
