// PolarFly: the polarity graphs of projective planes, of diameter two.
#pragma once

#include <optional>

#include "platform/topology/diameter_two.hpp"

namespace heddle::platform {

struct PolarFlyShape {
  std::int64_t q;  ///< A prime power.
  std::optional<std::int64_t>
      nodes_per_switch;  ///< Half of the cables to other switches, rounded up, if it is not given.
};

/// Switches are the points of the projective plane over the field of q elements, (1,a,b), then
/// (0,1,a), then (0,0,1), and joined if their product is zero. Those orthogonal to themselves have
/// q cables, all others q + 1. Throws ParamError if q is no prime power.
DiameterTwoPlan polarfly(const PolarFlyShape& shape);

}  // namespace heddle::platform
