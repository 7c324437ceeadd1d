// Threads that wait for something in their memory by looking at it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::host {

class AddressSpace;
class Thread;

/// How long a thread that is set aside lets others of its node run before it looks again.
class SpinPatience {
 public:
  /// Another thread of its node has run: whether it goes on waiting. The more often it has looked
  /// in vain, the more of them it lets pass.
  bool lets_pass() {
    if (++passed_ < (1U << vain_)) return true;
    passed_ = 0;
    vain_ += vain_ < kMost ? 1 : 0;
    return false;
  }
  /// It has found what it waited for, or at least made a call.
  void start_anew() {
    passed_ = vain_ = 0;
    called_ = true;
  }
  /// Whether it has made a call since this was last asked.
  bool called() { return std::exchange(called_, false); }

 private:
  static constexpr std::uint32_t kMost = 10;
  std::uint32_t passed_ = 0;
  std::uint32_t vain_ = 0;
  bool called_ = true;
};

/// The threads that are set aside. What wakes one is a write to its rank's memory, another thread
/// of its node that has run, or that nothing else is left to happen.
class Spinners {
 public:
  /// The one there is: memory and signals do not know whose they are.
  static Spinners& instance() { return the_one_; }

  bool any() const { return !spinning_.empty(); }
  void add(Thread& thread);
  void remove(const Thread& thread);
  /// Something was written to this memory from outside.
  void written(const AddressSpace& memory);
  /// A thread has run, and may have written something that others of its node see.
  void ran(const Thread& thread);
  /// Nothing else is left: wakes all; false if there is none, or if that has led to nothing too
  /// often.
  bool last_resort();

 private:
  static Spinners the_one_;
  std::vector<Thread*> spinning_;
  int resorts_ = 0;  ///< In a row, after which nobody made a call.
};

}  // namespace heddle::host
