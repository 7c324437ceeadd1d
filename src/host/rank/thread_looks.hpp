// How a thread of a rank looks again and again for what is not there yet.
#pragma once

#include <memory>
#include <utility>

#include "core/fiber.hpp"
#include "core/time.hpp"
#include "host/rank/idle_loop.hpp"
#include "host/rank/spinners.hpp"
#include "host/rank/thread_calls.hpp"
#include "host/rank/thread_site.hpp"
#include "host/rank/thread_waits.hpp"
#include "host/rank/thread_work.hpp"

namespace heddle::host {

/// The looks of one thread: with calls that find nothing, at clocks and locks, or at memory without
/// a call. All of them take time, so that others go on meanwhile and the loop ends.
class ThreadLooks {
 public:
  ThreadLooks(ThreadSite& site, ThreadWaits& waits, ThreadWork& work, ThreadCalls& calls)
      : site_(site), waits_(waits), work_(work), calls_(calls) {}
  ThreadLooks(const ThreadLooks&) = delete;
  ThreadLooks& operator=(const ThreadLooks&) = delete;

  /// A call that does not wait has found nothing: lets time pass, `host.poll_cost` or, in a long
  /// row of such calls, a multiple of it (PollPolicy) that ends when the thread is rung. `reason`
  /// completes "rank 3 ...": "polls with PtlEQGet".
  void polled(const WaitReason& reason);
  /// It looks at the clock, which is charged.
  void saw_clock();
  /// What it does that costs nothing: asks for the time, or for a lock. A loop that does nothing
  /// else is charged (charge_repetition).
  IdleLoop& clock_loop() { return loops().clock; }
  IdleLoop& lock_loop() { return loops().lock; }
  /// Lets the time of a look at the processor's counter pass; `taken` then, once.
  void charge_counter();
  bool take_counter_charge() { return std::exchange(counter_charged_, false); }

  // Without calls:

  /// Sets it aside in the middle of its own code, which does so, as `reason` says.
  void spin(const WaitReason& reason, const Look& look);
  /// What is known of it as one that waits so; null as long as it has not.
  const Spinner* spinner() const { return spinner_.get(); }
  /// If it is in a call: has it looked at when that is over, if it is watched.
  bool look_after_call();
  /// Has it looked at soon, as one that often waits so.
  void watch_soon();

  // Its code goes on next, or has stopped; from the event loop:

  void resumed() {
    if (watched() && !look_after_call()) watch_soon();
  }
  void paused();

 private:
  struct Loops {
    IdleLoop clock;
    IdleLoop lock;
  };

  void nap(const WaitReason& reason, Time duration);
  Loops& loops() {
    if (loops_ == nullptr) loops_ = std::make_unique<Loops>();
    return *loops_;
  }
  bool watched() const { return spinner_ != nullptr && spinner_->watched(); }

  std::unique_ptr<Spinner> spinner_;
  bool set_aside_ = false;  ///< By spin(), again, without a call in between.
  bool counter_charged_ = false;
  // What follows is not needed whenever it goes on.
  ThreadSite& site_;
  ThreadWaits& waits_;
  ThreadWork& work_;
  ThreadCalls& calls_;
  std::unique_ptr<Loops> loops_;  ///< Of the few that have any.
};

}  // namespace heddle::host
