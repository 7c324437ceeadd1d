// Why waits end: what happened to each rank since it last went on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "record/record.hpp"

namespace heddle::record {

/// Is told of what happens while it happens, and asked when a wait is over.
class WaitCauses {
 public:
  /// What ended a wait: a message, something that held the rank up, or neither that is known of.
  struct Cause {
    std::uint64_t message = 0;          ///< Its number; 0: none.
    Activity instead = Activity::wait;  ///< What the rank had instead of a wait.
  };

  /// The wait of a rank that begins now is overhead until its processor is free.
  void busy(std::uint32_t rank, Time until) { of(rank).busy = until; }
  /// What a rank waits for has happened; what happens until it goes on is not the cause.
  void decided(std::uint32_t rank) { of(rank).decided = true; }
  /// What a rank waits for may have come with this message now.
  void told(std::uint32_t rank, std::uint64_t message, Time now) {
    note(rank, {message, Activity::wait}, now);
  }
  /// What a rank waits for may have come now, after it was held up by something that is no message:
  /// then it was not waiting but had such an activity.
  void held_up(std::uint32_t rank, Activity by, Time now) {
    // Adapters tell why.
    if (acting_ == 0) note(rank, {0, by}, now);
  }
  /// What happens from now on happens because of this step of adapters; 0: of none.
  void because_of(std::uint64_t step) { acting_ = step; }
  std::uint64_t acting() const { return acting_; }

  /// Until when the wait from `begin` to `end` was overhead; `begin` if it was none.
  Time busy_until(std::uint32_t rank, Time begin, Time end) {
    return std::max(begin, std::min(of(rank).busy, end));
  }
  /// What ended the wait from `begin` to `end`; what happens from now on is for the next one.
  Cause take(std::uint32_t rank, Time begin, Time end) {
    Rank& rank_state = of(rank);
    rank_state.decided = false;
    const bool meanwhile = rank_state.at >= begin && rank_state.at <= end;
    return meanwhile ? rank_state.cause : Cause{};
  }

 private:
  struct Rank {
    Time busy;
    Time at = Time::ps(-1);  ///< Of the cause.
    Cause cause;
    bool decided = false;
  };

  Rank& of(std::uint32_t rank) {
    if (rank >= ranks_.size()) ranks_.resize(rank + 1);
    return ranks_[rank];
  }
  void note(std::uint32_t rank, Cause cause, Time now) {
    Rank& noted = of(rank);
    if (noted.decided) return;
    noted.cause = cause;
    noted.at = now;
  }

  std::vector<Rank> ranks_;
  std::uint64_t acting_ = 0;
};

}  // namespace heddle::record
