#include "host/rank/poll_policy.hpp"

#include <algorithm>
#include <utility>

namespace heddle::host {

PollPolicy::Step PollPolicy::looked(Time now, const Costs& costs, bool alone, const void* kind) {
  if (looks_ == 0) since_ = now;
  if (lonely_looks_ == 0) lonely_since_ = now;
  looks_ += looks_ < costs.effort.exact ? 1 : 0;
  lonely_looks_ = alone ? lonely_looks_ + 1 : 0;
  const bool by_clock = std::exchange(clock_, false);
  const Time lonely = now - lonely_since_;
  // Those who rest soon in any case need not be known.
  const bool counts = kind != nullptr && !by_clock && costs.effort.exact == kExactLooks;
  const bool often = counts && known_.has(kind);
  const bool naps = looks_ >= (often ? kFewLooks : costs.effort.exact);
  Step step{naps ? costs.look * costs.effort.nap : costs.look};
  if (naps && often && !alone && costs.effort.all_is_told) {
    step.nap = std::max(step.nap, (now - since_) / kNapShare);
  }
  if (counts) known_.add(kind);
  if (!alone) return step;
  if (by_clock) step.nap = std::max(step.nap, lonely / kClockShare);
  step.hopeless = by_clock ? lonely > costs.patience : lonely_looks_ > kHopelessLooks;
  return step;
}

Time PollPolicy::until_look(Time elapsed, Time cost) {
  const std::int64_t looks = (elapsed.ps() + cost.ps() - 1) / cost.ps();
  return cost * std::max<std::int64_t>(1, looks) - elapsed;
}

}  // namespace heddle::host
