#include "report/topology_svg.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/drawing_bends.hpp"
#include "report/drawing_graph.hpp"
#include "report/drawing_looks.hpp"
#include "report/drawing_places.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

using platform::Platform;

constexpr double kMargin = 36;
constexpr double kHeader = 76;
constexpr double kLegendLine = 20;
constexpr double kBendRoom = 40;  ///< Around the drawing, for cables that go around vertices.

std::vector<std::size_t> look_of_each_edge(const DrawingGraph& graph, const Looks& looks) {
  std::vector<std::size_t> numbers;
  for (const DrawnEdge& edge : graph.edges) numbers.push_back(looks.number_of(edge.line));
  return numbers;
}

/// The drawing without titles and legend.
class FabricDrawing {
 public:
  /// All must outlive the drawing.
  FabricDrawing(const platform::Topology& topology, const DrawingGraph& graph, const Looks& looks,
                const std::vector<LinkId>& route)
      : graph_(graph),
        looks_(looks),
        places_(graph, topology),
        bends_(graph, places_, look_of_each_edge(graph, looks)),
        tone_(line_tone(graph, looks, places_)) {
    for (const LinkId link : route) {
      const auto cable = static_cast<std::uint32_t>(index(link) / 2);
      if (cable < topology.cables()) route_.insert(cable);
    }
  }

  Svg draw() const {
    Svg svg(places_.width(), places_.height(), "");
    draw_cables(svg);
    draw_host_cables(svg);
    draw_route(svg);
    draw_hosts(svg);
    draw_vertices(svg);
    return svg;
  }
  /// What cables that go around vertices need around the drawing.
  double margin() const { return bends_.any() ? kBendRoom : 0; }

 private:
  const Measures& measures() const { return places_.measures(); }

  // Cables between vertices.

  void draw_cables(Svg& svg) const {
    for (std::size_t look = 0; look < looks_.all().size(); ++look) {
      svg.open_group("cables", {.fill = "none",
                                .stroke = looks_.all()[look].colour,
                                .width = tone_.scale * looks_.all()[look].width,
                                .opacity = tone_.opacity});
      for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
        const Line& line = graph_.edges[e].line;
        if (!line.cables.empty() && looks_.number_of(line) == look) {
          draw_edge(svg, e, {.tooltip = edge_text(e)});
        }
      }
      svg.close_group();
    }
    draw_touching(svg);
    if (graph_.edges.size() <= 64) draw_multiplicities(svg);
  }

  /// Lines that are no cables.
  void draw_touching(Svg& svg) const {
    svg.open_group("touching",
                   {.fill = "none", .stroke = "#555555", .width = tone_.scale, .dash = "3 3"});
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      if (graph_.edges[e].line.cables.empty()) draw_edge(svg, e, {});
    }
    svg.close_group();
  }

  /// Draws an edge, bent to one side where a vertex stands in its way.
  void draw_edge(Svg& svg, std::size_t e, const Paint& paint) const {
    const Point a = places_.vertex(graph_.edges[e].a);
    const Point b = places_.vertex(graph_.edges[e].b);
    const auto aside = bends_.sideways(e);
    if (!aside) return svg.line(a, b, paint);
    svg.curve(a, {a.x + aside->x, a.y + aside->y}, {b.x + aside->x, b.y + aside->y}, b, paint);
  }

  std::string edge_text(std::size_t e) const {
    const DrawnEdge& edge = graph_.edges[e];
    return looks_.line_text(graph_.vertices[edge.a].name, graph_.vertices[edge.b].name, edge.line);
  }

  void draw_multiplicities(Svg& svg) const {
    for (const DrawnEdge& edge : graph_.edges) {
      if (edge.line.parallel == 1) continue;
      // A third of the way: in the middle the labels of crossing cables would meet.
      const Point a = places_.vertex(edge.a);
      const Point b = places_.vertex(edge.b);
      const Point at{a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3};
      svg.rect({at.x - 12, at.y - 8}, 24, 15, 3, {.fill = "white", .opacity = 0.85});
      svg.text({at.x, at.y + 4}, fmt::format("\u00d7{}", edge.line.parallel),
               {.size = 11, .anchor = Anchor::middle});
    }
  }

  // Nodes on their switches.

  /// Whether one line stands for the cables of all nodes of a vertex.
  bool is_bundled(std::size_t v) const {
    return measures().hosts == HostStyle::badge || places_.is_framed(v);
  }

  void draw_host_cables(Svg& svg) const {
    svg.open_group("host-cables", {.fill = "#fbfaf7", .stroke = kAccessColour, .width = 1});
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      if (graph_.vertices[v].hosts.empty()) continue;
      if (is_bundled(v)) {
        draw_bundle(svg, v);
      } else {
        draw_each_host_cable(svg, v);
      }
    }
    svg.close_group();
  }

  void draw_bundle(Svg& svg, std::size_t v) const {
    const CableLook& look = looks_.of(graph_.vertices[v].hosts.front().line);
    svg.line(places_.vertex(v), places_.host_block(v),
             {.stroke = look.colour, .width = 2 * tone_.scale});
    if (!places_.is_framed(v)) return;
    const Point centre = places_.host_block(v);
    const Point size = places_.block_size(v);
    const double around = measures().hosts == HostStyle::dots ? 2 : 4;
    svg.rect({centre.x - size.x / 2 - around, centre.y - size.y / 2 - around}, size.x + 2 * around,
             size.y + 2 * around, 4);
  }

  void draw_each_host_cable(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const CableLook& look = looks_.of(hosts[i].line);
      svg.line(
          places_.vertex(v), places_.host(v, i),
          {.stroke = look.colour,
           .width = look.width,
           .tooltip = looks_.line_text(hosts[i].name, graph_.vertices[v].name, hosts[i].line)});
    }
  }

  void draw_hosts(Svg& svg) const {
    svg.open_group("nodes", {.fill = kNodeColour, .stroke = kNodeEdge, .width = 1});
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      if (graph_.vertices[v].hosts.empty()) continue;
      if (measures().hosts == HostStyle::badge) {
        draw_badge(svg, v);
      } else {
        draw_dots(svg, v);
      }
    }
    svg.close_group();
    for (std::size_t v = 0; v < places_.vertices(); ++v) draw_host_names(svg, v);
  }

  void draw_dots(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      Paint paint{.tooltip = hosts[i].name};
      if (is_bundled(v)) {
        // Its own cable is not drawn: its outline shows if that is unlike the bundle.
        const CableLook& look = looks_.of(hosts[i].line);
        if (&look != &looks_.of(hosts.front().line)) {
          paint.stroke = look.colour;
          paint.width = 2;
        }
        paint.tooltip = looks_.line_text(hosts[i].name, graph_.vertices[v].name, hosts[i].line);
      }
      svg.circle(places_.host(v, i), measures().host_radius, paint);
    }
  }

  void draw_badge(Svg& svg, std::size_t v) const {
    const auto& hosts = graph_.vertices[v].hosts;
    const Point at = places_.host_block(v);
    std::string names = hosts.front().name;
    if (hosts.size() > 1) names += " .. " + hosts.back().name;
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
               shortened(hosts[i].name, kHostLetters, measures().host_name),
               {.size = kHostLetters,
                .anchor = upright ? Anchor::start : Anchor::middle,
                .rotate = upright ? 90.0 : 0.0,
                .halo = true});
    }
  }

  // The route.

  bool on_route(const Line& line) const {
    return std::any_of(line.cables.begin(), line.cables.end(),
                       [&](std::uint32_t cable) { return route_.contains(cable); });
  }

  void draw_route(Svg& svg) const {
    if (route_.empty()) return;
    svg.open_group("route", {.fill = "none", .stroke = kRouteColour, .width = 4 * tone_.scale});
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      if (on_route(graph_.edges[e].line)) draw_edge(svg, e, {});
    }
    for (std::size_t v = 0; v < places_.vertices(); ++v) draw_route_at(svg, v);
    svg.close_group();
  }

  void draw_route_at(Svg& svg, std::size_t v) const {
    const DrawnVertex& vertex = graph_.vertices[v];
    for (std::size_t i = 0; i < vertex.hosts.size(); ++i) {
      if (!on_route(vertex.hosts[i].line)) continue;
      svg.line(places_.vertex(v),
               measures().hosts == HostStyle::badge ? places_.host_block(v) : places_.host(v, i));
    }
    if (vertex.is.kind == VertexKind::shared_link && route_.contains(vertex.is.cable)) {
      draw_shape(svg, v, {});
    }
  }

  // Vertices.

  void draw_vertices(Svg& svg) const {
    draw_vertices(svg, "nodes", VertexKind::node);
    draw_vertices(svg, "switches", VertexKind::fabric_switch);
    draw_vertices(svg, "links", VertexKind::shared_link);
    draw_vertices(svg, "junctions", VertexKind::junction);
    if (!measures().switch_names) return;
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      const DrawnVertex& vertex = graph_.vertices[v];
      if (vertex.name.empty()) continue;
      svg.text({places_.vertex(v).x, places_.vertex(v).y + 4},
               shortened(vertex.name, kSwitchLetters, measures().switch_name),
               {.size = kSwitchLetters,
                .anchor = Anchor::middle,
                .fill = look_of(vertex.is.kind).letters});
    }
  }

  void draw_vertices(Svg& svg, const char* name, VertexKind kind) const {
    if (graph_.count(kind) == 0) return;
    const VertexLook look = look_of(kind);
    svg.open_group(name, {.fill = look.fill, .stroke = look.edge, .width = 1});
    for (std::size_t v = 0; v < places_.vertices(); ++v) {
      if (graph_.vertices[v].is.kind != kind) continue;
      draw_shape(svg, v, {.tooltip = looks_.vertex_text(graph_.vertices[v])});
    }
    svg.close_group();
  }

  /// Boxes for switches and links, rounded for nodes, a dot for a junction.
  void draw_shape(Svg& svg, std::size_t v, const Paint& paint) const {
    const Measures& m = measures();
    const VertexKind kind = graph_.vertices[v].is.kind;
    const Point at = places_.vertex(v);
    if (kind == VertexKind::junction) return svg.circle(at, 5, paint);
    const double corner = kind == VertexKind::node          ? m.box_height / 2
                          : kind == VertexKind::shared_link ? 8
                                                            : 3;
    svg.rect({at.x - m.box_width / 2, at.y - m.box_height / 2}, m.box_width, m.box_height, corner,
             paint);
  }

  const DrawingGraph& graph_;
  const Looks& looks_;
  std::set<std::uint32_t> route_;  ///< Cables.
  Places places_;
  Bends bends_;
  LineTone tone_;
};

/// The page around the drawing: titles above, legend below.
class Page {
 public:
  Page(const Platform& platform, const Looks& looks, const Svg& fabric, double margin)
      : name_(platform.name()),
        about_(platform.topology().describe()),
        looks_(looks),
        fabric_(fabric),
        margin_(margin),
        unit_(word_scale(fabric.width(), fabric.height())) {}

  std::string draw() const {
    const double width = std::max(fabric_.width() + 2 * margin_, width_of_words()) + 2 * kMargin;
    const double legend = unit_ * kHeader + fabric_.height() + 2 * margin_;
    const double rows = static_cast<double>(looks_.legend().size());
    Svg svg(width, legend + unit_ * kLegendLine * (rows + 0.5) + kMargin, name_ + ": " + about_);
    draw_titles(svg);
    svg.nest({(width - fabric_.width()) / 2, unit_ * kHeader + margin_}, fabric_);
    draw_legend(svg, legend + unit_ * 1.5 * kLegendLine);
    return svg.str();
  }

 private:
  double width_of_words() const {
    double words = std::max({400 / unit_, drawn_width(name_, 18), drawn_width(about_, 13)});
    for (const LegendRow& row : looks_.legend()) {
      words = std::max(words, 38 + drawn_width(row.text, 12));
    }
    return unit_ * words;
  }

  void draw_titles(Svg& svg) const {
    svg.text({svg.width() / 2, unit_ * 32}, name_,
             {.size = unit_ * 18, .anchor = Anchor::middle, .bold = true});
    svg.text({svg.width() / 2, unit_ * 54}, about_,
             {.size = unit_ * 13, .anchor = Anchor::middle, .fill = "#555555"});
  }

  void draw_legend(Svg& svg, double y) const {
    for (const LegendRow& row : looks_.legend()) {
      draw_sample(svg, row, y - unit_ * 4);
      const double x = row.sample == Sample::none ? 0 : 38;
      svg.text({kMargin + unit_ * x, y}, row.text, {.size = unit_ * 12});
      y += unit_ * kLegendLine;
    }
  }

  void draw_sample(Svg& svg, const LegendRow& row, double y) const {
    const Point middle{kMargin + unit_ * 14, y};
    switch (row.sample) {
      case Sample::node:
        return svg.circle(middle, unit_ * 6, {.fill = kNodeColour, .stroke = kNodeEdge});
      case Sample::fabric_switch:
        return draw_box(svg, VertexKind::fabric_switch, 3, middle);
      case Sample::shared_link:
        return draw_box(svg, VertexKind::shared_link, 7, middle);
      case Sample::junction:
        return svg.circle(middle, unit_ * 5, {.fill = kSwitchColour});
      case Sample::cable: {
        const CableLook& look = looks_.all()[row.look];
        return svg.line({kMargin, y}, {kMargin + unit_ * 28, y},
                        {.stroke = look.colour, .width = unit_ * (look.width + 0.6)});
      }
      case Sample::none:
        return;
    }
  }

  void draw_box(Svg& svg, VertexKind kind, double corner, Point middle) const {
    const VertexLook look = look_of(kind);
    svg.rect({middle.x - unit_ * 10, middle.y - unit_ * 7}, unit_ * 20, unit_ * 14, unit_ * corner,
             {.fill = look.fill, .stroke = look.edge});
  }

  std::string name_;
  std::string about_;
  const Looks& looks_;
  const Svg& fabric_;
  double margin_;
  double unit_;  ///< How much larger than usual titles and legend are.
};

}  // namespace

std::string topology_svg(const Platform& platform, const std::vector<LinkId>& route) {
  const DrawingGraph graph = drawing_graph(platform.topology());
  const Looks looks(platform, graph);
  const FabricDrawing drawing(platform.topology(), graph, looks, route);
  return Page(platform, looks, drawing.draw(), drawing.margin()).draw();
}

}  // namespace heddle::report
