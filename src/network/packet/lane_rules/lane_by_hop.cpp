#include <algorithm>

#include "network/packet/packet_plan.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// A packet waits only for packets that are further on: link i of the fabric has lane i.
class LaneByHop final : public LaneRule {
 public:
  explicit LaneByHop(std::size_t lanes) : last_(lanes - 1) {}
  std::size_t first(const Transfer&) const override { return 0; }
  bool changes() const override { return true; }
  std::size_t next(const Packet& packet, LinkId) const override {
    const std::size_t crossed = packet.walk.hop.step;
    return std::min(crossed - std::min<std::size_t>(crossed, 1), last_);
  }

 private:
  std::size_t last_;
};

}  // namespace

const PacketLaneRule& lane_by_hop() {
  static const PacketLaneRule rule = {
      {"hop", "one lane up with every link", nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByHop>(inputs.lanes);
       }},
      [](const PacketConfig&, const platform::Platform& platform) {
        return longest_route(platform);
      }};
  return rule;
}

}  // namespace heddle::network
