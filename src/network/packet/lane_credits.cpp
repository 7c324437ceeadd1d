#include "network/packet/lane_credits.hpp"

#include <algorithm>

namespace heddle::network {

bool LaneCredits::allow(std::int64_t flits, Time known, Time now) {
  if (known == Time::never()) return false;
  if (end_host_ != nullptr) end_host_->drain(known);
  if (credits_.available(known) < flits) return false;
  if (stalled_since_ != Time::never()) {
    stalled_ += now - stalled_since_;
    stalled_since_ = Time::never();
  }
  lacking_ = 0;
  return true;
}

void LaneCredits::lack(std::int64_t flits, Time now) {
  lacking_ = lacking_ == 0 ? flits : std::min(lacking_, flits);
  last_lack_ = now;
  if (stalled_since_ != Time::never()) return;
  stalled_since_ = now;
  ++stalls_;
}

Time LaneCredits::enough_freed() const {
  const Time enough = credits_.enough_at(lacking_);
  if (end_host_ == nullptr || enough != Time::never()) return enough;
  return end_host_->drained_at(sink_account_, sink_freed_ + credits_.missing_at_last(lacking_));
}

void LaneCredits::end_at(DrainingEnd& host, std::uint32_t account) {
  end_host_ = &host;
  sink_account_ = account;
}

void LaneCredits::credit_drained(std::int64_t drained, Time when) {
  if (drained != sink_freed_) credits_.free_at(when, drained - sink_freed_);
  sink_freed_ = drained;
}

}  // namespace heddle::network
