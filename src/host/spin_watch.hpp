// Ranks that wait by looking at their memory, and those that never come back.
#pragma once

#include <memory>

#include "core/time.hpp"

namespace heddle::host {

/// As long as it lives, a timer looks for threads that run in their own code for long without a
/// call. One whose registers are the same whenever it is seen at the same place changes nothing, so
/// it waits for something in its memory: it is set aside (Spinners). When that was noticed makes no
/// difference to the outcome. One that changes its registers is left to compute, unless it goes on
/// for longer than `patience`: then it is taken to wait, too, with a warning.
class SpinWatch {
 public:
  struct Limits {
    Time patience;  ///< Processor time in own code, before a loop that counts is set aside.
    Time max_step;  ///< Processor time before that ends the run; zero: never.
  };
  explicit SpinWatch(const Limits& limits);
  ~SpinWatch();
  SpinWatch(const SpinWatch&) = delete;
  SpinWatch& operator=(const SpinWatch&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
