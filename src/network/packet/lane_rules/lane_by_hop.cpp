#include <algorithm>

#include "network/packet/packet.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// A packet waits only for packets that are further on: link i of the fabric has lane i.
class LaneByHop final : public LaneRule {
 public:
  explicit LaneByHop(std::size_t lanes) : last_(lanes - 1) {}
  std::size_t first(const Transfer&) const override { return 0; }
  bool changes() const override { return true; }
  std::size_t next(const Packet& packet) const override {
    const std::size_t crossed = packet.walk.hop.step;
    return std::min(crossed - std::min<std::size_t>(crossed, 1), last_);
  }

 private:
  std::size_t last_;
};

}  // namespace

bool goes_by_hop(const PacketConfig& config, const platform::Platform& platform) {
  if (config.lane_by != LaneChoice::automatic) return config.lane_by == LaneChoice::hop;
  return !config.lanes && !config.class_lanes &&
         platform.topology().can_wait_in_circles(platform.routing().choice());
}

std::unique_ptr<const LaneRule> lane_by_hop(std::size_t lanes) {
  return std::make_unique<LaneByHop>(lanes);
}

}  // namespace heddle::network
