// The threads of a run that wait by looking.
#pragma once

#include "core/address_space.hpp"
#include "host/resting_pollers.hpp"
#include "host/spinners.hpp"

namespace heddle::host {

class SpinWatch;

/// Of all jobs of one simulation, and gone with it.
struct Waiters final : MemoryWatch {
  Spinners spinners;           ///< Without calls.
  RestingPollers resting;      ///< With calls.
  SpinWatch* watch = nullptr;  ///< Who finds the first, or null: nobody does.

  /// A thread's code will not go on.
  void remove(const Thread& thread) {
    spinners.remove(thread);
    resting.remove(thread);
  }
  void written(const AddressSpace& memory) override {
    if (spinners.any()) spinners.written(memory);
    if (resting.any()) resting.written(memory);
  }
};

}  // namespace heddle::host
