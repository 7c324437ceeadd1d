// Congestion control at a source: how long a flow pauses after each packet.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/time.hpp"
#include "network/packet/config.hpp"

namespace heddle::network {

/// One flow's place in the congestion control table. A notification raises it, time lowers it.
class Throttle {
 public:
  void notified(Time now, const PacketConfig& config) {
    settle(now, config);
    index_ = std::min(index_ + config.cct_increase, config.cct_limit);
  }
  /// A packet that keeps the wire for `length` has begun at `now`.
  void sent(Time now, Time length, const PacketConfig& config) {
    settle(now, config);
    const double step = static_cast<double>(index_);
    const double pauses = config.cct_step * step * (1 + step / 16);
    allowed_ = now + length + Time::whole_ps(static_cast<double>(length.ps()) * pauses);
  }
  /// From when the next packet may begin.
  Time allowed() const { return allowed_; }
  std::int64_t index() const { return index_; }

 private:
  /// Takes back one step for each timer period since the last look.
  void settle(Time now, const PacketConfig& config) {
    const std::int64_t periods = now.ps() / config.cct_timer.ps();
    index_ = std::max(config.cct_min, index_ - (periods - period_));
    period_ = periods;
  }

  std::int64_t index_ = 0;
  std::int64_t period_ = 0;
  Time allowed_;
};

}  // namespace heddle::network
