// Which buffers of a packet network wait for which: whether packets can deadlock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/packet/packet_plan.hpp"

namespace heddle::network {

/// The buffer of one lane at the end of a link.
struct Channel {
  LinkId link = kNoLink;
  std::size_t lane = 0;
  bool operator==(const Channel&) const = default;
};

/// What a look at all routes between all nodes found.
struct LaneCheck {
  std::string rule;              ///< packet.lane_by.
  std::size_t lanes = 0;         ///< Of every link.
  std::size_t channels = 0;      ///< That packets use.
  std::size_t dependencies = 0;  ///< Pairs of them of which a packet in one may wait for the other.
  std::vector<Channel> circle;   ///< That wait for each other, each for the next; empty: none can.
};

/// Follows every way that the routing of the plan's machine may take, with the lane that the rule
/// gives it. Throws InputError if there are too many ways to follow.
LaneCheck check_lanes(const PacketPlan& plan);

}  // namespace heddle::network
