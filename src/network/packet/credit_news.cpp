#include "network/packet/credit_news.hpp"

namespace heddle::network {

/// Up to when credits are known now; before all time if no news has come yet.
Time CreditNews::last(const PortKind& kind) const {
  const Time news = known(kind, kind.context.simulation.now());
  return news == Time::never() ? Time::ps(-1) : news;
}

Time CreditNews::hears_of(const PortKind& kind, Time freed) const {
  const Time heard_of = kind.context.simulation.now() - kind.wire;
  const CreditClock& clock = told_by(kind.context.plan.idle_clock);
  return clock.next_departure(freed, heard_of) + kind.wire;
}

Time CreditNews::next(const PortLanes& lanes) const {
  const PortKind& kind = lanes.kind();
  const Time known = this->known(kind, kind.context.simulation.now());
  if (known == Time::never()) return hears_of(kind, Time::zero());
  const Time freed = lanes.next_freed(known);
  return freed == Time::never() ? freed : hears_of(kind, freed);
}

std::int64_t CreditNews::flits_beyond(const PortLanes& lanes) const {
  const PortKind& kind = lanes.kind();
  return lanes.may_lack_credits() && kind.by_credits ? lanes.flits_out(last(kind)) : 0;
}

std::int64_t CreditNews::flits_beyond(const PortLanes& lanes, std::size_t lane) const {
  return lanes.flits_out(lane, last(lanes.kind()));
}

}  // namespace heddle::network
