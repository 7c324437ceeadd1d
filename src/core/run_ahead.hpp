// Fibers whose code runs before its turn, on threads of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "core/time.hpp"

namespace heddle {

class Fiber;
class FiberScheduler;

/// Fibers that wait for what is certain, though its time has not come, go on ahead of it: first on
/// the thread that simulates, up to where they enter code that concerns nobody else
/// (FiberLead::go_aside). That code runs on one of the threads here until it needs the simulator
/// again (FiberLead::come_back). When the fiber's turn comes in the order of events it goes on from
/// there, as if it had done all of it then: whatever others might notice of it waits for that turn
/// (FiberLead::await_turn).
class RunAhead {
 public:
  RunAhead(FiberScheduler& scheduler, unsigned threads);
  /// Takes back what is still running there.
  ~RunAhead();
  RunAhead(const RunAhead&) = delete;
  RunAhead& operator=(const RunAhead&) = delete;

  /// A fiber that may go ahead of its turn, if AsideTask::ends_wait_early() says so.
  void add(Fiber& fiber) { members_.push_back(&fiber); }
  /// Lets those go ahead that can: where the thread that simulates is about to wait for a fiber's
  /// code, or to run some that takes long.
  void look_around();
  /// How much processor time the code has taken that a fiber runs aside, as far as it is known
  /// after a short wait; nothing if it is back, or has taken so much that it might as well go on
  /// here.
  std::optional<Time> computed(Fiber& fiber);
  /// The fiber's turn has come: afterwards no thread but the caller's has it.
  void take_back(Fiber& fiber);
  /// The fiber's code has left the event loop's thread, for one of these or to have it
  /// look_around().
  void has_left(Fiber& fiber);

  /// Code of a fiber that ran aside, as far as is known.
  struct Totals {
    std::uint64_t begun = 0;      ///< Stretches of code that were given to threads,
    std::uint64_t unstarted = 0;  ///< of these taken back before one had begun them,
    std::uint64_t recalled = 0;   ///< and in the middle, for their turn had come.
  };
  const Totals& totals() const { return totals_; }

  /// Makes the order in which threads take up what they are given a random one, with pauses
  /// wherever code changes threads, and has chance decide who goes ahead, and when: for tests of
  /// what depends on it. Zero: nothing of that.
  void disturb(std::uint64_t seed);
  bool disturbed() const { return chance_.has_value(); }
  /// One time in so many; on the thread that simulates.
  bool chance(std::uint64_t times) { return chance_->below(times) == 0; }

 private:
  class SideThread;

  void begin(Fiber& fiber);
  void hand_over(Fiber& fiber);
  SideThread* thread_of(const Fiber& fiber) const;
  /// Has a thread wait for a fiber to run, if it gets one; false when all is over.
  bool take_up(SideThread& thread);
  /// The fiber of a thread is where it needs the simulator.
  void is_back(SideThread& thread);
  std::size_t given();
  void disturb(std::unique_lock<std::mutex>& lock);
  void pause_perhaps();

  FiberScheduler& scheduler_;
  std::vector<Fiber*> members_;
  std::size_t next_ = 0;  ///< Of these the first that is asked.
  std::mutex mutex_;
  std::condition_variable work_;  ///< For threads.
  std::condition_variable back_;  ///< For the simulator.
  std::deque<Fiber*> waiting_;    ///< For a thread.
  bool over_ = false;
  std::uint64_t disturbance_ = 0;       ///< Zero: none.
  std::optional<RandomStream> chance_;  ///< Of the thread that simulates, in that case.
  Totals totals_;
  std::vector<std::unique_ptr<SideThread>> threads_;
};

}  // namespace heddle
