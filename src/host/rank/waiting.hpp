// How threads of programs wait for each other at a place in memory.
#pragma once

#include <time.h>

#include <algorithm>

#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"

namespace heddle::host {

/// What an address of the running rank is known by to those that wait there.
inline WaitTable::Key key_of(const void* address) {
  Rank& rank = *current_rank();
  return {address, rank.program().swaps(address) ? &rank : nullptr};
}

/// Lets `thread`, which must be running, wait until it is woken, until `deadline`, or until one of
/// the program's signal handlers has run.
inline WaitTable::Outcome wait_in(WaitTable& table, Thread& thread, const WaitTable::Key& key,
                                  const WaitReason& reason, Time deadline) {
  struct Waiter final : WaitTable::Waiter {
    explicit Waiter(Thread& waiting) : WaitTable::Waiter(waiting.rank()), thread(waiting) {}
    void wake(const Thread* by) override {
      woken = true;
      thread.account().woken_by(by);
      thread.fiber().wake();
    }
    Thread& thread;
    bool woken = false;
  };
  Waiter waiter(thread);
  table.add(key, waiter);
  bool interrupted = false;
  while (!waiter.woken && !interrupted && thread.now() < deadline) {
    interrupted = thread.waits().block(reason, deadline);
  }
  if (waiter.woken) return WaitTable::Outcome::woken;
  table.remove(key, waiter);
  return interrupted ? WaitTable::Outcome::interrupted : WaitTable::Outcome::timed_out;
}

/// Waits at an address of the running rank. What it has computed so far is charged first, which is
/// time in which what it waits for may happen: the caller asks once more.
inline WaitTable::Outcome wait_at(const void* address, const WaitReason& reason, Time deadline) {
  return wait_in(current_rank()->job().waits(), *current_thread(), key_of(address), reason,
                 deadline);
}

inline std::size_t wake_at(const void* address, std::size_t most = SIZE_MAX) {
  return current_rank()->job().waits().wake(key_of(address), most, current_thread());
}

inline Time as_time(const timespec& t) {
  constexpr std::int64_t kMostSeconds = 9'000'000;  // Beyond that simulated time ends.
  return Time::s(std::min<std::int64_t>(t.tv_sec, kMostSeconds)) + Time::ns(t.tv_nsec);
}

inline bool valid(const timespec& t) {
  return t.tv_nsec >= 0 && t.tv_nsec < 1'000'000'000;
}

/// The simulated time at which a clock of the running rank shows `t`; never if there is no `t`.
inline Time instant_of(clockid_t clock, const timespec* t) {
  if (t == nullptr) return Time::never();
  const std::int64_t epoch = current_rank()->job().params().epoch;
  const bool calendar = clock == CLOCK_REALTIME || clock == CLOCK_TAI;
  return as_time(
      {calendar ? std::max<std::int64_t>(t->tv_sec - epoch, 0) : std::max<time_t>(t->tv_sec, 0),
       t->tv_nsec});
}

}  // namespace heddle::host
