// The threads of a run that wait by looking.
#pragma once

#include "core/address_space.hpp"
#include "host/rank/code/code_traps.hpp"
#include "host/rank/resting_pollers.hpp"
#include "host/rank/spinners.hpp"

namespace heddle::host {

class Thread;

/// Finds threads that wait by looking.
class Watch {
 public:
  /// A thread that often does goes on, from where it did so or from a call: looks at it soon.
  virtual void watch_soon(const Spinner& spinner, bool from_call) = 0;
  /// What the signal of a timer is for, in its handler; `soon`: of the timer for such threads.
  virtual void on_signal(Thread& thread, void* context, bool soon) = 0;
  /// Code has come to a trap, in the handler of its signal; the context says it is at its place.
  virtual void on_trap(Thread& thread, void* context, CodeTraps::Trap& trap) = 0;

 protected:
  ~Watch() = default;
};

/// Of all jobs of one simulation, and gone with it.
struct Waiters final : MemoryWatch {
  Spinners spinners;       ///< Without calls.
  RestingPollers resting;  ///< With calls.
  Watch* watch = nullptr;  ///< Who finds the first, or null: nobody does.

  /// The code of a thread, which this fiber runs, will not go on.
  void remove(const Fiber& fiber) {
    spinners.remove(fiber);
    resting.remove(fiber);
  }
  void written(const AddressSpace& memory) override {
    if (spinners.any()) spinners.written(memory);
    if (resting.any()) resting.written(memory);
  }
};

}  // namespace heddle::host
