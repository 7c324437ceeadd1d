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
    map_.in_rows = places_.in_rows();
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) {
      const WiredVertex& is = graph_.vertices[v].is;
      map_.points.push_back({places_.vertex(v), graph_.vertices[v].name,
                             is.kind == VertexKind::fabric_switch, is.vertex});
    }
    for (const DrawnEdge& edge : graph_.edges) {
      add_line(edge.a, edge.b, edge.line, graph_.vertices[edge.a].is);
    }
    for (std::uint32_t v = 0; v < graph_.vertices.size(); ++v) add_hosts(v);
    return std::move(map_);
  }

 private:
  void add_hosts(std::uint32_t v) {
    const auto& hosts = graph_.vertices[v].hosts;
    const bool badge = places_.measures().hosts == HostStyle::badge;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const auto point = static_cast<std::uint32_t>(map_.points.size());
      map_.points.push_back({badge ? places_.host_block(v) : places_.host(v, i), hosts[i].name,
                             false, hosts[i].vertex, v});
      add_line(point, v, hosts[i].line, {VertexKind::node, hosts[i].vertex, 0});
    }
  }

  /// Of the cables of a line the busiest speaks for all.
  void add_line(std::uint32_t a, std::uint32_t b, const Line& line, const WiredVertex& from) {
    if (line.cables.empty()) return;
    MapLine drawn{a, b, "", 0, 0, 2 * line.cables.front()};
    double most = -1;
    for (const std::uint32_t cable : line.cables) {
      const bool forward =
          from.vertex == kNoVertex || platform_.links().ends(LinkId{2 * cable}).from == from.vertex;
      const std::uint32_t there = 2 * cable + (forward ? 0 : 1);
      const std::uint32_t back = 2 * cable + (forward ? 1 : 0);
      drawn.there = std::max(drawn.there, use_of(uses_, there));
      drawn.back = std::max(drawn.back, use_of(uses_, back));
      const double use = std::max(use_of(uses_, there), use_of(uses_, back));
      if (use <= most) continue;
      most = use;
      drawn.link = use_of(uses_, there) >= use_of(uses_, back) ? there : back;
    }
    drawn.name = platform_.links().name(LinkId{drawn.link});
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

/// Where a point of the map is on the sheet.
Point placed(const FabricMap& map, std::uint32_t point) {
  const Point at = map.points[point].at;
  return {at.x + kMapMargin, at.y + kMapMargin + kMapHeader};
}

void draw_lines(Svg& svg, const FabricMap& map, double scale) {
  for (const MapLine& line : map.lines) {
    svg.line(placed(map, line.a), placed(map, line.b),
             {.stroke = heat_colour(line.use()),
              .width = scale * (0.7 + 5 * line.use()),
              .tooltip = fmt::format("{}: {:.1f} % ({:.1f} % / {:.1f} %)", line.name,
                                     100 * line.use(), 100 * line.there, 100 * line.back)});
  }
}

/// Nodes that are drawn as one are one point.
void draw_points(Svg& svg, const FabricMap& map) {
  const MapPoint* before = nullptr;
  for (std::uint32_t i = 0; i < map.points.size(); ++i) {
    const MapPoint& point = map.points[i];
    const Point at = placed(map, i);
    const bool same = before != nullptr && point.on != MapPoint::kNoPoint &&
                      point.at.x == before->at.x && point.at.y == before->at.y;
    before = &point;
    if (point.is_switch) {
      svg.rect({at.x - 5, at.y - 5}, 10, 10, 2, {.fill = "#34495e", .tooltip = point.name});
    } else if (!same) {
      svg.circle(at, 3, {.fill = "#8a94a0", .tooltip = point.name});
    }
  }
}

void name_busiest(Svg& svg, const FabricMap& map, double size) {
  constexpr std::size_t kNamed = 3;
  for (std::size_t i = map.lines.size(); i-- > 0 && map.lines.size() - i <= kNamed;) {
    const MapLine& line = map.lines[i];
    if (line.use() <= 0) return;
    const Point a = placed(map, line.a);
    const Point b = placed(map, line.b);
    svg.text({(a.x + b.x) / 2, (a.y + b.y) / 2},
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
  draw_lines(svg, map, scale);
  draw_points(svg, map);
  name_busiest(svg, map, 11 * scale);
  return svg.str();
}

}  // namespace heddle::report
