// Whether messages that hold a link and wait for the next can wait for each other in a circle.
#pragma once

#include "platform/topology.hpp"

namespace heddle::platform {

/// Whether those on the fixed routes between all nodes can. All routes are followed, which takes a
/// fraction of a second for a thousand nodes.
bool fixed_routes_have_circle(const Topology& topology);

}  // namespace heddle::platform
