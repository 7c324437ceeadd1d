#include "network/packet/lane_rules/datelines.hpp"

namespace heddle::network {

const PacketLaneRule& lane_by_crossing() {
  static const PacketLaneRule rule = {
      {"crossing",
       "on a torus, the second lane of a ring for all of a way round it that takes the cable which "
       "closes it (2 lanes, 4 with detours)",
       nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByDateline>(inputs, Dateline::from_the_first);
       }},
      LaneByDateline::usual_lanes};
  return rule;
}

}  // namespace heddle::network
