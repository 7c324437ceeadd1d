// Threads that wait at an address, as the kernel's futexes let them.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <map>

#include "core/fiber.hpp"
#include "core/time.hpp"

namespace heddle::host {

class Rank;
class Thread;

/// Threads that wait until another wakes them by an address, first come, first served.
class WaitTable {
 public:
  /// Where: an address, of one rank only if other ranks have something else there.
  struct Key {
    const void* address = nullptr;
    const Rank* owner = nullptr;
    auto operator<=>(const Key&) const = default;
  };
  enum class Outcome { woken, timed_out, interrupted };

  /// Lets `thread`, which must be running, wait until it is woken, until `deadline`, or until one
  /// of the program's signal handlers has run.
  Outcome wait(Thread& thread, const Key& key, const WaitReason& reason, Time deadline);
  /// Wakes up to `most` of those that wait there; answers how many. `by` is a thread that has
  /// ended, where it is not the running one that wakes them.
  std::size_t wake(const Key& key, std::size_t most = SIZE_MAX, const Thread* by = nullptr);
  /// Nobody waits for a rank that has ended.
  void forget(const Rank& rank);

 private:
  struct Waiter;
  void remove(const Key& key, const Waiter& waiter);
  std::map<Key, std::deque<Waiter*>> waiters_;
};

}  // namespace heddle::host
