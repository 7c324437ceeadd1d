// What cables and switches of a fabric are like.
#pragma once

#include "core/params.hpp"
#include "core/quantity.hpp"

namespace heddle::platform {

enum class Duplex { full, half };

/// The properties of a cable.
struct LinkParams {
  Bandwidth
      bandwidth;  ///< What all messages together get (per direction, or in all for half duplex).
  Bandwidth flow_cap;  ///< What one message gets at most.
  Time latency;
  Duplex duplex = Duplex::full;
  auto operator<=>(const LinkParams&) const = default;
};

struct SwitchParams {
  Time latency;  ///< From the arrival of a head to its leaving on an idle output.
};

const ParamTable<LinkParams>& link_table();
const ParamTable<SwitchParams>& switch_table();

}  // namespace heddle::platform
