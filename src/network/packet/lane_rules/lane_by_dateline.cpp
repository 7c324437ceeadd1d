#include "network/packet/lane_rules/datelines.hpp"

namespace heddle::network {
namespace {

bool makes_detours(const platform::Platform& platform) {
  return platform.routing().choice() == platform::RouteChoice::detour;
}

const platform::Ringed& rings_of(const RuleInputs& inputs) {
  const platform::Topology& topology = inputs.platform.topology();
  const auto* const ringed = dynamic_cast<const platform::Ringed*>(&topology);
  if (ringed != nullptr) return *ringed;
  throw ParamError({"packet.lane_by"}, inputs.config.lane_by + " is for rings, and this machine (" +
                                           topology.describe() +
                                           ") has none: accepted are hop, class and, where there "
                                           "are groups, group");
}

/// Where a packet's way-point is, or, behind it, its destination.
VertexId leg_end(const Packet& packet) {
  const platform::Hop& hop = packet.walk.hop;
  return hop.via == kNoVertex ? hop.to : hop.via;
}

}  // namespace

LaneByDateline::LaneByDateline(const RuleInputs& inputs, Dateline dateline)
    : rings_(rings_of(inputs)),
      two_legs_(makes_detours(inputs.platform)),
      last_(inputs.lanes - 1),
      dateline_(dateline) {}

std::size_t LaneByDateline::next(const Packet& packet, LinkId link) const {
  const platform::Ringed::Step to = rings_.ring_step(link);
  if (!to.in_ring) return packet.in_lane;
  const std::size_t leg = two_legs_ && packet.walk.hop.via == kNoVertex ? 2 : 0;
  const bool at_the_cable = dateline_ == Dateline::at_the_cable;
  if (at_the_cable && to.wraps) return std::min(leg + 1, last_);
  const platform::Ringed::Step from = rings_.ring_step(packet.in);
  const bool goes_on = from.in_ring && from.dimension == to.dimension && packet.in_lane >= leg;
  if (goes_on) return packet.in_lane;
  const bool crosses = !at_the_cable && rings_.will_wrap(link, leg_end(packet));
  return std::min(leg + (crosses ? 1 : 0), last_);
}

std::int64_t LaneByDateline::usual_lanes(const PacketConfig&, const platform::Platform& platform) {
  return makes_detours(platform) ? 4 : 2;
}

const PacketLaneRule& lane_by_dateline() {
  static const PacketLaneRule rule = {
      {"dateline",
       "on a torus, the second lane of a ring from the cable on that closes it (2 lanes, 4 with "
       "detours)",
       nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByDateline>(inputs, Dateline::at_the_cable);
       }},
      LaneByDateline::usual_lanes};
  return rule;
}

}  // namespace heddle::network
