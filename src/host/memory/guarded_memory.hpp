// Memory that may not be there.
#pragma once

#include <cstddef>

#include "core/address_space.hpp"
#include "core/stack_switch.hpp"

namespace heddle::host {

/// Copies, also between overlapping ranges; false if part of either is not there or may not be
/// written. That takes a CrashHandler; without one, such a copy ends the process.
bool guarded_copy(void* to, const void* from, std::size_t size);

/// Calls a function that looks at memory which may not be there; false if it came upon that, and
/// was broken off. As for copies.
bool guarded_call(void (*function)(void*), void* argument);

/// Where a fault in the middle of a guarded copy or call goes on, or null outside of one.
const StopPlace* guard_of_copy();

/// The simulator's own memory, which is that of all fibers: every address is what it says.
class GuardedMemory final : public AddressSpace {
 public:
  bool read(void* to, const void* address, std::size_t size) const override {
    return guarded_copy(to, address, size);
  }
  const std::byte* direct(const void* address, std::size_t) const override {
    return static_cast<const std::byte*>(address);
  }

 private:
  bool store(void* address, const void* from, std::size_t size) override {
    return guarded_copy(address, from, size);
  }
};

}  // namespace heddle::host
