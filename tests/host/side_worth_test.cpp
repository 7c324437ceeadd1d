#include "host/rank/side_worth.hpp"

#include <gtest/gtest.h>

namespace heddle::host {
namespace {

/// How many stretches are left out before the next one is tried.
int left_out(SideWorth& worth) {
  int count = 0;
  while (!worth.tries_next()) ++count;
  return count;
}

// Stretches that take what it costs to hand them over, 15 us, are all tried.
TEST(SideWorth, TriesWhatPays) {
  SideWorth worth;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(left_out(worth), 0);
    worth.took(SideWorth::kCost);
  }
}

// After each stretch that is over at once ever more are left out: none, 1, 3, 7, 15.
TEST(SideWorth, LeavesOutEverMoreShortOnes) {
  SideWorth worth;
  for (const int expected : {0, 1, 3, 7, 15}) {
    worth.took(Time::zero());
    EXPECT_EQ(left_out(worth), expected);
  }
}

// It never leaves out more than 1,000 at a time.
TEST(SideWorth, TriesAgainInTheEnd) {
  SideWorth worth;
  for (int i = 0; i < 30; ++i) {
    worth.took(Time::zero());
    EXPECT_LE(left_out(worth), 1000);
  }
  worth.took(Time::zero());
  EXPECT_EQ(left_out(worth), 1000);
}

// One long stretch of 45 us has gained 30 us, which two short ones lose; only the third is followed
// by ones that are left out, two of them.
TEST(SideWorth, ShortOnesAreForgivenForWhatLongOnesGained) {
  SideWorth worth;
  worth.took(SideWorth::kCost * 3);
  for (int i = 0; i < 2; ++i) {
    worth.took(Time::zero());
    EXPECT_EQ(left_out(worth), 0);
  }
  worth.took(Time::zero());
  EXPECT_EQ(left_out(worth), 2);
}

}  // namespace
}  // namespace heddle::host
