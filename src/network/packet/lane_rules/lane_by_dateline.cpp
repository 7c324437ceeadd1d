#include <algorithm>

#include "network/packet/rules.hpp"
#include "platform/ringed.hpp"

namespace heddle::network {
namespace {

bool makes_detours(const platform::Platform& platform) {
  return platform.routing().choice() == platform::RouteChoice::detour;
}

const platform::Ringed& rings_of(const platform::Platform& platform) {
  const auto* const ringed = dynamic_cast<const platform::Ringed*>(&platform.topology());
  if (ringed != nullptr) return *ringed;
  throw ParamError({"packet.lane_by"}, "dateline is for rings, and this machine (" +
                                           platform.topology().describe() +
                                           ") has none: accepted are hop, class and, where there "
                                           "are groups, group");
}

/// In each dimension a packet starts in lane 0, and from the cable on that closes the ring it is in
/// lane 1: no circle of waiting packets closes there. Behind the way-point of a detour, where
/// dimensions begin anew, lanes 2 and 3 stand for those.
class LaneByDateline final : public LaneRule {
 public:
  LaneByDateline(const platform::Platform& platform, std::size_t lanes)
      : rings_(rings_of(platform)), two_legs_(makes_detours(platform)), last_(lanes - 1) {}
  std::size_t first(const Transfer&) const override { return 0; }
  bool changes() const override { return true; }
  std::size_t next(const Packet& packet, LinkId link) const override {
    const platform::Ringed::Step to = rings_.ring_step(link);
    if (!to.in_ring) return packet.in_lane;
    const std::size_t leg = two_legs_ && packet.walk.hop.via == kNoVertex ? 2 : 0;
    if (to.wraps) return std::min(leg + 1, last_);
    const platform::Ringed::Step from = rings_.ring_step(packet.in);
    const bool goes_on = from.in_ring && from.dimension == to.dimension && packet.in_lane >= leg;
    return goes_on ? packet.in_lane : std::min(leg, last_);
  }

 private:
  const platform::Ringed& rings_;
  bool two_legs_;
  std::size_t last_;
};

}  // namespace

const PacketLaneRule& lane_by_dateline() {
  static const PacketLaneRule rule = {
      {"dateline",
       "on a torus, the second lane of a ring from the cable on that closes it (2 lanes, 4 with "
       "detours)",
       nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByDateline>(inputs.platform, inputs.lanes);
       }},
      [](const PacketConfig&, const platform::Platform& platform) -> std::int64_t {
        return makes_detours(platform) ? 4 : 2;
      }};
  return rule;
}

}  // namespace heddle::network
