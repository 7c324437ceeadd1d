// The threads of a rank.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/time.hpp"
#include "host/rank/thread.hpp"
#include "host/rank/waiters.hpp"

namespace heddle::host {

/// One is there from the beginning, whose end is the rank's; others the program starts.
class RankThreads {
 public:
  explicit RankThreads(RankSite& rank) : first_(rank, 0) {}
  RankThreads(const RankThreads&) = delete;
  RankThreads& operator=(const RankThreads&) = delete;

  Thread& first() { return first_; }
  const Thread& first() const { return first_; }
  /// The one whose code is running or ran last.
  Thread& running() const { return *running_; }
  /// This one's code goes on next.
  void resume(Thread& thread) { running_ = &thread; }
  /// A thread that the program starts, and its end. It must live until then.
  void add(Thread& thread);
  void remove(Thread& thread);
  /// The one with this id, or null.
  const Thread* find(int id) const;

  /// Something for the rank has become visible: an event, a counter, data. From any code.
  void ring();
  /// Lets them look again at what they wait for in calls of ours.
  void wake();
  /// None but the running one goes on, nor waits by looking any more; from the event loop, when
  /// that has ended the rank.
  void discard_others(Waiters& waiters);
  /// What the rank's clock of processor time shows.
  Time processor_time() const;

 private:
  std::span<Thread* const> others() const;
  void discard(Thread& thread, Waiters& waiters);

  Thread* running_ = &first_;
  Thread first_;
  /// Those that the program has started, if it ever does.
  struct Others {
    std::vector<Thread*> threads;
    Time past_processor_time;  ///< Of threads that are gone.
  };
  std::unique_ptr<Others> others_;
};

}  // namespace heddle::host
