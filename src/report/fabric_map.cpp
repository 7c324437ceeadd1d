#include "report/fabric_map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "report/drawing_graph.hpp"
#include "report/drawing_places.hpp"

namespace heddle::report {
namespace {

double use_of(const LinkUses& uses, std::uint32_t link) {
  return link < uses.size() ? uses[link] : 0;
}

/// From pale to dark, in the order of brightness, so that it can be read without colour.
std::string heat_colour(double use) {
  struct Stop {
    double at;
    int r, g, b;
  };
  static constexpr Stop kStops[] = {{0, 214, 219, 226},
                                    {0.05, 158, 202, 225},
                                    {0.3, 66, 146, 198},
                                    {0.6, 227, 119, 45},
                                    {1, 140, 20, 30}};
  const double clamped = std::clamp(use, 0.0, 1.0);
  std::size_t i = 1;
  while (i + 1 < std::size(kStops) && clamped > kStops[i].at) ++i;
  const Stop& low = kStops[i - 1];
  const Stop& high = kStops[i];
  const double f = (clamped - low.at) / (high.at - low.at);
  const auto mix = [f](int a, int b) { return static_cast<int>(std::lround(a + f * (b - a))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(low.r, high.r), mix(low.g, high.g),
                     mix(low.b, high.b));
}

class MapMaker {
 public:
  MapMaker(const platform::Platform& platform, const LinkUses& uses)
      : platform_(platform),
        uses_(uses),
        graph_(drawing_graph(platform.topology())),
        places_(graph_, platform.topology()) {}

  FabricMap make() {
    map_.width = places_.width();
    map_.height = places_.height();
    for (const DrawnEdge& edge : graph_.edges) {
      add_line(places_.vertex(edge.a), places_.vertex(edge.b), edge.line,
               graph_.vertices[edge.a].is);
    }
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) add_hosts(v);
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) {
      map_.points.push_back({places_.vertex(v), graph_.vertices[v].name,
                             graph_.vertices[v].is.kind == VertexKind::fabric_switch, 0});
    }
    return std::move(map_);
  }

 private:
  void add_hosts(std::size_t v) {
    const auto& hosts = graph_.vertices[v].hosts;
    const bool badge = places_.measures().hosts == HostStyle::badge;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const Point at = badge ? places_.host_block(v) : places_.host(v, i);
      add_line(at, places_.vertex(v), hosts[i].line, {VertexKind::node, hosts[i].vertex, 0});
      if (!badge || i == 0) map_.points.push_back({at, hosts[i].name, false, 0});
    }
  }

  /// Of the cables of a line the busiest speaks for all.
  void add_line(Point a, Point b, const Line& line, const WiredVertex& from) {
    if (line.cables.empty()) return;
    MapLine drawn{a, b, "", 0, 0, 2 * line.cables.front()};
    double most = -1;
    for (const std::uint32_t cable : line.cables) {
      const bool forward =
          from.vertex == kNoVertex || platform_.ends(LinkId{2 * cable}).from == from.vertex;
      const std::uint32_t there = 2 * cable + (forward ? 0 : 1);
      const std::uint32_t back = 2 * cable + (forward ? 1 : 0);
      drawn.there = std::max(drawn.there, use_of(uses_, there));
      drawn.back = std::max(drawn.back, use_of(uses_, back));
      const double use = std::max(use_of(uses_, there), use_of(uses_, back));
      if (use <= most) continue;
      most = use;
      drawn.link = use_of(uses_, there) >= use_of(uses_, back) ? there : back;
    }
    drawn.name = platform_.link_name(LinkId{drawn.link});
    map_.lines.push_back(std::move(drawn));
  }

  const platform::Platform& platform_;
  const LinkUses& uses_;
  DrawingGraph graph_;
  Places places_;
  FabricMap map_;
};

constexpr double kMapMargin = 30;
constexpr double kMapHeader = 70;

void draw_scale(Svg& svg, double x, double y) {
  constexpr int kSteps = 40;
  constexpr double kWidth = 240;
  for (int i = 0; i < kSteps; ++i) {
    svg.rect({x + kWidth * i / kSteps, y}, kWidth / kSteps + 0.5, 10, 0,
             {.fill = heat_colour((i + 0.5) / kSteps)});
  }
  for (const int percent : {0, 25, 50, 75, 100}) {
    svg.text({x + kWidth * percent / 100, y + 22}, fmt::format("{} %", percent),
             {.size = 10, .anchor = Anchor::middle});
  }
}

void draw_lines(Svg& svg, const std::vector<MapLine>& lines, double scale) {
  for (const MapLine& line : lines) {
    svg.line({line.a.x + kMapMargin, line.a.y + kMapMargin + kMapHeader},
             {line.b.x + kMapMargin, line.b.y + kMapMargin + kMapHeader},
             {.stroke = heat_colour(line.use()),
              .width = scale * (0.7 + 5 * line.use()),
              .tooltip = fmt::format("{}: {:.1f} % ({:.1f} % / {:.1f} %)", line.name,
                                     100 * line.use(), 100 * line.there, 100 * line.back)});
  }
}

void name_busiest(Svg& svg, const std::vector<MapLine>& lines, double size) {
  constexpr std::size_t kNamed = 3;
  for (std::size_t i = lines.size(); i-- > 0 && lines.size() - i <= kNamed;) {
    const MapLine& line = lines[i];
    if (line.use() <= 0) return;
    svg.text({(line.a.x + line.b.x) / 2 + kMapMargin,
              (line.a.y + line.b.y) / 2 + kMapMargin + kMapHeader},
             fmt::format("{} {:.0f} %", line.name, 100 * line.use()),
             {.size = size, .anchor = Anchor::middle, .bold = true, .halo = true});
  }
}

}  // namespace

FabricMap fabric_map(const platform::Platform& platform, const LinkUses& uses) {
  try {
    return MapMaker(platform, uses).make();
  } catch (const InputError&) {
    return {};
  }
}

std::string heat_map_svg(const platform::Platform& platform, const LinkUses& uses,
                         const std::string& title) {
  FabricMap map = MapMaker(platform, uses).make();
  std::stable_sort(map.lines.begin(), map.lines.end(),
                   [](const MapLine& a, const MapLine& b) { return a.use() < b.use(); });
  const double width = std::max(map.width + 2 * kMapMargin, 420.0);
  const double scale = std::clamp(width / 900, 1.0, 4.0);
  Svg svg(width, map.height + 2 * kMapMargin + kMapHeader, title);
  svg.text({kMapMargin, 28}, title, {.size = 15, .bold = true});
  draw_scale(svg, kMapMargin + 10, 42);
  draw_lines(svg, map.lines, scale);
  for (const MapPoint& point : map.points) {
    const Point at{point.at.x + kMapMargin, point.at.y + kMapMargin + kMapHeader};
    if (point.is_switch) {
      svg.rect({at.x - 5, at.y - 5}, 10, 10, 2, {.fill = "#34495e", .tooltip = point.name});
    } else {
      svg.circle(at, 3, {.fill = "#8a94a0", .tooltip = point.name});
    }
  }
  name_busiest(svg, map.lines, 11 * scale);
  return svg.str();
}

}  // namespace heddle::report
