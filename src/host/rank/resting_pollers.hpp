// Threads that have looked for something with calls, in vain, for so long that they rest between
// their looks.
#pragma once

#include <vector>

#include "core/address_space.hpp"
#include "core/fiber.hpp"

namespace heddle::host {

class Rank;

/// Those of a run that rest. When another thread of a resting one's rank has run, or somebody
/// writes to its memory, that may be what it looks for, and it looks again.
class RestingPollers {
 public:
  /// As long as it lives, a thread rests.
  class Rest {
   public:
    Rest(RestingPollers& pollers, Fiber& fiber, AddressSpace& memory, const Rank& rank)
        : pollers_(pollers), fiber_(fiber) {
      pollers_.add({&fiber, &memory, &rank});
    }
    ~Rest() { pollers_.remove(fiber_); }
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;

   private:
    RestingPollers& pollers_;
    Fiber& fiber_;
  };

  bool any() const { return !resting_.empty(); }
  /// The code of a thread, which this fiber runs, will not go on.
  void remove(const Fiber& fiber);
  /// Nobody's will.
  void clear() { resting_.clear(); }
  /// Something is about to be written to this memory from outside.
  void written(const AddressSpace& memory);
  /// A thread of this rank has run, other than to look again.
  void ran(const Fiber& fiber, const Rank& rank);

 private:
  struct Poller {
    Fiber* fiber;
    AddressSpace* memory;
    const Rank* rank;
  };
  void add(const Poller& poller);

  std::vector<Poller> resting_;
};

}  // namespace heddle::host
