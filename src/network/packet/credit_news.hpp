// When an output hears of room in the buffer at the end of its link.
#pragma once

#include <cstdint>

#include "core/prefetch.hpp"
#include "network/packet/credit_clock.hpp"
#include "network/packet/port_lanes.hpp"

namespace heddle::network {

/// The flow-control packets that a wire carries, for the other direction's credits, and those of
/// the other direction, which tell of this one's; without such packets, news is as old as the wire
/// is long. What is known follows from that by arithmetic.
class CreditNews {
 public:
  explicit CreditNews(const CreditClock& own) : own_(own) {}
  /// The other direction's.
  void come_from(const CreditNews& back) { back_ = &back; }
  /// Those that this direction's wire carries.
  CreditClock& carried() { return own_; }
  /// Those that tell of this direction's credits; `idle` if no wire brings them.
  const CreditClock& told_by(const CreditClock& idle) const {
    return back_ == nullptr ? idle : back_->own_;
  }

  /// Up to when credits are known at `now`; Time::never() if no news has come yet.
  Time known(const PortKind& kind, Time now) const;
  /// When it is known that flits have left the buffer at `freed`.
  Time hears_of(const PortKind& kind, Time freed) const;
  /// When the next news comes of flits that are known to leave; Time::never() if there are none.
  Time next(const PortLanes& lanes) const;
  /// Flits that have crossed the link, or are about to, and are not known to have left the buffer
  /// at its end: of all lanes, or of one.
  std::int64_t flits_beyond(const PortLanes& lanes) const;
  std::int64_t flits_beyond(const PortLanes& lanes, std::size_t lane) const;

  // Asks for the memory of its own, and of the other direction's.
  void foresee() const { prefetch_lines(this, 2); }
  void foresee_back() const {
    if (back_ != nullptr) back_->foresee();
  }

 private:
  Time last(const PortKind& kind) const;

  const CreditNews* back_ = nullptr;
  CreditClock own_;
};

inline Time CreditNews::known(const PortKind& kind, Time now) const {
  const PacketPlan& plan = kind.context.plan;
  const Time heard_of = now - kind.wire;
  return plan.credit_packets ? told_by(plan.idle_clock).last_departure(heard_of) : heard_of;
}

}  // namespace heddle::network
