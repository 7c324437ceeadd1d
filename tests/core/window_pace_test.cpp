// When several threads share windows of time, and when one replays them for all.
#include "core/windows/window_pace.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// How many of so many windows, each of these events and sleeps, are left to one thread.
int alone_of(WindowPace& pace, int windows, std::uint64_t events, std::uint64_t sleeps = 0) {
  int alone = 0;
  for (int i = 0; i < windows; ++i) alone += pace.next_alone(events, sleeps) ? 1 : 0;
  return alone;
}

// Windows of 10 events where 100 are worth sharing are all left to one thread.
TEST(WindowPace, SmallWindowsAreLeftToOneThread) {
  WindowPace pace(100);
  EXPECT_EQ(alone_of(pace, 1000, 10), 1000);
}

// Large windows are shared once their average is known, after a few; small ones are left to one
// thread again some windows after they begin.
TEST(WindowPace, GoesByTheAverageOfTheLastWindows) {
  WindowPace pace(100);
  EXPECT_LE(alone_of(pace, 1000, 200), 8);
  EXPECT_GE(alone_of(pace, 1000, 10), 970);
  EXPECT_EQ(alone_of(pace, 1, 10), 1);
}

// Where a thread has to sleep for another in every window, four windows are lost, then one thread
// replays 1,024, then after four more twice as many: of a million windows fewer than 60 are shared.
TEST(WindowPace, MeetingsInVainBecomeRare) {
  WindowPace pace(0);
  const int windows = 1'000'000;
  EXPECT_LT(windows - alone_of(pace, windows, 1000, 1), 60);
}

// A thread sleeps now and then where parts have unequal work: one window of 32 does no harm.
TEST(WindowPace, SleepingSeldomDoesNoHarm) {
  WindowPace pace(0);
  int alone = 0;
  for (int i = 0; i < 100'000; ++i) alone += pace.next_alone(1000, i % 32 == 0 ? 1 : 0) ? 1 : 0;
  EXPECT_EQ(alone, 0);
}

// Beside the milliseconds that a million events take it does not matter that a thread slept.
TEST(WindowPace, HugeWindowsAreSharedAnyway) {
  WindowPace pace(0);
  EXPECT_EQ(alone_of(pace, 1000, 1'000'000, 1), 0);
}

// When the cores are free again, windows are shared again: after a rest of 1,024 windows.
TEST(WindowPace, TriesAgainAfterARest) {
  WindowPace pace(0);
  EXPECT_GT(alone_of(pace, 10, 1000, 1), 0);
  EXPECT_LE(alone_of(pace, 100'000, 1000), 1024);
}

}  // namespace
}  // namespace heddle
