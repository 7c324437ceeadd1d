// The rules of the packet model, each in a file of its own.
#pragma once

#include <memory>

#include "network/packet/config.hpp"
#include "network/packet/congestion_control.hpp"
#include "network/packet/input_order.hpp"
#include "network/packet/lane_arbitration.hpp"
#include "network/packet/lane_rule.hpp"

namespace heddle::network {

/// Whether lanes are by hop: as is set, or where the routes could deadlock.
bool goes_by_hop(const PacketConfig& config, const platform::Platform& platform);
/// As many lanes as the classes are given, or the most there are.
std::int64_t lanes_of_classes(const PacketConfig& config);

std::unique_ptr<const LaneRule> lane_by_class(const PacketConfig& config, std::size_t lanes);
std::unique_ptr<const LaneRule> lane_by_hop(std::size_t lanes);
std::unique_ptr<const InputOrder> round_robin();
std::unique_ptr<const LaneArbitration> weighted_lanes(const PacketConfig& config,
                                                      std::size_t lanes);
std::unique_ptr<const CongestionControl> congestion_table(const PacketConfig& config);

}  // namespace heddle::network
