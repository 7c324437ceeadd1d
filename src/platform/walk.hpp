// A message on its way through a machine.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/time.hpp"
#include "platform/endpoint.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// Where it is on its way from one endpoint to another.
struct Walk {
  Hop hop;
  Endpoint source;
  Endpoint destination;
  std::uint8_t stage = 0;  ///< The part of the way that comes next, as Routes counts them.
  bool streamed = false;   ///< The link just passed is a bus whose latency is not counted.
  bool backward = false;   ///< The link just passed was used against its even direction.

  /// The direction in which it takes the link that Routes::next() has just given.
  LinkId direction(LinkId passed) const {
    const auto number = static_cast<std::uint32_t>(passed);
    return LinkId{backward ? number | 1U : number};
  }
};

/// A link on a route, or kNoLink behind the last one.
struct RouteStep {
  LinkId link = kNoLink;
  Time latency;
};

}  // namespace heddle::platform
