// A machine's fabric as a map of how much its links were used.
#pragma once

#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "report/svg.hpp"

namespace heddle::report {

/// How much of each link was used, by LinkId; what is beyond its end was not.
using LinkUses = std::vector<double>;

/// A place on the map.
struct MapPoint {
  Point at;
  std::string name;
  bool is_switch = false;
  double busiest = 0;  ///< Of its links.
};
/// A line between two places: one cable, or several side by side.
struct MapLine {
  Point a;
  Point b;
  std::string name;
  double there = 0;        ///< Use of the busiest of its cables, from a to b,
  double back = 0;         ///< and from b to a.
  std::uint32_t link = 0;  ///< Of that.
  double use() const { return there > back ? there : back; }
};

struct FabricMap {
  double width = 0;
  double height = 0;
  std::vector<MapPoint> points;
  std::vector<MapLine> lines;
};

/// Empty if the machine is too large to draw.
FabricMap fabric_map(const platform::Platform& platform, const LinkUses& uses);

/// The map as an SVG document: more used links are darker and thicker, and the busiest are named.
std::string heat_map_svg(const platform::Platform& platform, const LinkUses& uses,
                         const std::string& title);

}  // namespace heddle::report
