// What goes from one rank to another, in line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "core/time.hpp"

namespace heddle::mpi {

/// Nothing enters the network before what was sent before it from the same rank to the same other
/// one, as through a socket or a queue pair.
class PairOrder {
 public:
  struct Turn {
    Time wait;
    bool behind = false;  ///< Another one enters no sooner than then: even 0 is to be waited for.
  };

  /// Of one that would enter in `wait` from now; it does so then.
  Turn next(std::uint32_t from, std::uint32_t to, Time now, Time wait) {
    Time& last = last_[(std::uint64_t{from} << 32) | to];
    const Time ready = now + wait;
    const bool behind = last >= ready && last > Time::zero();
    last = std::max(last, ready);
    return {last - now, behind};
  }

 private:
  std::unordered_map<std::uint64_t, Time> last_;  ///< By pair: when the last one enters.
};

}  // namespace heddle::mpi
