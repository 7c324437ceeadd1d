// When a wire carries flow-control packets: one per period, between the packets of data.
#pragma once

#include <array>
#include <cstdint>

#include "core/time.hpp"

namespace heddle::network {

/// The flow-control packets of one wire. They are not simulated: with the data on the wire known,
/// their times are arithmetic.
///
/// Each period has one. On an idle wire it leaves 1 ns after the period began, and data that comes
/// in that nanosecond waits for it; on a busy one it leaves behind the packet that the wire
/// carries. A period of zero means that there are none: the far end is told at once, for nothing.
class CreditClock {
 public:
  /// A flow-control packet keeps the wire for `length`.
  CreditClock(Time period, Time length) : period_(period), length_(length) {}

  /// When data that could begin at `wanted` begins, on a wire that earlier data keeps until `free`.
  Time begin_data(Time wanted, Time free);
  /// The wire carries a packet from `from` to `to`; told in order.
  void carried(Time from, Time to) { recent_[packets_++ % recent_.size()] = {from, to}; }

  /// The last departure at or before `t`; Time::never() if there is none.
  Time last_departure(Time t) const;
  /// The first departure at or after `t` and after `passed`.
  Time next_departure(Time t, Time passed) const;

 private:
  struct Busy {
    Time from;
    Time to;
  };
  Time departure(std::int64_t tick) const;

  Time period_;
  Time length_;
  std::int64_t counted_ = -1;  ///< The last period whose packet has held up data.
  std::array<Busy, 4> recent_{};
  std::uint32_t packets_ = 0;
};

}  // namespace heddle::network
