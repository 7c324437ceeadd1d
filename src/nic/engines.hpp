// Equal engines that work on one message each.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "core/time.hpp"
#include "nic/step.hpp"

namespace heddle::nic {

/// Counts the engines at work. An engine that is only busy until a known time costs no event unless
/// somebody waits for it.
class Engines {
 public:
  /// An engine for new work, or false: `wake` runs when one becomes free at a time that is known.
  bool take(std::int64_t limit, Simulation& simulation, EventSource& source, Step& wake) {
    while (!until_.empty() && until_.front() <= simulation.now()) pop();
    if (busy_ + static_cast<std::int64_t>(until_.size()) < limit) {
      ++busy_;
      return true;
    }
    if (!until_.empty() && !wake.scheduled()) simulation.schedule(wake, until_.front(), source);
    return false;
  }
  /// An engine that was taken finds nothing to do after all, or is done now.
  void release() { --busy_; }
  /// It will be done at `when`.
  void release(Time when) {
    --busy_;
    until_.push_back(when);
    std::push_heap(until_.begin(), until_.end(), std::greater<>());
  }

 private:
  void pop() {
    std::pop_heap(until_.begin(), until_.end(), std::greater<>());
    until_.pop_back();
  }

  std::int64_t busy_ = 0;    ///< Until they are released.
  std::vector<Time> until_;  ///< When the others will be free: a heap, the earliest on top.
};

}  // namespace heddle::nic
