// Threads that have looked for something in vain for so long that only others can change that.
#pragma once

#include <vector>

namespace heddle::host {

class Thread;

/// Those that rest. When another thread of a resting one's rank has run, and may have written what
/// it looks for, it looks again.
class RestingPollers {
 public:
  /// The one there is, as Spinners.
  static RestingPollers& instance() { return the_one_; }

  /// As long as it lives, a thread rests.
  class Rest {
   public:
    explicit Rest(Thread& thread) : thread_(thread) { instance().resting_.push_back(&thread); }
    ~Rest() { instance().remove(thread_); }
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;

   private:
    Thread& thread_;
  };

  bool any() const { return !resting_.empty(); }
  /// A thread's code will not go on.
  void remove(const Thread& thread);
  /// Nobody's will.
  void clear() { resting_.clear(); }
  /// A thread has run, other than to look again.
  void ran(const Thread& thread);

 private:
  static RestingPollers the_one_;
  std::vector<Thread*> resting_;
};

}  // namespace heddle::host
