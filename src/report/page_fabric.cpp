// The map of a fabric as the page draws it.
#include <cmath>

#include "report/fabric_map.hpp"
#include "report/recorded_run.hpp"
#include "report/route_tables.hpp"

namespace heddle::report {
namespace {

double tenth(double value) {
  return std::round(value * 10) / 10;
}

/// The name that the page gives the more used direction of a line by itself.
std::string plain_name(const FabricMap& map, const MapLine& line) {
  const std::string& a = map.points[line.a].name;
  const std::string& b = map.points[line.b].name;
  return line.there >= line.back ? a + "->" + b : b + "->" + a;
}

Json points_json(const FabricMap& map) {
  Json points = Json::array();
  for (const MapPoint& p : map.points) {
    Json point = {tenth(p.at.x), tenth(p.at.y), p.name, p.is_switch ? 1 : 0,
                  p.vertex == kNoVertex ? Json(-1) : Json(index(p.vertex))};
    if (p.on != MapPoint::kNoPoint) point.push_back(p.on);
    points.push_back(std::move(point));
  }
  return points;
}

Json lines_json(const FabricMap& map) {
  Json lines = Json::array();
  for (const MapLine& l : map.lines) {
    Json line = {l.a, l.b, significant(l.there), significant(l.back)};
    if (l.name != plain_name(map, l)) line.push_back(l.name);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

Json fabric_json(const platform::Platform& platform, const LinkUses& uses) {
  const FabricMap map = fabric_map(platform, uses);
  Json json;
  json["width"] = tenth(map.width);
  json["height"] = tenth(map.height);
  json["in_rows"] = map.in_rows;
  json["points"] = points_json(map);
  json["lines"] = lines_json(map);
  if (map.points.empty()) return json;
  if (const std::optional<Json> routes = route_tables(platform)) json["routes"] = *routes;
  return json;
}

}  // namespace heddle::report
