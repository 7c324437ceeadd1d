// A thread of a rank: code that runs on a fiber, and how it spends simulated time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/fiber.hpp"
#include "host/rank/poll_policy.hpp"
#include "host/rank/spinners.hpp"
#include "host/rank/stretches.hpp"
#include "record/run_recorder.hpp"

namespace heddle::host {

class Call;
class Rank;
class Thread;

/// Where the simulated time of a thread has gone; what is left of its life went into calls.
struct RankTimes {
  Time computing;
  Time waiting;   ///< For something to happen, polls in vain included.
  Time polling;   ///< Polls in vain alone.
  Time sleeping;  ///< By its own wish.
  Time end;       ///< When it ended.
};

/// What a thread does that the program has started.
class ThreadBody {
 public:
  /// On the thread's fiber.
  virtual void run() = 0;
  /// The thread's code will not run again; called from the event loop.
  virtual void ended() = 0;

 protected:
  ~ThreadBody() = default;
};

/// One thread. A rank has one from the beginning, whose end is the rank's.
class Thread final : private FiberTask {
 public:
  Thread(Rank& rank, std::uint32_t number) : rank_(rank), number_(number) {}
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Its code starts now, after what is already due in this instant. Without a body it runs the
  /// rank.
  void start(FiberScheduler& scheduler, ThreadBody* body = nullptr, const FiberPlace& place = {});

  Rank& rank() const { return rank_; }
  std::uint32_t number() const { return number_; }  ///< Among those of its rank.
  Fiber& fiber() const { return *fiber_; }
  /// "rank 3", "rank 3, thread 1".
  std::string name() const override;
  Time now() const { return fiber_->scheduler().simulation().now(); }
  const RankTimes& times() const { return times_; }
  RankTimes& times() { return times_; }
  /// What its clock of processor time shows: sleeping and waiting do not count, polling does.
  Time processor_time() const {
    return now() - begin_ - times_.sleeping - (times_.waiting - times_.polling);
  }

  // Time, as Rank has it.
  bool wait(const WaitReason& reason, Time timeout);
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
  void polled(const WaitReason& reason);
  void saw_clock() { polls_.saw_clock(); }
  void ring();
  /// Has it go on where it is suspended.
  void wake() {
    note_waker();
    fiber_->wake();
  }
  void ring_in(Time delay);
  void put_off(Time delay);
  void may_run_ahead(RunAhead::From from);
  void compute(Time duration);
  Time sleep(Time duration);
  void wait_for_signal(const WaitReason& reason);
  void charge(Time cost);
  void interrupt();
  /// Waits until somebody wakes the fiber, for whatever reason. No signal handler runs.
  void suspend(const WaitReason& reason) { fiber_->suspend(reason); }
  /// The same until `done`, which the others see to; to a recording it is a wait.
  void suspend_until(const bool& done, const WaitReason& reason);
  /// Waits until somebody wakes the fiber, until `deadline`, or for a signal; answers whether a
  /// handler ran.
  bool block(const WaitReason& reason, Time deadline);
  /// Sets it aside in the middle of its own code, which does so, as `reason` says.
  void spin(const WaitReason& reason, const Look& look);
  /// What is known of it as one that waits so; null as long as it has not.
  const Spinner* spinner() const { return spinner_.get(); }
  /// If it is in a call: has it looked at when that is over, if it is watched.
  bool look_after_call() {
    look_due_ = look_due_ || (call_ != nullptr && watched());
    return call_ != nullptr;
  }
  /// Calls it has made so far.
  std::uint64_t calls() const { return calls_; }
  /// It has asked for the time, or for a lock, which costs nothing: a loop that does nothing else
  /// is charged, so that it ends, and others go on meanwhile.
  void asked_time() { charge_loop(clock_loop_); }
  void asked_lock() { charge_loop(lock_loop_); }
  /// Lets the time of a look at the processor's counter pass; `taken` then, once.
  bool take_counter_charge() { return std::exchange(counter_charged_, false); }
  void charge_counter();
  /// A number among all threads of the job, none of which is a number that the kernel gives to
  /// threads.
  int id() const;

  /// A thread of the same rank ends what it waits for; for the recording.
  void woken_by(const Thread* other);
  /// It is woken by what happens now; for the recording.
  void note_waker();
  /// What a recording knows it by.
  record::Lane lane() const;

  // Calls of ours that it makes.
  bool in_call() const { return call_ != nullptr; }
  bool is_outermost(const Call& call) const { return call_ == &call; }
  void begin_call(const Call& call) {
    if (call_ != nullptr) return;
    call_ = &call;
    ++calls_;
    if (calls_take_time_) spend_computation();
  }
  void end_call(const Call& call) {
    if (call_ != &call) return;
    call_ = nullptr;
    if (calls_take_time_) compute_from_now();
    if (look_due_) watch_soon();
    if (may_leave_) [[unlikely]] {
      leave();
    }
  }
  void abandon_calls();
  /// Lets what it has computed since its last call take its time; no handler runs.
  void charge_computation();

 private:
  void run(Fiber& fiber) override;
  void foresee() const override;
  void resumed() override;
  void paused() override;
  void ended() override;
  bool unwinds() const override;
  void gone_aside() override;
  void coming_back() override;
  void come_back() override;
  Time aside_until(Time computed) override;
  /// Whether stretches of its code may run beside the simulator at all, and whether to try now.
  bool may_go_aside() const;
  bool is_worth_it();
  /// Its own code follows, which may run elsewhere.
  void leave();
  /// Computes while events go on.
  void depart();
  /// Lets time pass in which nothing can end it.
  void pass(Time duration);
  /// Suspends until `deadline`, a wake or a signal.
  void pause(const WaitReason& reason, Time deadline);
  void nap(const WaitReason& reason, Time duration);
  /// Something that costs nothing, done again and again.
  struct Loop {
    Time last;                ///< When it was last done.
    std::uint32_t again = 0;  ///< How often in that instant.
  };
  void charge_loop(Loop& loop);
  void occupy_core(Time duration, Time begin);
  /// Lets the interruption end that its processor is in, if it is in one.
  void wait_for_core();
  /// Before and after a call, if computation or noise takes time.
  void spend_computation();
  void compute_from_now();
  /// What it has computed since then.
  Time computed() const;
  bool watched() const { return spinner_ != nullptr && spinner_->watched(); }
  void watch_soon();
  bool handle_signals();
  void record(record::Activity activity, Time begin, Time end) const;
  void record_wait(Time begin, Time late = Time::zero());

  Rank& rank_;
  std::uint32_t number_;
  int serial_ = 0;  ///< Among those of the job that programs have started.
  Fiber* fiber_ = nullptr;
  ThreadBody* body_ = nullptr;
  Time begin_;
  RankTimes times_;
  PollPolicy polls_;
  Time computing_since_;             ///< Processor time of the host, when computation is measured.
  std::uint64_t counted_since_ = 0;  ///< When it is counted.
  record::Waker waker_;              ///< Who woke it last; for the recording.
  std::uint64_t calls_ = 0;          ///< Outermost ones.
  std::unique_ptr<Spinner> spinner_;
  Loop clock_loop_;
  Loop lock_loop_;
  /// What of its code ran on threads beside the simulator.
  struct Aside {
    Time since;                  ///< By the processor time of such a thread.
    Time taken;                  ///< Of the last such stretch.
    Time gained;                 ///< What it was worth so far, within limits.
    std::uint32_t left_out = 0;  ///< How many stretches are still not worth trying.
    std::uint32_t next_out = 0;  ///< How many the next time.
  };
  Aside aside_;
  std::unique_ptr<Stretches> stretches_;  ///< If computation is measured.
  bool may_leave_ = false;                ///< Its own code may run elsewhere.
  bool departs_ = false;  ///< Computation is measured, and may run beside the simulator.
  Time computing_from_ = Time::never();  ///< When it departed to what it has not been charged for.
  bool calls_take_time_ = true;          ///< Or what comes before them.
  bool counter_charged_ = false;
  bool look_due_ = false;       ///< It often waits by looking, and may do so after this call.
  bool set_aside_ = false;      ///< By spin(), again, without a call in between.
  bool pausing_ = false;        ///< In pause(), which a signal may end.
  bool rung_ = false;           ///< Since it was last looked at.
  Time late_;                   ///< By how much it goes on later than it was rung.
  const Call* call_ = nullptr;  ///< The outermost under way.
};

// A part of each function that waits, as Fiber::suspend() is.

[[gnu::always_inline]] inline void Thread::pause(const WaitReason& reason, Time deadline) {
  pausing_ = true;
  fiber_->suspend(reason, deadline == Time::never() ? deadline : deadline - now());
  pausing_ = false;
}

[[gnu::always_inline]] inline void Thread::suspend_until(const bool& done,
                                                         const WaitReason& reason) {
  const Time begin = now();
  while (!done) fiber_->suspend(reason);
  record_wait(begin);
}

inline void Thread::begin(Wait& wait) {
  wait = {now(), false};
  polls_.start_anew();
  rung_ = false;
  waker_ = {};
}

inline void Thread::end(Wait& wait) {
  wait.over = true;
  const Time late = std::exchange(late_, Time::zero());
  times_.waiting += now() - wait.begin - late;
  record_wait(wait.begin, late);
}

[[gnu::always_inline]] inline bool Thread::wait(const WaitReason& reason, Time timeout) {
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

/// The thread whose code is running; null outside of ranks, and for threads of the host that
/// libraries have started.
Thread* current_thread();
/// Has `thread` taken for the one whose code is running (null: none); answers which was. For code
/// that is not a rank's but runs on its fiber.
Thread* set_running(Thread* thread);

}  // namespace heddle::host
