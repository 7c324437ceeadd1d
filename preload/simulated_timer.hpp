// A timer of the simulator's, as this process remembers it.
#pragma once

#include <time.h>

#include <cstdint>

namespace heddle::preload {

struct SimulatedTimer {
  int number = -1;            ///< What the simulator calls it.
  std::int64_t expiry = 0;    ///< In ns of simulated time; 0: none.
  std::int64_t interval = 0;  ///< In ns; 0: it expires once.

  /// What is left until it expires next, in ns.
  std::int64_t left() const;
  itimerspec show() const;
  /// Expires after `first` ns; never if that is 0.
  void set(std::int64_t first, std::int64_t again);
  /// As timer_settime(2) has it.
  void set(clockid_t clock, bool absolute, const itimerspec& value, itimerspec* old);
};

}  // namespace heddle::preload
