// Lanes of rings: on one side of a dateline packets are in another lane than on the other.
#pragma once

#include <algorithm>
#include <memory>

#include "network/packet/packet_plan.hpp"
#include "network/packet/rules.hpp"
#include "platform/ringed.hpp"

namespace heddle::network {

/// From where on packets that cross the cable which closes a ring are in lane 1.
enum class Dateline : std::uint8_t { at_the_cable, from_the_first };

/// In each dimension a packet starts in lane 0, and from the cable on that closes the ring it is in
/// lane 1: no circle of waiting packets closes there. Or one that will cross that cable is in lane
/// 1 all along: nobody crosses it in lane 0, and nobody who goes no further than half of the ring
/// crosses that opposite to it in lane 1. Behind the way-point of a detour, where dimensions begin
/// anew, lanes 2 and 3 stand for those.
class LaneByDateline final : public LaneRule {
 public:
  LaneByDateline(const RuleInputs& inputs, Dateline dateline);
  std::size_t first(const Transfer&) const override { return 0; }
  bool changes() const override { return true; }
  std::size_t next(const Packet& packet, LinkId link) const override;

  /// Two; four with detours.
  static std::int64_t usual_lanes(const PacketConfig& config, const platform::Platform& platform);

 private:
  const platform::Ringed& rings_;
  bool two_legs_;
  std::size_t last_;
  Dateline dateline_;
};

}  // namespace heddle::network
