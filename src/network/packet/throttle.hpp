// Congestion control at a source: how long a flow pauses after each packet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/time.hpp"
#include "network/packet/config.hpp"

namespace heddle::network {

/// One flow's place in the congestion control table: a notification raises it, time lowers it. Time
/// is measured by the flow's own pace, for to one that sends now and then a pause of some packets'
/// length is nothing.
class Throttle {
 public:
  /// A thick flow is told often, and takes a step each time. A thin one is told seldom: it takes
  /// more steps, at first a few, for a queue may be long by chance.
  void notified(Time now, const PacketConfig& config) {
    settle(now, config);
    const std::int64_t steps = config.cct_increase * std::min(slowness_, 2 * (index_ + 1));
    index_ = std::min(index_ + steps, config.cct_limit);
  }
  /// A packet that was due to leave at `due`, and keeps the wire for `length`, has begun at `now`.
  void sent(Time now, Time due, Time length, const PacketConfig& config) {
    settle(now, config);
    note_pace(due, length);
    const double step = static_cast<double>(index_);
    const double pauses = config.cct_step * step * (1 + step / 16);
    allowed_ = now + length + Time::whole_ps(static_cast<double>(pace_.ps()) * pauses);
  }
  /// From when the next packet may begin.
  Time allowed() const { return allowed_; }
  std::int64_t index() const { return index_; }

 private:
  /// Takes back one step for each timer period since the last look.
  void settle(Time now, const PacketConfig& config) {
    const std::int64_t period = config.cct_timer.ps() * slowness_;
    index_ = std::max(config.cct_min, index_ - (now.ps() / period - settled_.ps() / period));
    settled_ = now;
  }

  /// What a program sends next may have waited for what is slowed down here: that is not taken for
  /// a slower pace.
  void note_pace(Time due, Time length) {
    constexpr std::int64_t kMemory = 8;  // In packets.
    constexpr std::int64_t kSlowest = 4096;
    const Time since = std::clamp(due - due_, length, length * kSlowest);
    mean_ = mean_ == Time::zero() ? length : mean_ + Time::ps((since - mean_).ps() / kMemory);
    due_ = std::max(due_, due);
    pace_ = std::clamp(index_ == 0 ? mean_ : std::min(pace_, mean_), length, length * kSlowest);
    slowness_ = length == Time::zero() ? 1 : pace_.ps() / length.ps();
  }

  std::int64_t index_ = 0;
  std::int64_t slowness_ = 1;  ///< The pace in lengths of a packet.
  Time settled_;
  Time allowed_;
  Time due_;   ///< Of the last packet.
  Time mean_;  ///< Between packets that were due.
  Time pace_;
};

}  // namespace heddle::network
