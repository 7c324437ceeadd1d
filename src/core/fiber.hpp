// Fibers: where code of simulated programs runs, each on a stack of its own.
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/containers/record_store.hpp"
#include "core/error.hpp"
#include "core/fiber_context.hpp"
#include "core/fiber_lead.hpp"
#include "core/run_ahead.hpp"
#include "core/simulation.hpp"

namespace heddle {

/// What a fiber waits for, in words that are made only when somebody asks: refers to a callable
/// that gives a string, or to a text, either of which must live as long as the wait.
class WaitReason {
 public:
  WaitReason(const char* text) : object_(text), describe_(as_text) {}
  template <class Describe>
  requires std::is_invocable_r_v<std::string, const Describe&> WaitReason(const Describe& describe)
      : object_(&describe), describe_([](const void* object) -> std::string {
          return (*static_cast<const Describe*>(object))();
        }) {}

  std::string text() const { return describe_(object_); }
  /// The same for all waits of one kind: at one place of the simulator's code, or with one text.
  const void* kind() const {
    return describe_ == as_text ? object_ : reinterpret_cast<const void*>(describe_);
  }

 private:
  static std::string as_text(const void* text) { return static_cast<const char*>(text); }

  const void* object_;
  std::string (*describe_)(const void*);
};

/// Ends a run with a sentence of its own, to which nothing is added.
class FiberFailure : public RunError {
 public:
  using RunError::RunError;
};

/// Nothing is left to happen, and fibers still wait.
class DeadlockError : public RunError {
 public:
  using RunError::RunError;
};

class FiberScheduler;
class Fiber;

/// What a fiber runs, and what its owner wants to know of it.
class FiberTask {
 public:
  /// The code itself, on the fiber's stack.
  virtual void run(Fiber& fiber) = 0;
  /// For messages; made when somebody asks.
  virtual std::string name() const = 0;
  /// The fiber's code goes on soon: what it is going to need may be fetched from memory.
  virtual void foresee() const {}
  /// The fiber's code goes on next; called from the event loop.
  virtual void resumed() {}
  /// The fiber's code has stopped, for a while or for good; called from the event loop.
  virtual void paused() {}
  /// The fiber's code is over and its stack given back; called from the event loop. May throw a
  /// FiberFailure, which ends the run.
  virtual void ended() {}
  /// Whether the stack of unfinished code is unwound when the scheduler ends; foreign code is
  /// better left as it is.
  virtual bool unwinds() const { return true; }
  /// Who is told of its code ahead of its turn; null: that never goes on there.
  virtual AsideTask* aside() { return nullptr; }

 protected:
  ~FiberTask() = default;
};

/// Goes on in place of a fiber that waits, without its stack: switching to that costs more than a
/// small step of what the fiber does.
class FiberDeputy {
 public:
  /// The fiber has been woken: does what its code would do next, from the event loop, up to where
  /// it would wait again for somebody to wake it. True if the fiber itself has to go on instead.
  /// Must not throw.
  virtual bool act() = 0;
  /// Ahead of its turn: does what of act() concerns nobody else. True if the fiber itself goes on
  /// then, which may do so ahead of its turn, too.
  virtual bool act_ahead() { return false; }
  /// It acts soon: may fetch from memory what it is going to need besides itself.
  virtual void foresee() const {}

 protected:
  ~FiberDeputy() = default;
};

/// One thread of simulated program code. Made by FiberScheduler::spawn and valid until the
/// scheduler ends.
class Fiber final : private Event {
 public:
  /// Scheduler's use only; public for the container that holds the fibers.
  Fiber(FiberScheduler& scheduler, FiberTask& task, const FiberPlace& place);

  std::string name() const { return task_.name(); }
  FiberTask& task() const { return task_; }
  FiberScheduler& scheduler() const { return scheduler_; }
  bool finished() const { return state_ == State::finished; }
  /// Where its code stops and goes on.
  FiberContext& context() { return context_; }
  /// How far that is ahead of its turn.
  FiberLead& lead() { return lead_; }

  // For the code that runs in this fiber:

  /// Goes on `duration` later; zero lets everything else of this instant go first.
  void sleep(Time duration);
  /// The same without leaving the fiber if nothing else happens in that time; false, and nothing
  /// has happened, if something does.
  bool advance(Time duration);
  /// Waits until somebody calls wake(). Code that waits for a condition asks it again afterwards.
  /// `reason` completes the sentence "name ...": "waits for message from 3".
  void suspend(const WaitReason& reason);
  /// The same for at most `timeout`; false if nobody called wake() in that time.
  bool suspend(const WaitReason& reason, Time timeout);
  /// The same without a limit, until the deputy says that the fiber has to go on: that is asked
  /// each time that somebody calls wake().
  void suspend(const WaitReason& reason, FiberDeputy& deputy);
  /// Ends the fiber here and now, without unwinding its stack, as exit() ends a process.
  [[noreturn]] void end();
  /// Has the event loop go on, and goes on when that resumes it.
  void leave();

  // For everybody else:

  /// Lets a suspended fiber go on in this instant; false (and nothing happens) if it is not
  /// suspended, or has been woken already.
  bool wake() { return wake_in(Time::zero()); }
  /// The same, `delay` later. Nobody else can wake it sooner then.
  bool wake_in(Time delay);
  /// Has a fiber that wake_in() lets go on do so `delay` from now instead.
  void put_off(Time delay);
  /// Ends a fiber that is not running, without unwinding its stack. Its task is not told.
  void discard();
  /// It goes on soon: what that is going to need may be fetched from memory.
  void foresee() const override;

  // For those who let it run ahead of its turn:

  /// Whether it waits for somebody who wakes it, or for its turn when that has happened.
  bool waits() const {
    return (state_ == State::suspended || state_ == State::ready) && context_.live();
  }
  /// What it says of its wait, which must live as long as that.
  void says(const WaitReason& reason) { reason_ = &reason; }
  /// Who acts for it, or null: itself.
  FiberDeputy* deputy() const { return deputy_; }
  /// Is asked whether its turn has come, again at `when`; never: when somebody wakes it again.
  void ask_again(Time when);

 private:
  friend class FiberScheduler;
  enum class State : std::uint8_t { ready, running, sleeping, suspended, finished };

  void fire() override;
  void glimpse() const override;
  bool deputy_acts();

  FiberScheduler& scheduler_;
  FiberTask& task_;
  EventSource source_;
  FiberContext context_;
  const WaitReason* reason_ = nullptr;  ///< While suspended.
  FiberDeputy* deputy_ = nullptr;       ///< Who goes on when it is woken; null: itself.
  /// There are some hundred thousands of them: what follows is in the room that this leaves.
  [[no_unique_address]] FiberLead lead_;
  State state_ = State::ready;
  bool timed_out_ = false;  ///< Of a suspension with a time limit.
};

/// Runs the fibers of one simulation, each of which is one event at a time: its start or its going
/// on. Switching, sleeping and waking allocate nothing.
///
/// An exception that leaves a fiber's code ends the simulation's run: it comes out of
/// Simulation::run as a RunError with the fiber's name, the original nested in it.
class FiberScheduler {
 public:
  /// The simulation must outlive the scheduler.
  explicit FiberScheduler(Simulation& simulation, const FiberConfig& config = {});
  ~FiberScheduler();
  FiberScheduler(const FiberScheduler&) = delete;
  FiberScheduler& operator=(const FiberScheduler&) = delete;

  /// A new fiber that starts now, after what is already due in this instant. It has no stack
  /// before it starts.
  Fiber& spawn(std::string name, std::function<void(Fiber&)> body);
  /// The same for a task that outlives the scheduler or the call of end().
  Fiber& spawn(FiberTask& task, const FiberPlace& place = {});

  Simulation& simulation() const { return simulation_; }
  /// The fiber whose code is running, or null.
  Fiber* current() const { return host_.current; }
  /// Fibers that have not finished.
  std::size_t unfinished() const { return unfinished_; }

  /// Runs the simulation until no event is left; throws RunError with who waits for what if
  /// fibers are then still waiting.
  void run();
  /// Ends every fiber that has not finished, for good: its stack is unwound (its code sees a
  /// foreign exception come out of the call it waits in, and must let it pass), and its task may
  /// go.
  void end();
  /// Has code of fibers that concerns nobody else run on so many threads, ahead of its turn. Only
  /// for fibers with a thread pointer of their own.
  void run_ahead(unsigned threads) { ahead_ = std::make_unique<RunAhead>(*this, threads); }
  /// Who does that, or null.
  RunAhead* ahead() const { return ahead_.get(); }
  /// Whether the running fiber is ahead of its turn.
  const bool& running_ahead() const { return running_ahead_; }
  /// Fires events until none is left.
  void run_events();
  /// "rank 0 waits for message from 3", for up to `limit` of the suspended fibers in the order in
  /// which they were spawned.
  std::vector<std::string> waiting(std::size_t limit = SIZE_MAX) const;

  /// For the code of fibers: unwinds its stack if the scheduler ends.
  void throw_if_ending() const {
    if (unwinding_) unwind();
  }

 private:
  friend class Fiber;
  friend class RunAhead;
  /// A task made of a name and a function.
  class FunctionTask final : public FiberTask {
   public:
    FunctionTask(std::string name, std::function<void(Fiber&)> body)
        : name_(std::move(name)), body_(std::move(body)) {}
    void run(Fiber& fiber) override;
    std::string name() const override { return name_; }

   private:
    std::string name_;
    std::function<void(Fiber&)> body_;
  };

  static void enter(StopPlace& from, StopPlace& here);
  void resume(Fiber& fiber);
  void visit(Fiber& fiber);
  void visit_ahead(Fiber& fiber);
  void begin(Fiber& fiber);
  [[noreturn]] static void unwind();
  void retire(Fiber& fiber);
  void run_body(Fiber& fiber);
  void drop(Fiber& fiber);
  [[noreturn]] void report_overflow(const Fiber& fiber);
  [[noreturn]] void report_deadlock() const;
  void raise_failure(const Fiber& fiber);

  Simulation& simulation_;
  FiberHost host_;
  std::deque<FunctionTask> functions_;
  RecordStore<Fiber, 8> fibers_;
  std::exception_ptr failure_;
  std::size_t unfinished_ = 0;
  bool unwinding_ = false;
  bool running_ahead_ = false;
  bool corrupt_ = false;  ///< A stack overflowed: others cannot be trusted, not even to unwind.
  std::unique_ptr<RunAhead> ahead_;  ///< Or null.
};

inline void FiberLead::await_turn() {
  if (fiber_.scheduler().running_ahead()) [[unlikely]] {
    wait_for_turn();
  }
}
inline void FiberLead::go_aside() {
  if (fiber_.scheduler().running_ahead()) [[unlikely]] {
    leave_ahead();
  }
}

// Parts of each function that calls them, as FiberContext::leave() is.

[[gnu::always_inline]] inline void Fiber::leave() {
  assert(scheduler_.current() == this && "a fiber waits by its own code only");
  context_.leave();
  scheduler_.throw_if_ending();
}

[[gnu::always_inline]] inline bool Fiber::suspend(const WaitReason& reason, Time timeout) {
  lead_.await_turn();
  scheduler_.throw_if_ending();
  timed_out_ = timeout != Time::never();
  if (timed_out_) scheduler_.simulation_.schedule_in(*this, timeout, source_, kProgram);
  state_ = State::suspended;
  reason_ = &reason;
  leave();
  return !timed_out_;
}

}  // namespace heddle
