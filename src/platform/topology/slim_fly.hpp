// Slim Fly: the graphs of McKay, Miller and Siran, of diameter two with almost as many switches as
// there can be.
#pragma once

#include <optional>

#include "platform/topology/diameter_two.hpp"

namespace heddle::platform {

struct SlimFlyShape {
  std::int64_t q;  ///< A prime power of the form 4w - 1, 4w or 4w + 1.
  std::optional<std::int64_t>
      nodes_per_switch;  ///< Half of the cables to other switches, rounded up, if it is not given.
};

/// Switches (0,x,y) are numbered x q + y and (1,m,c) q^2 + m q + c, all of the field of q elements.
/// (0,x,y) and (0,x,y') are joined if y - y' is in a set X, (1,m,c) and (1,m,c') if c - c' is in
/// X', (0,x,y) and (1,m,c) if y = m x + c; cables in this order. Throws ParamError if q has not
/// that form.
DiameterTwoPlan slim_fly(const SlimFlyShape& shape);

}  // namespace heddle::platform
