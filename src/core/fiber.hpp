// Fibers: where code of simulated programs runs, each on a stack of its own.
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/floating_point.hpp"
#include "core/quantity.hpp"
#include "core/run_ahead.hpp"
#include "core/sanitizer.hpp"
#include "core/simulation.hpp"
#include "core/stack_arena.hpp"
#include "core/stack_switch.hpp"
#include "core/thread_pointer.hpp"

namespace heddle {

/// Size and number of the stacks.
struct FiberConfig {
  Bytes stack_size{64 * 1024};        ///< Of each fiber, rounded up to whole pages.
  std::uint32_t max_stacks = 65'536;  ///< Fibers that may have started and not finished at a time.
  /// Every so many stacks have a guard below them that stops what overflows; zero: none. The
  /// kernel allows some 30,000 guards.
  std::uint32_t guard_every = 0;
};

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

/// What a fiber has of its own that others share.
struct FiberPlace {
  std::span<std::byte> stack;  ///< Instead of one of the scheduler's; must outlive the fiber.
  /// What finds the fiber's thread-local variables; null: those of the thread that simulates.
  void* thread_pointer = nullptr;
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
  /// The fiber's code goes on aside, is about to come back from there, and has: on its own stack,
  /// and on the thread that runs it.
  virtual void gone_aside() {}
  virtual void coming_back() {}
  virtual void come_back() {}
  /// Its code, which has left in its turn (Fiber::depart), has taken so much processor time: until
  /// when it does nothing that others may notice. From the event loop.
  virtual Time aside_until(Time) { return Time::zero(); }

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
  /// Ahead of its turn, with the clock at the time of that: does what of act() concerns nobody
  /// else. True if the fiber itself goes on then, which may do so ahead of its turn, too.
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
  FiberScheduler& scheduler() const { return scheduler_; }
  bool finished() const { return state_ == State::finished; }
  /// What finds the thread-local variables of its code.
  void* thread_pointer() const;
  bool has_own_thread() const { return place_.thread_pointer != nullptr; }
  /// Its stack; only for code that runs on it.
  std::span<std::byte> stack() const;

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

  // For code that may run ahead of its turn (RunAhead):

  /// What follows may be noticed by others: waits for the fiber's turn if it runs ahead of that.
  void await_turn();
  /// Code follows that concerns nobody else until it calls come_back(): it may run on another
  /// thread of this computer if the fiber runs ahead of its turn.
  void go_aside();
  /// The same in the fiber's turn: events go on meanwhile, as far as FiberTask::aside_until() says.
  void depart();
  /// If the caller is such code: the fiber's turn has come afterwards, on the thread of the event
  /// loop. From handlers of signals, too.
  HEDDLE_NEVER_CHECKED static void come_back() {
    if (aside_ != nullptr) [[unlikely]] {
      aside_->leave_side_thread();
    }
  }

  // For everybody else:

  /// Whether a stack pointer or an address near it shows that this fiber has overflowed its stack.
  bool overflows(const void* address) const;

  /// Lets a suspended fiber go on in this instant; false (and nothing happens) if it is not
  /// suspended, or has been woken already.
  bool wake() { return wake_in(Time::zero()); }
  /// The same, `delay` later. Nobody else can wake it sooner then.
  bool wake_in(Time delay);
  /// Has a fiber that wake_in() lets go on do so `delay` from now instead.
  void put_off(Time delay);
  /// From then on nothing changes when a fiber goes on that wake_in() or sleep() lets go on, nor
  /// what it finds then.
  void may_run_ahead(RunAhead::From from);

  /// It goes on soon: what that is going to need may be fetched from memory.
  void foresee() const override;

  /// Ends a fiber that is not running, without unwinding its stack. Its task is not told.
  void discard();

 private:
  friend class FiberScheduler;
  friend class RunAhead;
  enum class State : std::uint8_t { ready, running, sleeping, suspended, finished };
  /// How far its code is ahead of its turn.
  enum class Ahead : std::uint8_t {
    no,
    begins,   ///< On the thread of the event loop.
    leaves,   ///< It wants to go aside.
    waiting,  ///< For a thread.
    aside,    ///< On a thread.
    back,     ///< It waits for its turn.
  };
  /// The C++ runtime's account of exceptions in flight, which must follow the stack.
  struct ExceptionState {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  struct Stop : StopPlace {
    Fiber* fiber;
  };

  void fire() override;
  void glimpse() const override;
  bool deputy_acts();
  void wait_for_turn();
  void leave_aside();
  void go_on_aside();
  bool stays_aside();
  void leave_side_thread();

  FiberScheduler& scheduler_;
  FiberTask& task_;
  FiberPlace place_;
  EventSource source_;
  std::uint32_t stack_ = 0;  ///< The scheduler's; meaningful while its code is somewhere.
  Stop stop_{{}, this};      ///< Where to go on; nowhere before the start and after the end.
  const WaitReason* reason_ = nullptr;  ///< While suspended.
  FiberDeputy* deputy_ = nullptr;       ///< Who goes on when it is woken; null: itself.
  ExceptionState exceptions_;
  void* fake_stack_ = nullptr;  ///< AddressSanitizer's.
  FloatingPoint floating_point_;
  int errno_ = 0;  ///< The C library's, while another fiber runs.
  State state_ = State::ready;
  bool timed_out_ = false;  ///< Of a suspension with a time limit.
  Ahead ahead_ = Ahead::no;
  bool departed_ = false;        ///< It left in its turn.
  Time due_;                     ///< When it goes on that sleeps or has been woken.
  StopPlace* side_ = nullptr;    ///< Where the thread goes on that it runs on aside, ...
  void* side_thread_ = nullptr;  ///< ... and what finds the variables of that.

  /// Of the thread whose variables the running code has: the fiber, if it is aside.
  inline static thread_local constinit Fiber* aside_ = nullptr;
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
  Fiber* current() const { return current_; }
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

 private:
  friend class Fiber;
  friend class RunAhead;
  struct Switch;  // How stacks are exchanged.
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

  void resume(Fiber& fiber);
  void visit(Fiber& fiber);
  void begin(Fiber& fiber);
  std::span<std::byte> stack_of(const Fiber& fiber) const;
  bool intact(const Fiber& fiber) const;
  void free_stack(Fiber& fiber);
  void leave(Fiber& fiber);
  /// A fiber with thread-local variables of its own has them as long as its code runs.
  void take_thread(const Fiber& fiber) const {
    if (fiber.place_.thread_pointer) set_thread_pointer(fiber.place_.thread_pointer);
  }
  void give_thread_back(const Fiber& fiber) const {
    if (fiber.place_.thread_pointer) set_thread_pointer(host_thread_);
  }
  void throw_if_ending() const {
    if (unwinding_) unwind();
  }
  [[noreturn]] static void unwind();
  void retire(Fiber& fiber);
  void run_body(Fiber& fiber);
  void drop(Fiber& fiber);
  [[noreturn]] void report_overflow(const Fiber& fiber);
  [[noreturn]] void report_deadlock() const;
  void raise_failure(const Fiber& fiber);

  Simulation& simulation_;
  StackArena stacks_;
  std::deque<FunctionTask> functions_;
  std::deque<Fiber> fibers_;
  Fiber* current_ = nullptr;
  StopPlace host_;     ///< Where the event loop goes on.
  void* host_thread_;  ///< What finds the thread-local variables of its thread, ...
  Fiber::ExceptionState* host_exceptions_;  ///< ... of which these are needed for every switch.
  int* host_errno_;
  std::exception_ptr failure_;
  std::size_t unfinished_ = 0;
  bool unwinding_ = false;
  bool running_ahead_ = false;
  bool corrupt_ = false;  ///< A stack overflowed: others cannot be trusted, not even to unwind.
  const void* host_bottom_ = nullptr;  ///< For AddressSanitizer.
  std::size_t host_size_ = 0;
  std::unique_ptr<RunAhead> ahead_;  ///< Or null.
};

inline void Fiber::await_turn() {
  if (scheduler_.running_ahead_) [[unlikely]] {
    wait_for_turn();
  }
}
inline void Fiber::go_aside() {
  if (scheduler_.running_ahead_) [[unlikely]] {
    leave_aside();
  }
}
inline void Fiber::may_run_ahead(RunAhead::From from) {
  if (scheduler_.ahead_ != nullptr) scheduler_.ahead_->expect(*this, from);
}

// What waits is a part of each function that calls it: the processor guesses wrong where a function
// returns to that was called before the switch, and takes longer for that than for the switch.

[[gnu::always_inline]] inline void FiberScheduler::leave(Fiber& fiber) {
  assert(current_ == &fiber && "a fiber waits by its own code only");
  give_thread_back(fiber);
  before_switch(&fiber.fake_stack_, host_bottom_, host_size_);
  switch_stacks(fiber.stop_, host_);
  after_switch(fiber.fake_stack_, &host_bottom_, &host_size_);
  take_thread(fiber);
  throw_if_ending();
}

[[gnu::always_inline]] inline bool Fiber::suspend(const WaitReason& reason, Time timeout) {
  await_turn();
  scheduler_.throw_if_ending();
  timed_out_ = timeout != Time::never();
  if (timed_out_) scheduler_.simulation_.schedule_in(*this, timeout, source_, kProgram);
  state_ = State::suspended;
  reason_ = &reason;
  scheduler_.leave(*this);
  return !timed_out_;
}

}  // namespace heddle
