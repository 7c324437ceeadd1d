// Topologies with rings.
#pragma once

#include <cstdint>

#include "core/ids.hpp"

namespace heddle::platform {

/// What a topology is as well whose dimensions are rings, or lines.
class Ringed {
 public:
  /// A cable's place in the rings; nodes' cables are in none.
  struct Step {
    bool in_ring = false;
    std::uint32_t dimension = 0;
    bool wraps = false;  ///< It closes the ring.
  };
  virtual Step ring_step(LinkId link) const = 0;
  /// Whether who goes on from a link of a ring, in its direction, to the place of `to` in that ring
  /// takes the cable that closes it, which `link` may be itself.
  virtual bool will_wrap(LinkId link, VertexId to) const = 0;

 protected:
  ~Ringed() = default;
};

}  // namespace heddle::platform
