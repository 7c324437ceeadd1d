// When several threads share windows of time, and when one replays them for all.
#include "core/windows/window_pace.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// A computer whose clock goes on by what windows take.
class Computer {
 public:
  explicit Computer(std::uint64_t least_events) : pace_(least_events) {}

  /// Windows of so many events, of which each takes `alone` ns where one thread goes through it,
  /// and `shared(number)` where several do.
  template <class Shared>
  void serve(int windows, std::uint64_t events, std::uint64_t alone, Shared shared) {
    windows_ = shared_ = 0;
    const std::uint64_t begin = now_;
    for (; windows_ < windows; ++windows_) {
      const bool by_one = pace_.next_alone(events, [this] {
        ++looks_;
        return now_;
      });
      now_ += by_one ? alone : shared(windows_);
      shared_ += by_one ? 0 : 1;
    }
    took_ = now_ - begin;
  }
  void do_other_things(std::uint64_t ns) {
    now_ += ns;
    pace_.interrupt();
  }

  int shared() const { return shared_; }  ///< Of the windows served last.
  std::uint64_t took() const { return took_; }
  int looks() const { return looks_; }  ///< At the clock.

 private:
  WindowPace pace_;
  std::uint64_t now_ = 1'000'000;
  std::uint64_t took_ = 0;
  int windows_ = 0;
  int shared_ = 0;
  int looks_ = 0;
};

constexpr std::uint64_t kAlone = 30'000;
constexpr auto kFree = [](int) { return std::uint64_t{18'000}; };       ///< Every core is ours.
constexpr auto kTaken = [](int) { return std::uint64_t{40'000'000}; };  ///< Others have them.

// Windows of 10 events where 100 are worth sharing are all left to one thread, without a look at
// the clock, which would take longer than they.
TEST(WindowPace, SmallWindowsAreLeftToOneThread) {
  Computer computer(100);
  computer.serve(1000, 10, 500, kFree);
  EXPECT_EQ(computer.shared(), 0);
  EXPECT_EQ(computer.looks(), 0);
}

// Large windows are shared once their average is known, after a few; small ones are left to one
// thread again some windows after they begin.
TEST(WindowPace, GoesByTheAverageOfTheLastWindows) {
  Computer computer(100);
  computer.serve(1000, 200, kAlone, kFree);
  EXPECT_GE(computer.shared(), 940);
  computer.serve(1000, 10, kAlone, kFree);
  EXPECT_LE(computer.shared(), 30);
}

// Where threads gain, all windows are theirs but eight that one thread is measured by, of 72 at
// first and of 4,104 at last.
TEST(WindowPace, SharesWhatThreadsGainBy) {
  Computer computer(0);
  computer.serve(100'000, 300, kAlone, kFree);
  EXPECT_GE(computer.shared(), 99'000);
}

// Where others have the cores a shared window takes 40 ms instead of 30 us. One is tried, and then
// none for 16 times what it has lost: 640 ms. So 3 s of work take 3 s and 1/16 of that.
TEST(WindowPace, LosesLittleWhereOthersHaveTheCores) {
  Computer computer(0);
  computer.serve(100'000, 300, kAlone, kTaken);
  EXPECT_GE(computer.shared(), 1);
  EXPECT_LE(computer.took(), 100'000 * kAlone * 108 / 100);
}

// Meetings in vain need not be frequent to cost much. With 40 ms for one window of 64 and 18 us for
// the others, 64 shared windows take 41 ms instead of 1.9.
TEST(WindowPace, LosesLittleByFewMeetingsInVain) {
  Computer computer(0);
  computer.serve(100'000, 300, kAlone,
                 [](int window) { return window % 64 == 7 ? kTaken(window) : kFree(window); });
  EXPECT_LE(computer.took(), 100'000 * kAlone * 112 / 100);
}

// A thread waits now and then where parts have unequal work: one window of 32 that takes twice as
// long as alone does no harm, as the others gain more.
TEST(WindowPace, WaitingSeldomDoesNoHarm) {
  Computer computer(0);
  computer.serve(100'000, 300, kAlone,
                 [](int window) { return window % 32 == 0 ? 2 * kAlone : kFree(window); });
  EXPECT_GE(computer.shared(), 98'000);
}

// When the cores are free again, windows are shared again: after the rest that the last trial asks
// for, of 640 ms at most, which is 21,334 windows.
TEST(WindowPace, TriesAgainAfterARest) {
  Computer computer(0);
  computer.serve(1'000, 300, kAlone, kTaken);
  EXPECT_EQ(computer.shared(), 1);
  computer.serve(22'000, 300, kAlone, kFree);
  computer.serve(10'000, 300, kAlone, kFree);
  EXPECT_GE(computer.shared(), 9'800);
}

// What happens between two runs is nobody's: with 10 ms after every 20 windows, threads that gain
// still share.
TEST(WindowPace, WhatIsNoWindowIsNotCounted) {
  Computer computer(0);
  int shared = 0;
  for (int run = 0; run < 100; ++run) {
    computer.serve(20, 300, kAlone, kFree);
    shared += computer.shared();
    computer.do_other_things(10'000'000);
  }
  EXPECT_GE(shared, 1'800);
}

// What one thread was measured by may have been an instant in which it had lost its core as well:
// eight windows that took 5 ms each instead of 30 us. That is made up for by what follows.
TEST(WindowPace, OneThreadIsMeasuredAnew) {
  Computer computer(0);
  computer.serve(65, 300, kAlone, kFree);
  computer.serve(8, 300, 5'000'000, kTaken);
  computer.serve(100'000, 300, kAlone, kTaken);
  EXPECT_LE(computer.took(), 100'000 * kAlone * 115 / 100);
}

}  // namespace
}  // namespace heddle
