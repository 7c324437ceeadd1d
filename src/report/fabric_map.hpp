// A machine's fabric as a map of how much its links were used.
#pragma once

#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "report/svg.hpp"

namespace heddle::report {

/// How much of each link was used, by LinkId; what is beyond its end was not.
using LinkUses = std::vector<double>;

/// A place on the map: a switch, a node, or where links meet.
struct MapPoint {
  Point at;
  std::string name;
  bool is_switch = false;
  VertexId vertex = kNoVertex;  ///< Of the fabric, if it is one.
  std::uint32_t on = kNoPoint;  ///< Of a node that hangs on a switch: the point of that.
  static constexpr std::uint32_t kNoPoint = UINT32_MAX;
};
/// A line between two places: one cable, or several side by side.
struct MapLine {
  std::uint32_t a = 0;  ///< Points,
  std::uint32_t b = 0;
  std::string name;
  double there = 0;        ///< Use of the busiest of its cables, from a to b,
  double back = 0;         ///< and from b to a.
  std::uint32_t link = 0;  ///< Of that.
  double use() const { return there > back ? there : back; }
};

struct FabricMap {
  double width = 0;
  double height = 0;
  bool in_rows = false;  ///< Levels, one above the other: only distances along them are free.
  std::vector<MapPoint> points;
  std::vector<MapLine> lines;
};

/// Empty if the machine is too large to draw.
FabricMap fabric_map(const platform::Platform& platform, const LinkUses& uses);

/// The map as an SVG document: more used links are darker and thicker, and the busiest are named.
std::string heat_map_svg(const platform::Platform& platform, const LinkUses& uses,
                         const std::string& title);

}  // namespace heddle::report
