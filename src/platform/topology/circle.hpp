// Places on a circle, for drawings of fabrics that have no rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "platform/topology.hpp"

namespace heddle::platform {

/// The point at `turn` (0 is the top, 1 once around) of a circle.
inline Point on_circle(Point centre, double radius, double turn) {
  const double angle = 2 * std::numbers::pi * turn;
  return {centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)};
}

/// The place of thing `number` of `count` that take `width` each along the circle.
inline Point along_circle(std::uint32_t number, std::uint32_t count, double width) {
  return on_circle(Point{}, std::max(1.5, count * width / (2 * std::numbers::pi)),
                   static_cast<double>(number) / count);
}

/// Outside of a switch at `turn` of a circle: its node on `port` of `ports`, side by side with the
/// others.
inline Point beside_circle(Point at, double turn, std::uint32_t port, std::uint32_t ports) {
  const Point outwards = on_circle(Point{}, 1.5, turn);
  const Point aside = on_circle(Point{}, port - (ports - 1) / 2.0, turn + 0.25);
  return {at.x + outwards.x + aside.x, at.y + outwards.y + aside.y};
}

}  // namespace heddle::platform
