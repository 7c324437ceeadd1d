// Threads that have looked for something with calls, in vain, for so long that they rest between
// their looks.
#pragma once

#include <vector>

namespace heddle {
class AddressSpace;
}

namespace heddle::host {

class Thread;

/// Those of a run that rest. When another thread of a resting one's rank has run, or somebody
/// writes to its memory, that may be what it looks for, and it looks again.
class RestingPollers {
 public:
  /// As long as it lives, a thread rests.
  class Rest {
   public:
    Rest(RestingPollers& pollers, Thread& thread) : pollers_(pollers), thread_(thread) {
      pollers_.add(thread);
    }
    ~Rest() { pollers_.remove(thread_); }
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;

   private:
    RestingPollers& pollers_;
    Thread& thread_;
  };

  bool any() const { return !resting_.empty(); }
  /// A thread's code will not go on.
  void remove(const Thread& thread);
  /// Nobody's will.
  void clear() { resting_.clear(); }
  /// Something is about to be written to this memory from outside.
  void written(const AddressSpace& memory);
  /// A thread has run, other than to look again.
  void ran(const Thread& thread);

 private:
  void add(Thread& thread);

  std::vector<Thread*> resting_;
};

}  // namespace heddle::host
