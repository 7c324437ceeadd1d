#include "network/fluid/level_queue.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/random.hpp"

namespace heddle::network {
namespace {

// Numbers with levels 3, 0, the greatest there is, and 2 come out as 0, 2, 3 and the greatest.
TEST(LevelQueue, GivesTheLowestLevelFirst) {
  LevelQueue queue(100);
  queue.push(3, 7);
  queue.push(0, 99);
  queue.push(std::numeric_limits<double>::max(), 0);
  queue.push(2, 50);
  for (const std::uint32_t number : {99U, 50U, 7U, 0U}) {
    EXPECT_EQ(queue.top(), number);
    EXPECT_EQ(queue.pop(), number);
  }
  EXPECT_TRUE(queue.empty());
}

// Of equal levels the lower number is first.
TEST(LevelQueue, OrdersEqualLevelsByNumber) {
  LevelQueue queue(4096);
  for (const std::uint32_t number : {30U, 4095U, 2U}) queue.push(0.1, number);
  for (const std::uint32_t number : {2U, 30U, 4095U}) EXPECT_EQ(queue.pop(), number);
}

// After each of 5,000 random calls the top is that of an ordered set. Levels are multiples of 1/8,
// far enough apart for the bits that numbers take the place of.
TEST(LevelQueue, EqualsAnOrderedSetAfterRandomCalls) {
  RandomStream random(1);
  LevelQueue queue(1000);
  std::set<std::pair<double, std::uint32_t>> expected;
  for (int call = 0; call < 5000; ++call) {
    const auto number = static_cast<std::uint32_t>(random.below(1000));
    const double level = static_cast<double>(random.below(100'000)) / 8;
    if (expected.empty() || random.below(3) < 2) {
      if (expected.insert({level, number}).second) queue.push(level, number);
    } else {
      ASSERT_EQ(queue.pop(), expected.begin()->second) << "in call " << call;
      expected.erase(expected.begin());
    }
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

}  // namespace
}  // namespace heddle::network
