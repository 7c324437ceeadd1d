// Guesses whether the next stretch of computation is long.
#include "host/rank/stretches.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::host {
namespace {

/// How many guesses are wrong in `rounds` of these stretches, after as many rounds to learn.
int wrong_guesses(const std::vector<Time>& stretches, int rounds) {
  Stretches guesses;
  int wrong = 0;
  for (int round = 0; round < 2 * rounds; ++round) {
    for (const Time stretch : stretches) {
      wrong += static_cast<int>(round >= rounds &&
                                guesses.expects_long() != (stretch >= Stretches::kLong));
      guesses.add(stretch >= Stretches::kLong);
    }
  }
  return wrong;
}

// Whoever is not known yet is tried.
TEST(Stretches, FirstIsTakenForLong) {
  EXPECT_TRUE(Stretches().expects_long());
}

// A step of a stencil: four receives and four sends begin one right after the other, and a
// millisecond of work follows the wait for them. Each of the nine is known by what came before.
TEST(Stretches, ARepeatedRowIsKnown) {
  std::vector<Time> step(8, Time::us(1));
  step.push_back(Time::ms(1));
  EXPECT_EQ(wrong_guesses(step, 20), 0);
  EXPECT_EQ(wrong_guesses({Time::us(1), Time::ms(1), Time::ms(1)}, 20), 0);
  EXPECT_EQ(wrong_guesses({Time::us(1)}, 20), 0);
}

// One long stretch after a hundred short ones is tried the next time; short again, it takes two to
// be left out.
TEST(Stretches, LearnsAnew) {
  Stretches guesses;
  for (int i = 0; i < 100; ++i) guesses.add(false);
  EXPECT_FALSE(guesses.expects_long());
  guesses.add(true);
  for (int i = 0; i < 8; ++i) guesses.add(false);
  EXPECT_TRUE(guesses.expects_long());
  guesses.add(false);
  EXPECT_TRUE(guesses.expects_long());
  guesses.add(false);
  EXPECT_FALSE(guesses.expects_long());
}

}  // namespace
}  // namespace heddle::host
