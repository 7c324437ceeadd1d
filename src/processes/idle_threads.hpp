// Threads of a process that wait until another of its threads may have done something.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "host/rank/rank.hpp"
#include "processes/channel.hpp"

namespace heddle::processes {

class IdleThreads {
 public:
  /// A thread has called or fallen asleep, having run.
  void note_deed() { ++deeds_; }
  /// The thread of a slot goes on: it sees all that has been done.
  void goes_on(std::size_t slot) { seen_[slot] = deeds_; }
  /// The thread of a slot, which runs, waits for others, at most to the deadline. What was done
  /// since it went on may have come too late for it to see.
  void wait(host::Thread& thread, std::size_t slot, Time deadline) {
    if (thread.rank().now() >= deadline || seen_[slot] != deeds_) return;
    waiting_.push_back(&thread);
    thread.waits().block("waits for another thread", deadline);
    std::erase(waiting_, &thread);
  }
  void wake() {
    for (host::Thread* thread : waiting_) thread->fiber().wake();
  }

 private:
  std::uint64_t deeds_ = 0;
  std::array<std::uint64_t, kSlots> seen_{};  ///< By slot.
  std::vector<host::Thread*> waiting_;
};

}  // namespace heddle::processes
