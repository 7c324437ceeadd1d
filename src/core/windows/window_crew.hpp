// The threads that go through windows of time together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/windows/joined_numbers.hpp"
#include "core/windows/thread_barrier.hpp"
#include "core/windows/window_pace.hpp"
#include "core/windows/window_part.hpp"

namespace heddle {

/// One thread for each part. Whatever one of them writes another reads only after a barrier. What
/// comes of it does not depend on how many threads there are, nor on their speed.
class WindowCrew {
 public:
  /// `least_events`: of a window that is worth several threads. `first`: the number of what is
  /// caused first.
  WindowCrew(std::size_t parts, std::uint64_t least_events, std::uint64_t first);

  /// Each thread makes its part, which begins.
  using Make = std::function<std::unique_ptr<WindowPart>(std::size_t part)>;
  void begin(const Make& make);
  /// Goes on until nothing is left before `limit`; throws the error that a part met first.
  void run(Time limit);
  /// Each thread calls it for its part.
  void each(const std::function<void(std::size_t part)>& step);

  /// Is called when a window is over and its numbers are known, by one thread while the others
  /// wait. It may throw.
  void between_windows(std::function<void()> call) { between_ = std::move(call); }
  /// From within that: run() returns.
  void stop() { stopped_ = true; }

  std::size_t size() const { return members_.size(); }
  WindowPart& part(std::size_t number) const { return *members_[number].part; }
  /// When next there is something to do, or Time::never().
  Time next() const { return start_; }
  /// How many windows several threads have settled.
  std::uint64_t shared_windows() const { return shared_; }

 private:
  struct alignas(64) Member {
    std::unique_ptr<WindowPart> part;
    std::exception_ptr error;
    Time failed_at;
    Time next;  ///< When there is something to do.
  };

  void attempt(std::size_t me, const std::function<void(Member&)>& step);
  template <class Work>
  void by_all(const Work& work);
  void work(std::size_t me);
  void settle_together(std::size_t me);
  void go_alone();
  std::uint64_t happened_in_window();
  void advance(std::size_t part);
  void settle(std::size_t part);
  void settle_alone();
  void join_window();
  bool over() const { return stopped_ || start_ >= limit_ || start_ == Time::never(); }
  JoinedNumbers::Logs logs() const;
  void look_for_errors();
  void throw_first_error();

  std::vector<Member> members_;
  WindowPace pace_;
  JoinedNumbers numbers_;
  Time start_;  ///< Of the next window.
  Time limit_ = Time::never();
  bool stopped_ = false;
  bool failed_ = false;
  std::function<void()> between_ = [] {};
  std::uint64_t shared_ = 0;
  std::uint64_t happened_ = 0;  ///< Before the last window.
  ThreadBarrier barrier_;
};

}  // namespace heddle
