// What the first processor of ranks waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// How long the first processor of every rank had nothing to do, by the processor of the rank whose
/// operation it was held up by. Ranks may be written by different threads.
class IdleTimes {
 public:
  explicit IdleTimes(const goal::Schedule& schedule)
      : cpus_(schedule.cpus()), times_(std::size_t{schedule.ranks()} * cpus_) {}

  unsigned cpus() const { return cpus_; }
  void add(RankId rank, CpuId cause, Time idle) {
    times_[index(rank) * cpus_ + index(cause)] += idle;
  }
  Time of(RankId rank, CpuId cause) const { return times_[index(rank) * cpus_ + index(cause)]; }

 private:
  unsigned cpus_;
  std::vector<Time> times_;
};

}  // namespace heddle::replay
