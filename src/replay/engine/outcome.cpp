// The engine when nothing is left to happen: times, or what never came to be.
#include <algorithm>

#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {

ReplayResult ReplayEngine::result() {
  const Leftovers left = leftovers();
  const std::string stuck = carrier_ == nullptr ? "" : carrier_->network.stuck();
  if (!left.empty() || !stuck.empty()) throw StallError(schedule_, left, events_, stuck);
  ReplayResult result;
  result.events = events_;
  result.cpus = cpus_;
  add_to(result);
  return result;
}

void ReplayEngine::add_to(ReplayResult& result) const {
  if (result.finish.empty()) {
    // Those of other parts follow.
    const std::size_t ranks = schedule_.ranks() - first_;
    result.finish.reserve(ranks);
    result.adapters_free.reserve(ranks);
    result.times.reserve(ranks);
  }
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    const std::int64_t* const clock = ranks_.clocks<false>(r - first_);
    const std::int64_t* const end = clock + cpus_ + std::size_t{2} * nics_;
    result.finish.push_back(Time::ps(*std::max_element(clock, clock + cpus_)));
    result.adapters_free.push_back(Time::ps(*std::max_element(clock + cpus_, end)));
    const RankState& mine = state(r);
    const std::int64_t noise = noise_times_.empty() ? 0 : noise_times_[r - first_];
    result.times.push_back({mine.compute, mine.overhead, mine.gap, noise});
  }
}

Leftovers ReplayEngine::leftovers() const {
  Leftovers left;
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    const RankState& mine = state(r);
    for (std::uint32_t e = mine.posted.head; e != kNone; e = matcher_[e].next)
      left.receives.push_back({r, matcher_[e].payload});
    for (std::uint32_t e = mine.unexpected.head; e != kNone; e = matcher_[e].next) {
      const Message& message = messages_[matcher_[e].payload];
      left.sends.push_back({message.source, message.op});
    }
    if (ended_ == ops_) continue;
    for (std::uint32_t i = 0; i < schedule_.rank(r).size(); ++i) {
      if (waiting_for_.waits(number_of(mine, i))) left.waiting.push_back({r, i});
    }
  }
  return left;
}

}  // namespace heddle::replay
