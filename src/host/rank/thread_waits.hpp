// How a thread of a rank waits until something happens, and who has it go on.
#pragma once

#include <utility>

#include "core/fiber.hpp"
#include "core/time.hpp"
#include "host/rank/poll_policy.hpp"
#include "host/rank/thread_account.hpp"
#include "host/rank/thread_site.hpp"

namespace heddle::host {

/// The waits of one thread. Who makes true what it waits for rings it; it asks its condition again
/// then, for the ring may have been for something else.
class ThreadWaits {
 public:
  ThreadWaits(ThreadSite& site, ThreadAccount& account) : site_(site), account_(account) {}
  ThreadWaits(const ThreadWaits&) = delete;
  ThreadWaits& operator=(const ThreadWaits&) = delete;

  // For the code of calls that the thread makes:

  /// Waits until somebody calls ring(); false if `timeout` passed first. The caller asks its
  /// condition again afterwards. The program's signal handlers run meanwhile, and count as a ring.
  /// `reason` completes "rank 3 ...": "waits in PtlEQWait".
  bool wait(const WaitReason& reason, Time timeout);
  /// The same for as long as it takes: always true.
  bool wait(const WaitReason& reason);
  /// A wait that somebody else may end and begin.
  struct Wait {
    Time begin;
    bool over = true;
  };
  /// Waits until it is rung and the deputy, which is asked each time, says that the thread has to
  /// go on itself: the wait may be over then, or not.
  void wait(const WaitReason& reason, FiberDeputy& deputy, Wait& wait);
  /// Whether it has been rung, and its deputy may go on: nothing else happens in its rank, and
  /// nobody looks at what ranks do. For deputies, as are the next two.
  bool deputy_may_act() const;
  void begin(Wait& wait);
  void end(Wait& wait);
  /// Waits until somebody wakes the fiber, for whatever reason. No signal handler runs.
  void suspend(const WaitReason& reason);
  /// The same until `done`, which the others see to; to a recording it is a wait.
  void suspend_until(const bool& done, const WaitReason& reason);
  /// Waits until somebody wakes the fiber, until `deadline`, or for a signal; answers whether a
  /// handler ran.
  bool block(const WaitReason& reason, Time deadline);
  /// Sleeps by the program's own wish; answers what was left when a signal handler ended it.
  Time sleep(Time duration);
  /// Waits until a signal handler has run.
  void wait_for_signal(const WaitReason& reason);
  /// Suspends until `deadline`, a wake or a signal; no account is kept of that.
  void pause(const WaitReason& reason, Time deadline);
  /// How it looks again and again for something, where a call does not wait. A wait begins that
  /// anew, and so does a ring that it has not been asked for since.
  PollPolicy& polls() { return polls_; }
  /// Where it is written down what they took.
  ThreadAccount& account() const { return account_; }
  bool take_ring() { return std::exchange(rung_, false); }

  // For who lets the thread go on before its wait is over:

  /// It goes on as if it had been rung,
  void end_early() { rung_ = true; }
  /// and now it has been, since the first: accounts for what was left of the wait.
  void end_late(Time since) { account_.waited(since, std::exchange(late_, Time::zero())); }

  // For everybody else:

  void ring();
  /// Rings it as one that waits for nothing but this: it goes on `delay` later, which does not
  /// count as waiting, and nothing can wake it sooner.
  void ring_in(Time delay);
  /// Has it go on `delay` from now instead; in the instant of ring_in().
  void put_off(Time delay);
  /// Has it go on where it is suspended.
  void wake();
  /// A signal is to be handled: ends a wait or a sleep.
  void interrupt();

 private:
  Time now() const { return site_.now(); }
  bool handle_signals() { return site_.rank_site().handle_signals(); }

  ThreadSite& site_;
  ThreadAccount& account_;
  PollPolicy polls_;
  Time late_;             ///< By how much it goes on later than it was rung.
  bool pausing_ = false;  ///< In pause(), which a signal may end.
  bool rung_ = false;     ///< Since it was last looked at.
};

// Parts of each function that waits, as Fiber::suspend() is.

[[gnu::always_inline]] inline void ThreadWaits::pause(const WaitReason& reason, Time deadline) {
  pausing_ = true;
  site_.fiber().suspend(reason, deadline == Time::never() ? deadline : deadline - now());
  pausing_ = false;
}

[[gnu::always_inline]] inline void ThreadWaits::suspend_until(const bool& done,
                                                              const WaitReason& reason) {
  const Time begin = now();
  while (!done) site_.fiber().suspend(reason);
  account_.stood(begin);
}

inline void ThreadWaits::begin(Wait& wait) {
  wait = {now(), false};
  polls_.start_anew();
  rung_ = false;
  account_.expect_waker();
}

inline void ThreadWaits::end(Wait& wait) {
  wait.over = true;
  account_.waited(wait.begin, std::exchange(late_, Time::zero()));
}

[[gnu::always_inline]] inline bool ThreadWaits::wait(const WaitReason& reason, Time timeout) {
  Wait wait;
  begin(wait);
  const Time deadline = wait.begin + timeout;
  while (!rung_ && now() < deadline) {
    pause(reason, deadline);
    // What the caller waits for may have been done by a handler.
    if (handle_signals()) rung_ = true;
  }
  end(wait);
  return rung_;
}

[[gnu::always_inline]] inline bool ThreadWaits::wait(const WaitReason& reason) {
  Wait wait;
  begin(wait);
  while (!rung_) {
    pausing_ = true;
    site_.fiber().suspend(reason, Time::never());
    pausing_ = false;
    if (handle_signals()) rung_ = true;
  }
  end(wait);
  return true;
}

}  // namespace heddle::host
