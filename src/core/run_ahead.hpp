// Fibers whose code runs before its turn, on threads of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/time.hpp"

namespace heddle {

class Fiber;
class FiberScheduler;

/// Between two instants of the simulation, fibers that wait for a time which nothing changes any
/// more go on ahead of it: first on the thread that simulates, with the clock at the time that they
/// wait for, up to where they enter code that concerns nobody else (FiberLead::go_aside). That code
/// runs on one of the threads here until it needs the simulator again (FiberLead::come_back). When
/// the fiber's turn comes in the order of events it goes on from there, as if it had done all of it
/// then: whatever others might notice of it waits for that turn (FiberLead::await_turn).
class RunAhead {
 public:
  RunAhead(FiberScheduler& scheduler, unsigned threads);
  /// Takes back what is still running there.
  ~RunAhead();
  RunAhead(const RunAhead&) = delete;
  RunAhead& operator=(const RunAhead&) = delete;

  /// From when on a fiber that waits for its time may go on ahead of it.
  enum class From : std::uint8_t { now, next_instant };
  void expect(Fiber& fiber, From from) {
    (from == From::now ? at_once_ : expected_).push_back(&fiber);
  }
  /// Lets those go on that may; from the event loop, before each event.
  void begin() {
    // What they wait for besides may happen now, too.
    if (!at_once_.empty() && what_was_due_is_through()) begin(at_once_);
    if (!expected_.empty() && nothing_is_left_now()) begin(expected_);
  }
  /// Its code has left for a thread.
  void hand_over(Fiber& fiber);
  /// How much processor time the code has taken that a fiber runs aside, as far as it is known
  /// after a short wait; nothing if it is back, or has taken so much that it might as well go on
  /// here.
  std::optional<Time> computed(Fiber& fiber);
  /// The fiber's turn has come: afterwards no thread but the caller's has it.
  void take_back(Fiber& fiber);
  /// The fiber is to do nothing ahead any more: it waits no longer for that.
  void forget(const Fiber& fiber);

  /// Code of a fiber that ran aside, as far as is known.
  struct Totals {
    std::uint64_t begun = 0;      ///< Stretches of code that were given to threads,
    std::uint64_t unstarted = 0;  ///< of these taken back before one had begun them,
    std::uint64_t recalled = 0;   ///< and in the middle, for their turn had come.
  };
  const Totals& totals() const { return totals_; }

  /// Makes the order in which threads take up what they are given a random one, with pauses: for
  /// tests of what depends on it.
  void disturb(std::uint64_t seed) { disturbance_ = seed; }

 private:
  class SideThread;

  bool what_was_due_is_through() const;
  bool nothing_is_left_now() const;
  void begin(std::vector<Fiber*>& fibers);
  void begin(Fiber& fiber);
  SideThread* thread_of(const Fiber& fiber) const;
  /// Has a thread wait for a fiber to run, if it gets one; false when all is over.
  bool take_up(SideThread& thread);
  /// The fiber of a thread is where it needs the simulator.
  void is_back(SideThread& thread);
  void disturb(std::unique_lock<std::mutex>& lock);

  FiberScheduler& scheduler_;
  std::vector<Fiber*> at_once_;
  std::vector<Fiber*> expected_;
  std::vector<Fiber*> begun_;  ///< Of begin(), kept for its memory.
  std::mutex mutex_;
  std::condition_variable work_;  ///< For threads.
  std::condition_variable back_;  ///< For the simulator.
  std::deque<Fiber*> waiting_;    ///< For a thread.
  bool over_ = false;
  std::uint64_t disturbance_ = 0;  ///< Zero: none.
  Totals totals_;
  std::vector<std::unique_ptr<SideThread>> threads_;
};

}  // namespace heddle
