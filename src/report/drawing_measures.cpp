#include "report/drawing_measures.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/svg.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostSwitchNames = 300;
constexpr std::size_t kMostHostNames = 100;
constexpr std::size_t kMostDots = 320;
constexpr std::size_t kFewHosts = 4;  ///< So few on a switch are never counted in a badge.
constexpr std::size_t kMostInARow = 8;
constexpr double kWidestSwitchName = 130;
constexpr double kWidestHostName = 46;    ///< Below a dot.
constexpr double kLongestHostName = 150;  ///< Where it has a line to itself.

void measure_switches(const DrawingGraph& graph, Measures& m) {
  double widest = 0;
  for (const DrawnVertex& v : graph.vertices) {
    widest = std::max(widest, drawn_width(v.name, kSwitchLetters));
  }
  m.switch_names = graph.vertices.size() <= kMostSwitchNames;
  m.switch_name = std::min(widest, kWidestSwitchName);
  m.box_width = m.switch_names ? std::max(m.switch_name + 12, 28.0) : 14;
  m.box_height = m.switch_names ? 22 : 14;
}

double widest_host_name(const DrawingGraph& graph) {
  double widest = 0;
  for (const DrawnVertex& v : graph.vertices) {
    for (const DrawnHost& host : v.hosts) {
      widest = std::max(widest, drawn_width(host.name, kHostLetters));
    }
  }
  return widest;
}

HostStyle host_style(const DrawingGraph& graph, std::size_t hosts, double name, bool one_row,
                     HostDetail detail) {
  const bool each = detail == HostDetail::each;
  if (!each && hosts > kMostDots && graph.most_hosts() > kFewHosts) return HostStyle::badge;
  if (hosts > kMostHostNames) return HostStyle::dots;
  if (name <= kWidestHostName) return HostStyle::labelled;
  if (each) return HostStyle::stacked;
  return one_row ? HostStyle::upright : HostStyle::dots;
}

/// How many nodes stand side by side: all if they are few and there is room, else a square.
std::size_t columns_for(std::size_t hosts, bool in_rows, bool alone) {
  const std::size_t in_a_row = alone ? 3 * kMostInARow : in_rows ? kMostInARow : 2;
  if (hosts <= in_a_row) return std::max<std::size_t>(hosts, 1);
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(hosts))));
  return in_rows ? std::max(side, kMostInARow / 2) : side;
}

/// One node and the space around it.
void measure_host(Measures& m, double name) {
  m.host_name = name;
  m.host_radius = m.hosts == HostStyle::dots ? 4 : 6;
  switch (m.hosts) {
    case HostStyle::labelled:
      m.host_column = std::max(19.0, name + 4);
      m.host_row = 28;
      return;
    case HostStyle::stacked:
      m.columns = 1;
      m.host_column = name + 12;
      m.host_row = 18;
      return;
    case HostStyle::upright:
      m.host_column = 16;
      m.host_row = 12;
      m.name_below = name + 6;
      return;
    case HostStyle::dots:
    case HostStyle::badge:
      m.host_column = 12;
      m.host_row = 12;
  }
}

void measure_hosts(const DrawingGraph& graph, bool in_rows, HostDetail detail, Measures& m) {
  std::size_t hosts = 0;
  for (const DrawnVertex& v : graph.vertices) hosts += v.hosts.size();
  if (hosts == 0) return;
  const std::size_t most = graph.most_hosts();
  const double name = hosts > kMostDots ? 0 : widest_host_name(graph);
  m.columns = columns_for(most, in_rows, graph.vertices.size() == 1);
  m.hosts = host_style(graph, hosts, name, most <= m.columns, detail);
  if (m.hosts == HostStyle::badge) {
    m.block_width = 46;
    m.block_height = 20;
    return;
  }
  measure_host(m, std::min(name, kLongestHostName));
  const double rows = std::ceil(static_cast<double>(most) / static_cast<double>(m.columns));
  m.block_width = m.host_column * static_cast<double>(m.columns);
  m.block_height = m.host_row * rows + m.name_below;
}

/// Where the characters of UTF-8 text begin, and its end.
std::vector<std::size_t> character_starts(const std::string& text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

}  // namespace

std::string shortened(const std::string& name, double letters, double width) {
  if (drawn_width(name, letters) <= width + 1e-6) return name;
  const auto starts = character_starts(name);
  std::size_t kept = starts.size() - 1;
  const double character = drawn_width(name, letters) / static_cast<double>(kept);
  kept = std::min(kept, std::max<std::size_t>(static_cast<std::size_t>(width / character), 3) - 1);
  return name.substr(0, starts[(kept + 1) / 2]) + "\u2026" +
         name.substr(starts[starts.size() - 1 - kept / 2]);
}

Measures measure(const DrawingGraph& graph, bool in_rows, HostDetail detail) {
  Measures m;
  measure_switches(graph, m);
  measure_hosts(graph, in_rows, detail, m);
  if (in_rows) {
    m.cell_width = std::max(m.box_width, m.block_width) + 12;
    m.cell_height = m.box_height + m.block_height;
  } else {
    // Where there are too many for names, space is scarce.
    const double around = m.switch_names ? 22 : 10;
    m.cell_width = std::max(m.box_width, m.box_width / 2 + m.block_width) + 1.5 * around;
    m.cell_height = m.box_height + m.block_height + around;
  }
  return m;
}

}  // namespace heddle::report
