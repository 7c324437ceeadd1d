// Ranks that wait by looking at their memory, and those that never come back.
#pragma once

#include <memory>

#include "core/time.hpp"
#include "host/rank/waiters.hpp"

namespace heddle::host {

/// As long as it lives, a timer looks for threads of a run that run in their own code for long
/// without a call. Where one has been found to wait, a trap finds those that come there again, if
/// the processor is of a kind on which that is possible, and else a timer, soon. One that only its
/// memory can let out of a loop waits (Outlook), and so does one whose registers are the same
/// whenever it is seen at the same place: it is set aside (Spinners). When that was noticed makes
/// no difference to the outcome. One of which neither can be said is left to compute, unless it
/// goes on for longer than `patience`: then it is taken to wait, too, with a warning.
class SpinWatch final : public Watch {
 public:
  struct Limits {
    Time patience;  ///< Processor time in own code, before a loop that counts is set aside.
    Time max_step;  ///< Processor time before that ends the run; zero: never.
  };
  SpinWatch(Waiters& waiters, const Limits& limits);
  ~SpinWatch();
  SpinWatch(const SpinWatch&) = delete;
  SpinWatch& operator=(const SpinWatch&) = delete;

  void watch_soon(const Spinner& spinner, bool from_call) override;
  void on_signal(Thread& thread, void* context, bool soon) override;
  void on_trap(Thread& thread, void* context, CodeTraps::Trap& trap) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
