#include "host/program/sampling/exit_state.hpp"

#include <gtest/gtest.h>

namespace heddle::host {
namespace {

/// A state with these first three numbers, and one word of the stack.
CodeState state(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t word = 0) {
  CodeState state;
  // Others are far from all of these.
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) state.numbers[i] = 1'000'000 * (i + 1);
  state.numbers[0] = a;
  state.numbers[1] = b;
  state.numbers[2] = c;
  state.words = {7, word};
  return state;
}

// A loop over an array of 80 bytes: its pointer comes to the end, the bound stays, the sum is a
// result. Another array begins elsewhere.
TEST(ExitState, MovesPointersOnWithTheirArrays) {
  ExitState exit;
  exit.learn(state(1000, 1080, 5), state(1080, 1080, 17), 0x40);
  exit.learn(state(3000, 3080, 5), state(3080, 3080, 19), 0x40);
  EXPECT_EQ(exit.times(), 2U);
  EXPECT_EQ(exit.place(), 0x40U);
  const CodeState after = exit.after(state(9000, 9080, 5));
  EXPECT_EQ(after.numbers[0], 9080U);
  EXPECT_EQ(after.numbers[1], 9080U);
  EXPECT_EQ(after.numbers[2], 19U) << "the last result stands in";
  EXPECT_EQ(after.numbers[3], 4'000'000U);
}

// A count begins anywhere and ends at 10; a bound that is found in another register is taken from
// there.
TEST(ExitState, KnowsConstantsAndOtherRegisters) {
  ExitState exit;
  exit.learn(state(0, 50, 1), state(10, 50, 50), 0x40);
  exit.learn(state(3, 60, 2), state(10, 60, 60), 0x40);
  const CodeState after = exit.after(state(5, 70, 3));
  EXPECT_EQ(after.numbers[0], 10U);
  EXPECT_EQ(after.numbers[2], 70U);
}

// Words of the stack that change are treated as registers are; the rest stay as they are.
TEST(ExitState, FollowsWordsOfTheStack) {
  ExitState exit;
  exit.learn(state(1, 2, 3, 100), state(1, 2, 3, 140), 0x40);
  exit.learn(state(1, 2, 3, 200), state(1, 2, 3, 240), 0x40);
  CodeState before = state(1, 2, 3, 500);
  before.words[0] = 8;
  EXPECT_EQ(exit.after(before).words, (std::vector<std::uint64_t>{8, 540}));
}

// Where the loop ends in two places, there is none; what breaks a rule is told.
TEST(ExitState, NoticesWhatDoesNotHold) {
  ExitState exit;
  exit.learn(state(1000, 0, 0), state(1080, 0, 0), 0x40);
  exit.learn(state(2000, 0, 0), state(2080, 0, 0), 0x40);
  EXPECT_FALSE(exit.contradicts(state(3000, 0, 0), state(3080, 0, 0)));
  EXPECT_TRUE(exit.contradicts(state(3000, 0, 0), state(3090, 0, 0)));
  exit.learn(state(3000, 0, 0), state(3080, 0, 0), 0x48);
  EXPECT_EQ(exit.place(), 0U);
}

}  // namespace
}  // namespace heddle::host
