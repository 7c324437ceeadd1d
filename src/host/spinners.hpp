// Threads that wait for something in their memory by looking at it.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {
class AddressSpace;
}

namespace heddle::host {

class Thread;

/// How long a thread that is set aside, and of which it is not known what it looks at, lets others
/// of its node run before it looks again.
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
  void start_anew() { passed_ = vain_ = 0; }

 private:
  static constexpr std::uint32_t kMost = 10;
  std::uint32_t passed_ = 0;
  std::uint32_t vain_ = 0;
};

/// The threads of a run that are set aside. What wakes one is that what it looks at has changed, if
/// that is known, and else a write to its rank's memory, another thread of its node that has run,
/// or that nothing else is left to happen.
class Spinners {
 public:
  bool any() const { return !spinning_.empty(); }
  void add(Thread& thread);
  void remove(const Thread& thread);
  /// Something is about to be written to this memory from outside.
  void written(const AddressSpace& memory);
  /// A thread has run, other than to look again in vain: it may have written something that others
  /// of its node see.
  void ran(const Thread& thread);
  /// Nothing else is left: lets all look again; false if there is none, or if that has led to
  /// nothing several times in a row.
  bool last_resort();

 private:
  std::vector<Thread*> spinning_;
  std::uint64_t runs_ = 0;            ///< Of threads that did more than to look again.
  std::uint64_t runs_at_resort_ = 0;  ///< So many there were at the last one.
  int resorts_ = 0;                   ///< In a row, without one.
};

}  // namespace heddle::host
