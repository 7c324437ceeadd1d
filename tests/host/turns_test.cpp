#include "host/rank/code/turns.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace heddle::host {
namespace {

Turns::Places places(const std::vector<std::pair<std::uint64_t, int>>& steps,
                     std::uint32_t rounds) {
  Turns turns;
  turns.add(7, 0);
  turns.clear();
  for (const auto& [place, depth] : steps) turns.add(place, depth);
  return turns.once_in_each(rounds);
}

// A round from 30 on, which calls a function at 100 and goes three times round at 20: 10 and 30
// are come to once in it, 10 is written first.
TEST(Turns, AreWhatEachRoundComesToOnceBesideFunctionsAndInnerLoops) {
  const Turns::Places found =
      places({{30, 0}, {100, 1}, {101, 1}, {10, 0}, {20, 0}, {20, 0}, {20, 0}}, 1);
  EXPECT_EQ(found, (Turns::Places{10, 30}));
}

// Seen from within a function, what is outside of it is less than nothing deep.
TEST(Turns, AreOutsideOfAFunctionInWhichTheyWereSeenToBegin) {
  EXPECT_EQ(places({{100, 0}, {101, 0}, {10, -1}, {11, -1}}, 1), (Turns::Places{10, 11}));
}

// Of three rounds one goes by 11, another two times by 12.
TEST(Turns, AreInEachOfTheRounds) {
  EXPECT_EQ(places({{10, 0}, {11, 0}, {10, 0}, {12, 0}, {12, 0}, {10, 0}, {12, 0}}, 3),
            (Turns::Places{10, 12}));
}

// No more places than can be answered, nor steps than can be kept.
TEST(Turns, AreNoMoreThanTheirNumber) {
  std::vector<std::pair<std::uint64_t, int>> steps;
  for (std::uint64_t i = 1; i <= Turns::kMost + 5; ++i) steps.emplace_back(i, 0);
  EXPECT_EQ(places(steps, 1), (Turns::Places{1, 2, 3, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace heddle::host
