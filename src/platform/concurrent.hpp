// Which topologies several threads may use.
#pragma once

#include "platform/topology.hpp"

namespace heddle::platform {

/// Whether several threads may ask for routes at the same time: regular topologies compute them,
/// those read from files work them out and keep them when somebody first asks.
bool concurrent(const Topology& topology);

}  // namespace heddle::platform
