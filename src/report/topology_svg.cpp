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
#include "report/drawing_places.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

using platform::Platform;

constexpr std::size_t kMostShapes = 60'000;  ///< No viewer shows more with ease.
constexpr double kMargin = 36;
constexpr double kHeader = 76;
constexpr double kLegendRow = 20;
constexpr double kBendRoom = 40;  ///< Around the drawing, for cables that go around vertices.
const std::string kSwitchColour = "#34495e";
const std::string kHostColour = "#f4b942";
const std::string kHostEdge = "#8a5a00";
const std::string kAccessColour = "#8a94a0";
const std::string kRouteColour = "#c0143c";

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
  const double part = std::clamp(along, 0.0, 1.0);
  const double ex = p.x - a.x - part * dx;
  const double ey = p.y - a.y - part * dy;
  return std::sqrt(ex * ex + ey * ey);
}

/// The graph itself; throws InputError if it is too large.
DrawingGraph checked(DrawingGraph graph) {
  if (graph.vertices.size() + graph.edges.size() <= kMostShapes) return graph;
  throw InputError({}, fmt::format("{} switches and {} cables between them are too many to draw: "
                                   "accepted are up to {} together",
                                   graph.vertices.size(), graph.edges.size(), kMostShapes));
}

std::string counted(std::uint32_t n, const char* one, const char* several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

/// One drawing under way.
class Drawing {
 public:
  Drawing(const Platform& platform, const std::vector<LinkId>& route)
      : platform_(platform),
        topology_(platform.topology()),
        graph_(checked(drawing_graph(topology_))),
        groups_(cable_groups(platform)),
        places_(graph_, topology_) {
    for (const LinkId link : route) {
      const auto cable = static_cast<std::uint32_t>(index(link) / 2);
      if (cable < topology_.cables()) route_.insert(cable);
    }
    lay_out_page();
    find_bent_edges();
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
  /// Makes room for titles and legend around the places.
  void lay_out_page() {
    const double legend = kLegendRow * static_cast<double>(groups_.groups.size() + 3);
    const double titles =
        std::max(drawn_width(platform_.name(), 18), drawn_width(topology_.describe(), 13));
    const double bends = places_.in_rows() ? 0 : kBendRoom;
    width_ = std::max({places_.width() + 2 * bends, titles, 400.0}) + 2 * kMargin;
    height_ = kHeader + places_.height() + 2 * bends + legend + kMargin;
    places_.shift((width_ - places_.width()) / 2, kHeader + bends);
  }

  // Looks.

  const Measures& measures() const { return places_.measures(); }

  bool is_access(std::size_t group) const { return groups_.groups[group].name == "access"; }

  std::string group_colour(std::size_t group) const {
    if (is_access(group)) return kAccessColour;
    std::size_t number = 0;
    for (std::size_t g = 0; g < group; ++g) number += is_access(g) ? 0 : 1;
    return palette(number);
  }

  /// Thicker for more bandwidth than the narrowest group has; thin where there are many.
  double group_width(std::size_t group) const {
    Bandwidth narrowest = Bandwidth::unlimited();
    for (const CableGroup& g : groups_.groups) narrowest = tighter(narrowest, g.max_bandwidth);
    const Bandwidth own = groups_.groups[group].max_bandwidth;
    if (own.is_unlimited()) return 4;
    const double ratio = static_cast<double>(own.bits_per_second()) /
                         static_cast<double>(narrowest.bits_per_second());
    return (graph_.edges.size() > 400 ? 0.6 : 1) * std::clamp(1.2 * std::sqrt(ratio), 1.2, 4.0);
  }

  double cable_opacity() const {
    if (graph_.edges.size() <= 200) return 1;
    return graph_.edges.size() <= 1500 ? 0.4 : 0.2;
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
  bool bends(const DrawnEdge& edge) const {
    // Bending is for drawings small enough to be looked at closely.
    if (places_.in_rows() || graph_.edges.size() * places_.vertices() > 4'000'000) return false;
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      if (v == edge.a || v == edge.b) continue;
      if (distance_to_segment(places_.vertex(v), places_.vertex(edge.a), places_.vertex(edge.b)) <
          measures().box_height / 2 + 2) {
        return true;
      }
    }
    return false;
  }

  /// Draws an edge, bent to one side where a vertex stands in its way.
  void draw_edge(Svg& svg, const DrawnEdge& edge, const Paint& paint) const {
    const Point a = places_.vertex(edge.a);
    const Point b = places_.vertex(edge.b);
    if (!bends(edge)) return svg.line(a, b, paint);
    const Point aside = sideways(edge);
    svg.curve(a, {a.x + aside.x, a.y + aside.y}, {b.x + aside.x, b.y + aside.y}, b, paint);
  }

  double length(const DrawnEdge& edge) const {
    const double dx = places_.vertex(edge.b).x - places_.vertex(edge.a).x;
    const double dy = places_.vertex(edge.b).y - places_.vertex(edge.a).y;
    return std::sqrt(dx * dx + dy * dy);
  }

  /// The way from an end of a bent edge to where its curve is led: up or left, clear of the boxes
  /// between its ends, and further for the longer edges of a group.
  Point sideways(const DrawnEdge& edge) const {
    const Measures& m = measures();
    double dx = places_.vertex(edge.b).x - places_.vertex(edge.a).x;
    double dy = places_.vertex(edge.b).y - places_.vertex(edge.a).y;
    if (dx < 0 || (dx == 0 && dy > 0)) {
      dx = -dx;
      dy = -dy;
    }
    const Point across{dy / length(edge), -dx / length(edge)};
    const double box = std::abs(across.x) * m.box_width / 2 + std::abs(across.y) * m.box_height / 2;
    const double cell = std::max(m.cell_width, m.cell_height);
    const double clear = box + 8 + std::max(0.0, 0.4 * cell - box - 8) * relative_length(edge);
    // A cubic curve reaches three quarters of the way to its control points.
    return {across.x * clear / 0.75, across.y * clear / 0.75};
  }

  /// 0 for the shortest bent edge of the group, 1 for the longest.
  double relative_length(const DrawnEdge& edge) const {
    const auto [shortest, longest] = bent_[groups_.of_cable[edge.first_cable]];
    return longest - shortest < 1 ? 0 : (length(edge) - shortest) / (longest - shortest);
  }

  /// Notes the lengths of the edges that have to bend.
  void find_bent_edges() {
    bent_.assign(groups_.groups.size(), {1e300, 0});
    for (const DrawnEdge& edge : graph_.edges) {
      if (!bends(edge)) continue;
      auto& range = bent_[groups_.of_cable[edge.first_cable]];
      range = {std::min(range.shortest, length(edge)), std::max(range.longest, length(edge))};
    }
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
      const Point a = places_.vertex(edge.a);
      const Point b = places_.vertex(edge.b);
      const Point at{a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3};
      svg.rect({at.x - 12, at.y - 8}, 24, 15, 3, {.fill = "white", .opacity = 0.85});
      svg.text({at.x, at.y + 4}, fmt::format("\u00d7{}", edge.cables),
               {.size = 11, .anchor = Anchor::middle});
    }
  }

  void draw_host_cables(Svg& svg) const {
    svg.open_group("host-cables", {.fill = "#fbfaf7", .stroke = kAccessColour, .width = 1});
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      const DrawnVertex& vertex = graph_.vertices[v];
      if (vertex.hosts.empty()) continue;
      const bool bundled = measures().hosts == HostStyle::badge || places_.is_framed(v);
      if (bundled) svg.line(places_.vertex(v), places_.host_block(v), {.width = 2});
      if (places_.is_framed(v)) draw_frame(svg, v);
      for (std::size_t i = 0; i < vertex.hosts.size() && !bundled; ++i) {
        svg.line(places_.vertex(v), places_.host(v, i),
                 {.tooltip = cable_tooltip(vertex.host_cables[i], 1)});
      }
    }
    svg.close_group();
  }

  void draw_frame(Svg& svg, std::size_t v) const {
    const Point centre = places_.host_block(v);
    const Point size = places_.block_size(v);
    const double around = measures().hosts == HostStyle::dots ? 2 : 4;
    svg.rect({centre.x - size.x / 2 - around, centre.y - size.y / 2 - around}, size.x + 2 * around,
             size.y + 2 * around, 4);
  }

  void draw_route(Svg& svg) const {
    if (route_.empty()) return;
    svg.open_group("route", {.fill = "none", .stroke = kRouteColour, .width = 4});
    for (const DrawnEdge& edge : graph_.edges) {
      if (on_route(edge)) draw_edge(svg, edge, {});
    }
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      const auto& cables = graph_.vertices[v].host_cables;
      for (std::size_t i = 0; i < cables.size(); ++i) {
        if (!route_.contains(cables[i])) continue;
        svg.line(places_.vertex(v),
                 measures().hosts == HostStyle::badge ? places_.host_block(v) : places_.host(v, i));
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
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      const auto& hosts = graph_.vertices[v].hosts;
      if (hosts.empty()) continue;
      if (measures().hosts == HostStyle::badge) {
        draw_badge(svg, v);
        continue;
      }
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        svg.circle(places_.host(v, i), measures().host_radius,
                   {.tooltip = topology_.name(hosts[i])});
      }
    }
    svg.close_group();
    for (std::size_t v = 0; v < places_.vertices(); ++v) draw_host_names(svg, v);
  }

  void draw_badge(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    const Point at = places_.host_block(v);
    std::string names = topology_.name(hosts.front());
    if (hosts.size() > 1) names += " .. " + topology_.name(hosts.back());
    svg.rect({at.x - 20, at.y - 10}, 40, 20, 10, {.tooltip = names});
  }

  void draw_host_names(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    if (hosts.empty() || measures().hosts == HostStyle::dots) return;
    if (measures().hosts == HostStyle::badge) {
      const Point at = places_.host_block(v);
      return svg.text({at.x, at.y + 4}, fmt::format("\u00d7{}", hosts.size()),
                      {.size = 11, .anchor = Anchor::middle});
    }
    const bool upright = measures().hosts == HostStyle::upright;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const Point at = places_.host(v, i);
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
      for (std::size_t v = 0; v < places_.vertices(); ++v) {
        if (topology_.is_switch(graph_.vertices[v].vertex) == switches) draw_box(svg, v, switches);
      }
      svg.close_group();
    }
    if (!measures().switch_names) return;
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      const VertexId vertex = graph_.vertices[v].vertex;
      svg.text({places_.vertex(v).x, places_.vertex(v).y + 4}, topology_.name(vertex),
               {.size = 11,
                .anchor = Anchor::middle,
                .fill = topology_.is_switch(vertex) ? "white" : "#222222"});
    }
  }

  void draw_box(Svg& svg, std::size_t v, bool is_switch) const {
    const Measures& m = measures();
    const auto& vertex = graph_.vertices[v];
    const std::string tooltip = fmt::format("{}: {} neighbours", topology_.name(vertex.vertex),
                                            vertex.neighbours.size() + vertex.hosts.size());
    svg.rect({places_.vertex(v).x - m.box_width / 2, places_.vertex(v).y - m.box_height / 2},
             m.box_width, m.box_height, is_switch ? 3 : m.box_height / 2, {.tooltip = tooltip});
  }

  void draw_legend(Svg& svg) const {
    double y = height_ - kMargin - kLegendRow * static_cast<double>(groups_.groups.size() + 1);
    svg.circle({kMargin + 14, y - 4}, 6, {.fill = kHostColour, .stroke = kHostEdge});
    svg.text({kMargin + 38, y}, counted(topology_.nodes(), "node", "nodes"));
    y += kLegendRow;
    svg.rect({kMargin + 4, y - 11}, 20, 14, 3, {.fill = kSwitchColour});
    svg.text({kMargin + 38, y}, counted(topology_.switches(), "switch", "switches"));
    for (std::size_t g = 0; g < groups_.groups.size(); ++g) {
      y += kLegendRow;
      const CableGroup& group = groups_.groups[g];
      svg.line({kMargin, y - 4}, {kMargin + 28, y - 4},
               {.stroke = group_colour(g), .width = group_width(g) + 0.6});
      svg.text({kMargin + 38, y},
               fmt::format("{}: {}, {}, {}", group.name, counted(group.cables, "cable", "cables"),
                           group.bandwidth_text(), group.latency_text()));
    }
  }

  struct Lengths {
    double shortest;
    double longest;
  };

  const Platform& platform_;
  const platform::Topology& topology_;
  DrawingGraph graph_;
  CableGroups groups_;
  std::set<std::uint32_t> route_;  ///< Cables.
  Places places_;
  std::vector<Lengths> bent_;  ///< Of the bent edges, by group.
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string topology_svg(const Platform& platform, const std::vector<LinkId>& route) {
  return Drawing(platform, route).draw();
}

}  // namespace heddle::report
