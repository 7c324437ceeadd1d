// What the first processor of ranks waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"

namespace heddle::replay {

/// How long the first processor of every rank had nothing to do, by the processor of the rank whose
/// operation it was held up by. Ranks may be written by different threads.
class IdleTimes {
 public:
  explicit IdleTimes(const goal::Schedule& schedule)
      : cpus_(schedule.cpus()), times_(std::size_t{schedule.ranks()} * cpus_) {}

  unsigned cpus() const { return cpus_; }
  void add(std::uint32_t rank, unsigned cause, std::int64_t idle) {
    times_[std::size_t{rank} * cpus_ + cause] += idle;
  }
  /// In picoseconds.
  std::int64_t of(std::uint32_t rank, unsigned cause) const {
    return times_[std::size_t{rank} * cpus_ + cause];
  }

 private:
  unsigned cpus_;
  std::vector<std::int64_t> times_;
};

}  // namespace heddle::replay
