// Which ways the packets of a flow take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "network/packet/good_paths.hpp"
#include "network/packet/rules.hpp"
#include "network/support.hpp"

namespace heddle::network {
namespace {

std::unique_ptr<PathChooser> chooser(std::string_view name, std::uint32_t paths,
                                     std::uint64_t seed = 1) {
  const platform::Platform platform = star(2);
  const Settings settings(network_sections());
  PacketConfig config = settings.get(packet_table());
  config.paths = paths;
  return find_rule(path_choices(), name).make({config, settings, 1, platform})->new_flow(seed);
}

std::vector<std::uint32_t> next(PathChooser& paths, int count) {
  std::vector<std::uint32_t> taken;
  for (int i = 0; i < count; ++i) taken.push_back(paths.next());
  return taken;
}

// Each round takes each way once; rounds have different orders, and so have flows.
TEST(PathChoices, ObliviousTakesAllInEachRound) {
  const auto paths = chooser("oblivious", 64);
  std::set<std::vector<std::uint32_t>> orders;
  for (int round = 0; round < 8; ++round) {
    const std::vector<std::uint32_t> taken = next(*paths, 64);
    EXPECT_EQ(std::set<std::uint32_t>(taken.begin(), taken.end()).size(), 64U);
    orders.insert(taken);
  }
  EXPECT_GE(orders.size(), 7U);
  EXPECT_NE(next(*chooser("oblivious", 64, 2), 64), next(*chooser("oblivious", 64, 3), 64));
}

// A mark costs a way one turn, a packet that was cut four: its penalty goes down by one each time
// that a search begins with it, and of two ways the other is taken instead.
TEST(PathChoices, BitmapPassesOverBadWays) {
  const auto paths = chooser("bitmap", 2);
  paths->heard(0, PathFate::trimmed, Time::zero());
  const std::vector<std::uint32_t> taken = next(*paths, 40);
  std::size_t first = 0;
  while (taken[first] != 0) ++first;
  EXPECT_GE(first, 4U);
  EXPECT_LE(first, 12U);
  const auto marked = chooser("bitmap", 2);
  marked->heard(0, PathFate::marked, Time::zero());
  const std::vector<std::uint32_t> later = next(*marked, 40);
  EXPECT_LE(std::find(later.begin(), later.end(), 0U) - later.begin(), 3);
}

// Where all ways are bad, one is taken all the same.
TEST(PathChoices, BitmapTakesSomeWay) {
  const auto paths = chooser("bitmap", 4);
  for (int i = 0; i < 5; ++i) {
    for (std::uint32_t path = 0; path < 4; ++path) paths->heard(path, PathFate::lost, Time::zero());
  }
  for (const std::uint32_t path : next(*paths, 20)) EXPECT_LT(path, 4U);
}

// The oldest that is fresh; of ten, the last eight. Again: by turns.
TEST(PathChoices, GoodPathsAreTakenOldestFirst) {
  GoodPaths good;
  EXPECT_FALSE(good.take());
  EXPECT_FALSE(good.again());
  for (std::uint32_t path = 0; path < 10; ++path) good.add(path);
  for (std::uint32_t path = 2; path < 10; ++path) EXPECT_EQ(good.take(), path);
  EXPECT_FALSE(good.take());
  const std::uint32_t first = *good.again();
  for (int i = 0; i < 7; ++i) EXPECT_NE(*good.again(), first);
  EXPECT_EQ(*good.again(), first);
}

// Those of acknowledgements without marks are taken again, in order; others are not.
TEST(PathChoices, RepsTakesGoodWaysAgain) {
  const auto paths = chooser("reps", 65'536);
  paths->heard(1000, PathFate::good, Time::zero());
  paths->heard(2000, PathFate::marked, Time::zero());
  paths->heard(3000, PathFate::good, Time::zero());
  EXPECT_EQ(paths->next(), 1000U);
  EXPECT_EQ(paths->next(), 3000U);
  EXPECT_NE(paths->next(), 1000U);
}

// After a time-out only the ways that were good, for 10 ms: no others enter. Then 16 are random.
TEST(PathChoices, RepsFreezesAfterATimeOut) {
  const auto paths = chooser("reps", 65'536);
  paths->heard(1000, PathFate::good, Time::zero());
  paths->heard(9, PathFate::lost, Time::us(1));
  paths->heard(3000, PathFate::good, Time::ms(10));
  EXPECT_THAT(next(*paths, 20), testing::Each(1000U));
  paths->heard(4000, PathFate::good, Time::ms(11));
  EXPECT_THAT(next(*paths, 16), testing::Not(testing::Contains(1000U)));
  EXPECT_EQ(paths->next(), 4000U);
}

// Good ways again, else one after another without bad ones.
TEST(PathChoices, MixedWalksWhereNothingIsGood) {
  const auto paths = chooser("mixed", 64);
  const std::vector<std::uint32_t> taken = next(*paths, 64);
  EXPECT_EQ(std::set<std::uint32_t>(taken.begin(), taken.end()).size(), 64U);
  paths->heard(17, PathFate::good, Time::zero());
  paths->heard(17, PathFate::good, Time::zero());
  EXPECT_EQ(paths->next(), 17U);
  EXPECT_EQ(paths->next(), 17U);
}

}  // namespace
}  // namespace heddle::network
