// What congestion control knows of a flow's way before anything has been sent.
#pragma once

#include "network/packet/packet_plan.hpp"

namespace heddle::network {

/// By the way that an idle machine gives a packet; `longest` is that of longest_rtt().
FlowPath flow_path(const PacketPlan& plan, const platform::Endpoint& source,
                   const platform::Endpoint& destination, Time longest);

/// The longest from the first node to any other.
Time longest_rtt(const PacketPlan& plan);

}  // namespace heddle::network
