#include "network/packet/port_lanes.hpp"

#include <algorithm>

namespace heddle::network {

PortLanes::PortLanes(const PortKind& kind) : kind_(&kind) {
  const PacketPlan& plan = kind.context.plan;
  if (kind.lanes > 1) {
    further_ = std::make_unique<PortLane[]>(kind.lanes - 1);
    if (plan.data_lanes() > 1) arbiter_ = plan.lane_arbitration->new_arbiter();
  }
  for (std::size_t i = 0; i < kind.lanes; ++i) {
    PortLane& lane = (*this)[i];
    lane.credits = LaneCredits(kind.is_control(i) ? kUnlimitedFlits : kind.lane_flits);
    if (plan.in_order) lane.buffer = std::make_unique<FifoBuffer>();
  }
}

int PortLanes::choose(std::uint64_t ready) const {
  const std::size_t last = kind_->lanes - 1;
  if (kind_->control && (ready >> last & 1) != 0) return static_cast<int>(last);
  if (arbiter_ == nullptr) return ready == 0 ? -1 : 0;
  return arbiter_->choose(ready);
}

std::int64_t PortLanes::flits_out(Time known) const {
  std::int64_t all = 0;
  for (std::uint64_t left = out_; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::int64_t out = flits_out(lane, known);
    if (out == 0) out_ &= ~bit(lane);
    all += out;
  }
  return all;
}

Time PortLanes::next_freed(Time known) const {
  Time next = Time::never();
  for (std::size_t i = 0; i < kind_->lanes; ++i) {
    next = std::min(next, (*this)[i].credits.next_freed(known));
  }
  return next;
}

}  // namespace heddle::network
