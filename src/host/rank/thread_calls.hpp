// The calls of ours that a thread of a rank makes.
#pragma once

#include <cstdint>
#include <utility>

namespace heddle::host {

class Call;
class Thread;

/// Of one thread: the call under way, of which those inside of it are parts. What it has computed
/// before takes its time when it begins, and what comes after it is measured from its end.
class ThreadCalls {
 public:
  explicit ThreadCalls(Thread& thread) : thread_(thread) {}
  ThreadCalls(const ThreadCalls&) = delete;
  ThreadCalls& operator=(const ThreadCalls&) = delete;

  /// Whether anything comes before them that takes time; by itself, it does.
  void take_time(bool yes) { take_time_ = told_ = yes; }
  bool takes_time() const { return take_time_; }
  /// Whether the thread is told of their beginning, which it is where that takes time.
  void tell_of_beginning() { told_ = true; }
  bool under_way() const { return call_ != nullptr; }
  bool is_outermost(const Call& call) const { return call_ == &call; }
  /// How many have begun so far, inner ones left out.
  std::uint64_t made() const { return made_; }
  void begin(const Call& call);
  void end(const Call& call);
  /// The program has jumped out of them.
  void abandon();

  /// The thread is to be looked at when the call is over; and whether one that is over said so.
  void look_afterwards() { look_due_ = true; }
  bool take_look() { return std::exchange(look_due_, false); }

 private:
  Thread& thread_;
  const Call* call_ = nullptr;  ///< The outermost.
  std::uint64_t made_ = 0;
  bool take_time_ = true;
  bool told_ = true;
  bool look_due_ = false;  ///< The thread often waits by looking, and may do so after this call.
};

}  // namespace heddle::host
