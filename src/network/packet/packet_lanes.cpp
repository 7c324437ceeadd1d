// Which virtual lane a packet takes.
#include <algorithm>

#include "network/packet/packet_parts.hpp"
#include "platform/metrics.hpp"

namespace heddle::network {
namespace {

std::int64_t longest_route(const platform::Platform& platform) {
  return platform::longest_route(platform.topology(), platform.routing().choice());
}

bool goes_by_hop(const PacketConfig& config, const platform::Platform& platform) {
  if (config.lane_by != LaneChoice::automatic) return config.lane_by == LaneChoice::hop;
  return !config.lanes && !config.class_lanes &&
         platform.topology().can_wait_in_circles(platform.routing().choice());
}

/// As many lanes as the classes are given, or the most there are.
std::int64_t lanes_of_classes(const PacketConfig& config) {
  if (!config.class_lanes) return 1;
  const std::int64_t last =
      *std::max_element(config.class_lanes->begin(), config.class_lanes->end());
  return 1 + std::min(last, kMostLanes - 1);
}

std::string number(std::int64_t n) {
  return std::to_string(n);
}

}  // namespace

void PacketNetwork::choose_lanes() {
  by_hop_ = goes_by_hop(config_, platform_);
  const std::int64_t usual = by_hop_ ? longest_route(platform_) : lanes_of_classes(config_);
  const std::int64_t lanes = std::clamp<std::int64_t>(config_.lanes.value_or(usual), 1, kMostLanes);
  lanes_ = static_cast<std::size_t>(lanes);
  if (config_.class_lanes) {
    for (const std::int64_t lane : *config_.class_lanes) {
      if (lane >= 0 && lane < lanes) continue;
      throw InputError({"packet.class_lanes"}, "there is no lane " + number(lane) +
                                                   ": accepted are 0 to " + number(lanes - 1));
    }
  }
  high_table_ = parse_lane_table(config_.high_table, lanes, {"packet.high_table"});
  low_table_ = parse_lane_table(config_.low_table, lanes, {"packet.low_table"});
  served_.resize(lanes_);
  for (const auto* table : {&high_table_, &low_table_}) {
    for (const LaneWeight& entry : *table) served_[entry.lane] = true;
  }
  for (std::size_t lane = 0; by_hop_ && lane < lanes_; ++lane)
    check_lane(lane, "packet.lane_by=hop");
  if (config_.congestion_control) check_lane(0, "congestion notifications");
}

/// Throws if the arbiters would never serve the lane.
void PacketNetwork::check_lane(std::size_t lane, const std::string& user) const {
  if (served_[lane]) return;
  throw InputError({"packet.low_table"},
                   "lane " + std::to_string(lane) + ", used by " + user +
                       ", is in no arbitration table: accepted are tables that name it, or auto");
}

/// The lane in which a message leaves its source.
int PacketNetwork::first_lane(const Transfer& transfer) const {
  if (by_hop_) return 0;
  std::size_t lane = transfer.traffic_class % lanes_;
  if (config_.class_lanes) {
    if (transfer.traffic_class >= config_.class_lanes->size())
      throw InputError({"packet.class_lanes"}, "class " + number(transfer.traffic_class) +
                                                   " has no lane: accepted is a list with one for "
                                                   "every class in use");
    lane = static_cast<std::size_t>((*config_.class_lanes)[transfer.traffic_class]);
  }
  if (!served_[lane]) check_lane(lane, "class " + number(transfer.traffic_class));
  return static_cast<int>(lane);
}

/// A packet waits only for packets that are further on: link i of the fabric has lane i.
void PacketNetwork::climb(Packet& packet) const {
  const std::size_t crossed = packet.walk.hop.step;
  packet.lane =
      static_cast<std::uint8_t>(std::min(crossed - std::min<std::size_t>(crossed, 1), lanes_ - 1));
}

std::string PacketNetwork::deadlock_advice() const {
  const std::int64_t longest = longest_route(platform_);
  return "packet.lane_by=hop with packet.lanes=" + number(longest) +
         ", as many as the longest route has links, or routes without cycles, avoid it";
}

}  // namespace heddle::network
