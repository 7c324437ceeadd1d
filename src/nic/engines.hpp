// Equal engines that work on one message each.
#pragma once

#include <algorithm>
#include <memory>

#include "core/containers/min_heap.hpp"
#include "core/time.hpp"
#include "nic/clock.hpp"

namespace heddle::nic {

/// Counts the engines at work. An engine that is only busy until a known time costs no event unless
/// somebody waits for it.
class Engines {
 public:
  /// An engine for new work, or false: `wake` runs when one becomes free at a time that is known.
  bool take(std::int64_t limit, Clock& clock, Step& wake) {
    while (soonest_ <= clock.now()) pop();
    if (busy_ + waited_for() < limit) {
      ++busy_;
      return true;
    }
    if (soonest_ != Time::never() && !wake.scheduled()) clock.alarm(wake, soonest_);
    return false;
  }
  /// An engine that was taken finds nothing to do after all, or is done now.
  void release() { --busy_; }
  /// It will be done at `when`.
  void release(Time when) {
    --busy_;
    if (soonest_ != Time::never()) push_later(std::max(soonest_, when));
    soonest_ = std::min(soonest_, when);
  }

 private:
  std::int64_t waited_for() const {
    if (soonest_ == Time::never()) return 0;
    return later_ ? 1 + static_cast<std::int64_t>(later_->size()) : 1;
  }
  void push_later(Time when) {
    if (!later_) later_ = std::make_unique<MinHeap<Time>>();
    later_->push(when);
  }
  void pop() {
    soonest_ = Time::never();
    if (!later_ || later_->empty()) return;
    soonest_ = later_->top();
    later_->pop();
  }

  std::int64_t busy_ = 0;                 ///< Until they are released.
  Time soonest_ = Time::never();          ///< When the first of the others will be free.
  std::unique_ptr<MinHeap<Time>> later_;  ///< When those after it will, or null.
};

}  // namespace heddle::nic
