#include "network/packet/credit_clock.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

constexpr Time kTick = Time::ns(1);
/// A wire may be busy for some periods: so far back can the last flow-control packet lie.
constexpr int kPeriodsBack = 8;

}  // namespace

Time CreditClock::begin_data(Time wanted, Time free) {
  const Time begin = std::max(wanted, free);
  if (period_ == Time::zero()) return begin;
  const std::int64_t tick = begin.ps() / period_.ps();
  if (tick == counted_) return begin;
  counted_ = tick;
  const Time due = period_ * tick;
  return std::max(begin, (free >= due ? free : due + kTick) + length_);
}

Time CreditClock::departure(std::int64_t tick) const {
  const Time due = period_ * tick + kTick;
  for (const Busy& busy : recent_) {
    if (busy.from < due && due < busy.to) return busy.to;
  }
  return due;
}

Time CreditClock::last_departure(Time t) const {
  if (period_ == Time::zero()) return t;
  if (t < kTick) return Time::never();
  const std::int64_t newest = (t - kTick).ps() / period_.ps();
  for (std::int64_t tick = newest; tick >= 0 && tick > newest - kPeriodsBack; --tick) {
    if (const Time departed = departure(tick); departed <= t) return departed;
  }
  return Time::never();
}

Time CreditClock::next_departure(Time t, Time passed) const {
  if (period_ == Time::zero()) return std::max(t, passed + Time::ps(1));
  // Periods before both have left by then, or leave behind the same packet as the one begun with.
  const Time from = std::max({t, passed, kTick}) - kTick;
  std::int64_t tick = from.ps() / period_.ps();
  while (departure(tick) < t || departure(tick) <= passed) ++tick;
  return departure(tick);
}

}  // namespace heddle::network
