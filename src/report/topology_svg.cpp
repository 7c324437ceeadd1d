#include "report/topology_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"
#include "report/cable_groups.hpp"
#include "report/drawing_graph.hpp"
#include "report/drawing_measures.hpp"
#include "report/layout.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

using platform::Platform;

constexpr std::size_t kMostShapes = 60'000;  ///< No viewer shows more with ease.
constexpr double kMargin = 36;
constexpr double kHeader = 76;
constexpr double kLegendRow = 20;
constexpr double kHostDrop = 34;  ///< From a switch down to its nodes, where they stand in rows.
const std::string kSwitchColour = "#34495e";
const std::string kHostColour = "#f4b942";
const std::string kHostEdge = "#8a5a00";
const std::string kAccessColour = "#8a94a0";
const std::string kRouteColour = "#c0143c";

/// The least distance between two places; 1 if there are fewer than two.
double least_distance(std::vector<Point> at) {
  if (at.size() < 2) return 1;
  std::sort(at.begin(), at.end(), [](Point a, Point b) { return a.x < b.x; });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = i + 1; j < at.size() && at[j].x - at[i].x < least; ++j) {
      const double dx = at[j].x - at[i].x;
      const double dy = at[j].y - at[i].y;
      least = std::min(least, std::sqrt(dx * dx + dy * dy));
    }
  }
  return std::max(least, 1e-3);
}

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
  const double part = std::clamp(along, 0.0, 1.0);
  const double ex = p.x - a.x - part * dx;
  const double ey = p.y - a.y - part * dy;
  return std::sqrt(ex * ex + ey * ey);
}

/// One drawing under way.
class Drawing {
 public:
  Drawing(const Platform& platform, const std::vector<LinkId>& route)
      : platform_(platform),
        topology_(platform.topology()),
        graph_(drawing_graph(topology_)),
        groups_(cable_groups(platform)) {
    for (const LinkId link : route) {
      const auto cable = static_cast<std::uint32_t>(index(link) / 2);
      if (cable < topology_.cables()) route_.insert(cable);
    }
    check_size();
    place();
  }

  std::string draw() {
    Svg svg(width_, height_, platform_.name() + ": " + topology_.describe());
    draw_titles(svg);
    draw_cables(svg);
    draw_host_cables(svg);
    draw_route(svg);
    draw_hosts(svg);
    draw_vertices(svg);
    draw_legend(svg);
    return svg.str();
  }

 private:
  void check_size() const {
    if (graph_.vertices.size() + graph_.edges.size() <= kMostShapes) return;
    throw InputError({}, fmt::format("{} switches and {} cables between them are too many to draw: "
                                     "accepted are up to {} together",
                                     graph_.vertices.size(), graph_.edges.size(), kMostShapes));
  }

  // Places on the page.

  void place() {
    Layout layout = report::layout(graph_, topology_);
    in_rows_ = layout.in_rows;
    measures_ = measure(graph_, topology_, in_rows_);
    at_ = std::move(layout.at);
    in_rows_ ? scale_rows() : scale_plane();
    move_to_page();
  }

  /// Leaves get the width of their nodes, other rows only that of their boxes.
  void scale_rows() {
    double scale = 0;
    for (const bool leaves : {true, false}) {
      std::vector<Point> row_places;
      for (std::size_t v = 0; v < at_.size(); ++v) {
        // Rows far apart: only distances within a row count.
        if (graph_.vertices[v].hosts.empty() != leaves)
          row_places.push_back({at_[v].x, at_[v].y * 1e6});
      }
      if (row_places.size() < 2) continue;
      const double room = leaves ? measures_.cell_width : measures_.box_width + 12;
      scale = std::max(scale, std::min(room / least_distance(row_places), 1e6));
    }
    if (scale == 0) scale = 1;
    double left = std::numeric_limits<double>::infinity();
    double right = -left;
    for (const Point& p : at_) {
      left = std::min(left, p.x * scale);
      right = std::max(right, p.x * scale);
    }
    const double row = std::clamp((right - left) / 7, 110.0, 280.0);
    for (Point& p : at_) p = {p.x * scale, p.y * row};
  }

  void scale_plane() {
    const double scale =
        std::max(measures_.cell_width, measures_.cell_height) / least_distance(at_);
    for (Point& p : at_) p = {p.x * scale, p.y * scale};
  }

  void move_to_page() {
    Point low{1e300, 1e300};
    Point high{-1e300, -1e300};
    for (const Point& p : at_) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    if (at_.empty()) low = high = {0, 0};
    const double legend = kLegendRow * static_cast<double>(groups_.groups.size() + 3);
    const double inner = high.x - low.x + 2 * measures_.cell_width;
    width_ = std::max({inner, least_width() - 2 * kMargin, 400.0}) + 2 * kMargin;
    const double left = (width_ - (high.x - low.x)) / 2;
    const double top = kHeader + measures_.box_height + (in_rows_ ? 0 : bend_room());
    const double below = in_rows_ ? kHostDrop + measures_.block_height : measures_.cell_height;
    height_ = top + (high.y - low.y) + below + bend_room() + legend + kMargin;
    for (Point& p : at_) p = {p.x - low.x + left, p.y - low.y + top};
  }

  double bend_room() const { return in_rows_ ? 20 : measures_.cell_height / 3; }

  double least_width() const {
    return std::max(drawn_width(platform_.name(), 18), drawn_width(topology_.describe(), 13)) +
           2 * kMargin;
  }

  /// The centre of the i-th of the nodes of drawn vertex `v`.
  Point host_place(std::size_t v, std::size_t i) const {
    const Measures& m = measures_;
    const std::size_t across = std::min(m.columns, graph_.vertices[v].hosts.size());
    const double column = (static_cast<double>(i % across) + 0.5) * m.host_column;
    const double row = static_cast<double>(i / across) * m.host_row;
    if (!in_rows_) {
      return {at_[v].x + m.box_width / 2 + column, at_[v].y + m.box_height / 2 + 12 + row};
    }
    const double width = static_cast<double>(across) * m.host_column;
    return {at_[v].x - width / 2 + column, at_[v].y + m.box_height / 2 + kHostDrop + row};
  }

  Point badge_place(std::size_t v) const {
    const Measures& m = measures_;
    if (in_rows_) return {at_[v].x, at_[v].y + m.box_height / 2 + kHostDrop};
    return {at_[v].x + m.box_width / 2 + m.block_width / 2, at_[v].y + m.box_height / 2 + 14};
  }

  // Looks.

  bool is_access(std::size_t group) const { return groups_.groups[group].name == "access"; }

  std::string group_colour(std::size_t group) const {
    if (is_access(group)) return kAccessColour;
    std::size_t number = 0;
    for (std::size_t g = 0; g < group; ++g) number += is_access(g) ? 0 : 1;
    return palette(number);
  }

  /// Thicker for more bandwidth than the narrowest group has.
  double group_width(std::size_t group) const {
    Bandwidth narrowest = Bandwidth::unlimited();
    for (const CableGroup& g : groups_.groups) narrowest = tighter(narrowest, g.max_bandwidth);
    const Bandwidth own = groups_.groups[group].max_bandwidth;
    if (own.is_unlimited()) return 4;
    const double ratio = static_cast<double>(own.bits_per_second()) /
                         static_cast<double>(narrowest.bits_per_second());
    return std::clamp(1.2 * std::sqrt(ratio), 1.2, 4.0);
  }

  double cable_opacity() const {
    if (graph_.edges.size() <= 200) return 1;
    return graph_.edges.size() <= 1500 ? 0.6 : 0.3;
  }

  std::string cable_tooltip(std::uint32_t cable, std::uint32_t cables) const {
    const platform::LinkEnds ends = topology_.ends(LinkId{2 * cable});
    const platform::LinkParams& params = platform_.cable_params(cable);
    return fmt::format("{} - {}{}: {}, {}", topology_.name(ends.from), topology_.name(ends.to),
                       cables > 1 ? fmt::format(" x{}", cables) : "",
                       format_bandwidth(params.bandwidth), format_time(params.latency));
  }

  // Shapes.

  void draw_titles(Svg& svg) const {
    svg.text({width_ / 2, 32}, platform_.name(),
             {.size = 18, .anchor = Anchor::middle, .bold = true});
    svg.text({width_ / 2, 54}, topology_.describe(),
             {.size = 13, .anchor = Anchor::middle, .fill = "#555555"});
  }

  /// Whether the straight line of an edge would run over a third vertex.
  bool runs_over(const DrawnEdge& edge) const {
    if (in_rows_) return false;
    for (std::size_t v = 0; v < at_.size(); ++v) {
      if (v == edge.a || v == edge.b) continue;
      if (distance_to_segment(at_[v], at_[edge.a], at_[edge.b]) < measures_.box_height / 2 + 2) {
        return true;
      }
    }
    return false;
  }

  /// Draws an edge, bent to one side where a vertex stands in its way.
  void draw_edge(Svg& svg, const DrawnEdge& edge, const Paint& paint) const {
    const Point a = at_[edge.a];
    const Point b = at_[edge.b];
    // Bending is for drawings small enough to be looked at closely.
    if (graph_.edges.size() * at_.size() > 4'000'000 || !runs_over(edge)) {
      return svg.line(a, b, paint);
    }
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const double cell = std::max(measures_.cell_width, measures_.cell_height);
    // Longer ways bend further, but stay short of the next line of vertices.
    const double bend = cell * (1 - cell / (length + cell / 2));
    svg.curve(a, {(a.x + b.x) / 2 + bend * dy / length, (a.y + b.y) / 2 - bend * dx / length}, b,
              paint);
  }

  void draw_cables(Svg& svg) const {
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      svg.open_group("cables", {.fill = "none",
                                .stroke = group_colour(g),
                                .width = group_width(g),
                                .opacity = cable_opacity()});
      for (const DrawnEdge& edge : graph_.edges) {
        if (groups_.of_cable[edge.first_cable] != g) continue;
        draw_edge(svg, edge, {.tooltip = cable_tooltip(edge.first_cable, edge.cables)});
      }
      svg.close_group();
    }
    if (graph_.edges.size() <= 64) draw_multiplicities(svg);
  }

  void draw_multiplicities(Svg& svg) const {
    for (const DrawnEdge& edge : graph_.edges) {
      if (edge.cables == 1) continue;
      // A third of the way: in the middle the labels of crossing cables would meet.
      const Point a = at_[edge.a];
      const Point b = at_[edge.b];
      const Point at{a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3};
      svg.rect({at.x - 12, at.y - 8}, 24, 15, 3, {.fill = "white", .opacity = 0.85});
      svg.text({at.x, at.y + 4}, fmt::format("\u00d7{}", edge.cables),
               {.size = 11, .anchor = Anchor::middle});
    }
  }

  void draw_host_cables(Svg& svg) const {
    svg.open_group("host-cables", {.stroke = kAccessColour, .width = 1});
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const DrawnVertex& vertex = graph_.vertices[v];
      if (vertex.hosts.empty()) continue;
      if (measures_.hosts == HostStyle::badge) {
        svg.line(at_[v], badge_place(v), {.width = 2});
        continue;
      }
      for (std::size_t i = 0; i < vertex.hosts.size(); ++i) {
        svg.line(at_[v], host_place(v, i), {.tooltip = cable_tooltip(vertex.host_cables[i], 1)});
      }
    }
    svg.close_group();
  }

  void draw_route(Svg& svg) const {
    if (route_.empty()) return;
    svg.open_group("route", {.fill = "none", .stroke = kRouteColour, .width = 4});
    for (const DrawnEdge& edge : graph_.edges) {
      if (on_route(edge)) draw_edge(svg, edge, {});
    }
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const auto& cables = graph_.vertices[v].host_cables;
      for (std::size_t i = 0; i < cables.size(); ++i) {
        if (!route_.contains(cables[i])) continue;
        svg.line(at_[v], measures_.hosts == HostStyle::badge ? badge_place(v) : host_place(v, i));
      }
    }
    svg.close_group();
  }

  /// Whether any of the edge's cables is on the route.
  bool on_route(const DrawnEdge& edge) const {
    const VertexId a = graph_.vertices[edge.a].vertex;
    const VertexId b = graph_.vertices[edge.b].vertex;
    return std::any_of(route_.begin(), route_.end(), [&](std::uint32_t cable) {
      const platform::LinkEnds ends = topology_.ends(LinkId{2 * cable});
      return (ends.from == a && ends.to == b) || (ends.from == b && ends.to == a);
    });
  }

  void draw_hosts(Svg& svg) const {
    svg.open_group("nodes", {.fill = kHostColour, .stroke = kHostEdge, .width = 1});
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const auto& hosts = graph_.vertices[v].hosts;
      if (hosts.empty()) continue;
      if (measures_.hosts == HostStyle::badge) {
        draw_badge(svg, v);
        continue;
      }
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        svg.circle(host_place(v, i), measures_.host_radius, {.tooltip = topology_.name(hosts[i])});
      }
    }
    svg.close_group();
    for (std::size_t v = 0; v < at_.size(); ++v) draw_host_names(svg, v);
  }

  void draw_badge(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    const Point at = badge_place(v);
    std::string names = topology_.name(hosts.front());
    if (hosts.size() > 1) names += " .. " + topology_.name(hosts.back());
    svg.rect({at.x - 20, at.y - 10}, 40, 20, 10, {.tooltip = names});
  }

  void draw_host_names(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    if (hosts.empty() || measures_.hosts == HostStyle::dots) return;
    if (measures_.hosts == HostStyle::badge) {
      const Point at = badge_place(v);
      return svg.text({at.x, at.y + 4}, fmt::format("\u00d7{}", hosts.size()),
                      {.size = 11, .anchor = Anchor::middle});
    }
    const bool upright = measures_.hosts == HostStyle::upright;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const Point at = host_place(v, i);
      svg.text(upright ? Point{at.x - 3, at.y + 10} : Point{at.x, at.y + 16},
               topology_.name(hosts[i]),
               {.size = 9,
                .anchor = upright ? Anchor::start : Anchor::middle,
                .rotate = upright ? 90.0 : 0.0});
    }
  }

  void draw_vertices(Svg& svg) const {
    for (const bool switches : {false, true}) {
      svg.open_group(switches ? "switches" : "nodes",
                     {.fill = switches ? kSwitchColour : kHostColour,
                      .stroke = switches ? "white" : kHostEdge,
                      .width = 1});
      for (std::size_t v = 0; v < at_.size(); ++v) {
        if (topology_.is_switch(graph_.vertices[v].vertex) == switches) draw_box(svg, v, switches);
      }
      svg.close_group();
    }
    if (!measures_.switch_names) return;
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const VertexId vertex = graph_.vertices[v].vertex;
      svg.text({at_[v].x, at_[v].y + 4}, topology_.name(vertex),
               {.size = 11,
                .anchor = Anchor::middle,
                .fill = topology_.is_switch(vertex) ? "white" : "#222222"});
    }
  }

  void draw_box(Svg& svg, std::size_t v, bool is_switch) const {
    const Measures& m = measures_;
    const auto& vertex = graph_.vertices[v];
    const std::string tooltip = fmt::format("{}: {} neighbours", topology_.name(vertex.vertex),
                                            vertex.neighbours.size() + vertex.hosts.size());
    svg.rect({at_[v].x - m.box_width / 2, at_[v].y - m.box_height / 2}, m.box_width, m.box_height,
             is_switch ? 3 : m.box_height / 2, {.tooltip = tooltip});
  }

  void draw_legend(Svg& svg) const {
    double y = height_ - kMargin - kLegendRow * static_cast<double>(groups_.groups.size() + 1);
    svg.circle({kMargin + 14, y - 4}, 6, {.fill = kHostColour, .stroke = kHostEdge});
    svg.text({kMargin + 38, y}, fmt::format("{} nodes", topology_.nodes()));
    y += kLegendRow;
    svg.rect({kMargin + 4, y - 11}, 20, 14, 3, {.fill = kSwitchColour});
    svg.text({kMargin + 38, y}, fmt::format("{} switches", topology_.switches()));
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      y += kLegendRow;
      const CableGroup& group = groups_.groups[g];
      svg.line({kMargin, y - 4}, {kMargin + 28, y - 4},
               {.stroke = group_colour(g), .width = group_width(g) + 0.6});
      svg.text({kMargin + 38, y}, fmt::format("{}: {} cables, {}, {}", group.name, group.cables,
                                              group.bandwidth_text(), group.latency_text()));
    }
  }

  const Platform& platform_;
  const platform::Topology& topology_;
  DrawingGraph graph_;
  CableGroups groups_;
  std::set<std::uint32_t> route_;  ///< Cables.
  Measures measures_;
  bool in_rows_ = false;
  std::vector<Point> at_;  ///< By drawn vertex, on the page.
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string topology_svg(const Platform& platform, const std::vector<LinkId>& route) {
  return Drawing(platform, route).draw();
}

}  // namespace heddle::report
