// A link as the network models see it.
#pragma once

#include <compare>

#include "core/quantity.hpp"
#include "platform/link_params.hpp"

namespace heddle::platform {

struct Link {
  Bandwidth bandwidth;  ///< Shared capacity; unlimited for a link that only caps each message.
  Bandwidth flow_cap;
  Time latency;  ///< Wire and, where it leaves a switch, the switch.
  Duplex duplex = Duplex::full;
  auto operator<=>(const Link&) const = default;

  /// Whether it can hold a message up.
  bool matters() const {
    return !bandwidth.is_unlimited() || !flow_cap.is_unlimited() || latency > Time::zero();
  }
};

}  // namespace heddle::platform
