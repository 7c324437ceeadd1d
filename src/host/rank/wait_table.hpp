// Threads that wait at an address, as the kernel's futexes let them.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <map>

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
  /// One that waits, as long as it is in the table; that lets it go when it wakes it.
  class Waiter {
   public:
    explicit Waiter(const Rank& rank) : rank_(rank) {}
    /// It has been woken, by a thread or by nobody that is known.
    virtual void wake(const Thread* by) = 0;
    const Rank& rank() const { return rank_; }

   protected:
    ~Waiter() = default;

   private:
    const Rank& rank_;
  };

  void add(const Key& key, Waiter& waiter) { waiters_[key].push_back(&waiter); }
  /// It no longer waits, though nobody has woken it.
  void remove(const Key& key, const Waiter& waiter);
  /// Wakes up to `most` of those that wait there; answers how many.
  std::size_t wake(const Key& key, std::size_t most, const Thread* by);
  /// Nobody waits for a rank that has ended.
  void forget(const Rank& rank);

 private:
  std::map<Key, std::deque<Waiter*>> waiters_;
};

}  // namespace heddle::host
