#include "report/drawing_measures.hpp"

#include <algorithm>
#include <cmath>

#include "report/svg.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostSwitchNames = 300;
constexpr std::size_t kMostHostNames = 100;
constexpr std::size_t kMostDots = 320;
constexpr std::size_t kFewHosts = 4;  ///< So few on a switch are never counted in a badge.
constexpr std::size_t kMostInARow = 8;
constexpr double kWidestSwitchName = 110;
constexpr double kWidestHostName = 46;

void measure_switches(const DrawingGraph& graph, Measures& m) {
  double widest = 0;
  for (const DrawnVertex& v : graph.vertices) {
    widest = std::max(widest, drawn_width(v.name, 11));
  }
  m.switch_names = graph.vertices.size() <= kMostSwitchNames && widest <= kWidestSwitchName;
  m.box_width = m.switch_names ? std::max(widest + 12, 28.0) : 14;
  m.box_height = m.switch_names ? 22 : 14;
}

double widest_host_name(const DrawingGraph& graph) {
  double widest = 0;
  for (const DrawnVertex& v : graph.vertices) {
    for (const DrawnHost& host : v.hosts) {
      widest = std::max(widest, drawn_width(host.name, 9));
    }
  }
  return widest;
}

HostStyle host_style(const DrawingGraph& graph, std::size_t hosts, double name, bool one_row,
                     HostDetail detail) {
  if (detail != HostDetail::each && hosts > kMostDots && graph.most_hosts() > kFewHosts)
    return HostStyle::badge;
  if (hosts > kMostHostNames) return HostStyle::dots;
  if (name <= kWidestHostName) return HostStyle::labelled;
  return one_row ? HostStyle::upright : HostStyle::dots;
}

/// How many nodes stand side by side: all if they are few and there is room, else a square.
std::size_t columns_for(std::size_t hosts, bool in_rows, bool alone) {
  const std::size_t in_a_row = alone ? 3 * kMostInARow : in_rows ? kMostInARow : 2;
  if (hosts <= in_a_row) return std::max<std::size_t>(hosts, 1);
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(hosts))));
  return in_rows ? std::max(side, kMostInARow / 2) : side;
}

void measure_hosts(const DrawingGraph& graph, bool in_rows, HostDetail detail, Measures& m) {
  std::size_t hosts = 0;
  for (const DrawnVertex& v : graph.vertices) hosts += v.hosts.size();
  if (hosts == 0) return;
  const std::size_t most = graph.most_hosts();
  const double name = hosts > kMostDots ? 0 : widest_host_name(graph);
  m.columns = columns_for(most, in_rows, graph.vertices.size() == 1);
  const double rows = std::ceil(static_cast<double>(most) / static_cast<double>(m.columns));
  m.hosts = host_style(graph, hosts, name, rows == 1, detail);
  if (m.hosts == HostStyle::badge) {
    m.block_width = 46;
    m.block_height = 20;
    return;
  }
  const bool labelled = m.hosts == HostStyle::labelled;
  m.host_radius = m.hosts == HostStyle::dots ? 4 : 6;
  m.host_column = labelled ? std::max(19.0, name + 6) : m.hosts == HostStyle::upright ? 16 : 12;
  m.host_row = labelled ? 28 : 12;
  m.block_width = m.host_column * static_cast<double>(m.columns);
  m.name_below = m.hosts == HostStyle::upright ? name + 6 : 0;
  m.block_height = m.host_row * rows + m.name_below;
}

}  // namespace

Measures measure(const DrawingGraph& graph, bool in_rows, HostDetail detail) {
  Measures m;
  measure_switches(graph, m);
  measure_hosts(graph, in_rows, detail, m);
  if (in_rows) {
    m.cell_width = std::max(m.box_width, m.block_width) + 16;
    m.cell_height = m.box_height + m.block_height;
  } else {
    m.cell_width = std::max(m.box_width, m.box_width / 2 + m.block_width) + 32;
    m.cell_height = m.box_height + m.block_height + 22;
  }
  return m;
}

}  // namespace heddle::report
