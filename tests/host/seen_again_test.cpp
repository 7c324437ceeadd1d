// Code that is known by its registers alone: when it is taken to wait.
#include "host/rank/seen_again.hpp"

#include <gtest/gtest.h>

namespace heddle::host {
namespace {

class SeenAgainTest : public testing::Test {
 protected:
  /// The registers are the same wherever it is seen.
  void see(int place, int times = 1) {
    for (int i = 0; i < times; ++i) seen.see(&code[place], 1);
  }

  SeenAgain seen;
  char code[100] = {};
};

// Eight times the same registers at places where they were seen before: at two places by turns that
// is so after ten looks.
TEST_F(SeenAgainTest, WaitsWhenItIsSeenAgainOften) {
  for (int i = 0; i < 9; ++i) see(i % 2);
  EXPECT_FALSE(seen.waits());
  see(1);
  EXPECT_TRUE(seen.waits());
  EXPECT_FALSE(seen.waits_as_before());
}

// Who has just gone on is where it waited, with the registers that it had. Where the machine is
// busy it is still there at the next looks, and has not carried out an instruction: it does not
// wait. It does when it was seen elsewhere, and then at a place that is known for the second time.
TEST_F(SeenAgainTest, DoesNotWaitWhereItHasGoneOnUntilItHasComeRound) {
  for (int i = 0; i < 10; ++i) see(i % 2);
  const Sightings before = seen.sightings();
  seen.start_anew(&before);
  see(1, 20);
  EXPECT_FALSE(seen.waits());
  see(50);
  EXPECT_FALSE(seen.waits());
  see(1);
  EXPECT_TRUE(seen.waits());
  EXPECT_TRUE(seen.waits_as_before());
  seen.start_anew(&before);
  EXPECT_FALSE(seen.waits());
}

// A loop that pauses is seen at one and the same instruction always: that is enough after 32 looks.
TEST_F(SeenAgainTest, WaitsAfterManyLooksAtOnePlace) {
  see(0, SeenAgain::kManyLooks - 1);
  EXPECT_FALSE(seen.waits());
  see(0);
  EXPECT_TRUE(seen.waits());
}

// One that counts in a register is not where it was.
TEST_F(SeenAgainTest, DoesNotWaitWithOtherRegisters) {
  for (std::uint64_t count = 0; count < 200; ++count) seen.see(&code[count % 3], count);
  EXPECT_FALSE(seen.waits());
}

}  // namespace
}  // namespace heddle::host
