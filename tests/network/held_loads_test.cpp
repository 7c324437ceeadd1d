#include "network/fluid/held_loads.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/random.hpp"

namespace heddle::network {
namespace {

using Sums = std::map<std::uint32_t, std::pair<double, std::uint32_t>>;

Sums sums_of(const HeldLoads& loads) {
  Sums sums;
  for (const auto part : {loads.awake(), loads.asleep()}) {
    for (const HeldLoads::Sum& sum : part) sums[sum.constraint] = {sum.load, sum.variables};
  }
  EXPECT_EQ(sums.size(), loads.awake().size() + loads.asleep().size())
      << "each constraint has one sum";
  return sums;
}

std::set<std::uint32_t> constraints_of(std::span<const HeldLoads::Sum> sums) {
  std::set<std::uint32_t> constraints;
  for (const HeldLoads::Sum& sum : sums) constraints.insert(sum.constraint);
  return constraints;
}

// Two variables load constraint 7 by 2 and 3 and one of them constraint 9 by 1: sums of 5 and 1.
TEST(HeldLoads, SumsUpByConstraint) {
  HeldLoads loads;
  loads.add(7, 2, false);
  loads.add(7, 3, false);
  loads.add(9, 1, true);
  EXPECT_EQ(sums_of(loads), (Sums{{7, {5, 2}}, {9, {1, 1}}}));
  loads.change(7, 4);
  loads.remove(7, 2);
  EXPECT_EQ(sums_of(loads), (Sums{{7, {7, 1}}, {9, {1, 1}}}));
}

// Of the constraints 7, 8 and 9 the second falls asleep and, later, the first wakes up.
TEST(HeldLoads, TellsApartWhoIsAwake) {
  HeldLoads loads;
  loads.add(7, 2, true);
  loads.add(8, 3, false);
  loads.add(9, 1, false);
  loads.set_asleep(8, true);
  loads.set_asleep(8, true);
  EXPECT_EQ(constraints_of(loads.awake()), (std::set<std::uint32_t>{9}));
  EXPECT_EQ(constraints_of(loads.asleep()), (std::set<std::uint32_t>{7, 8}));
  loads.set_asleep(7, false);
  EXPECT_EQ(constraints_of(loads.awake()), (std::set<std::uint32_t>{7, 9}));
  EXPECT_EQ(sums_of(loads), (Sums{{7, {2, 1}}, {8, {3, 1}}, {9, {1, 1}}}));
}

// With the last variable of a constraint its sum goes, so no rounding is left of it.
TEST(HeldLoads, ForgetsAConstraintWithItsLastVariable) {
  HeldLoads loads;
  loads.add(7, 0.1, false);
  loads.add(7, 0.2, false);
  loads.remove(7, 0.1);
  loads.remove(7, 0.2);
  EXPECT_TRUE(sums_of(loads).empty());
}

// Short lists are searched from end to end, long ones through a table: after each of 20,000 random
// calls on up to 300 constraints, each of which may fall asleep or wake up, the sums are those of a
// map, and those asleep are apart. All loads are whole numbers, so that sums are exact.
TEST(HeldLoads, EqualsAMapAfterRandomCalls) {
  RandomStream random(1);
  HeldLoads loads;
  Sums expected;
  std::vector<std::pair<std::uint32_t, double>> added;
  std::set<std::uint32_t> asleep;
  for (int call = 0; call < 20000; ++call) {
    const bool shrinks = call / 2000 % 2 == 1;
    if (!added.empty() && random.below(4) == 0) {
      const std::uint32_t constraint = added[random.below(added.size())].first;
      const bool sleeps = random.below(2) == 0;
      loads.set_asleep(constraint, sleeps);
      if (sleeps) {
        asleep.insert(constraint);
      } else {
        asleep.erase(constraint);
      }
    }
    if (added.empty() || random.below(10) < (shrinks ? 3U : 7U)) {
      const auto constraint = static_cast<std::uint32_t>(random.below(300) * 64);
      const auto load = static_cast<double>(1 + random.below(9));
      loads.add(constraint, load, asleep.contains(constraint));
      added.emplace_back(constraint, load);
      expected[constraint].first += load;
      ++expected[constraint].second;
    } else {
      const std::size_t which = random.below(added.size());
      const auto [constraint, load] = added[which];
      added[which] = added.back();
      added.pop_back();
      loads.remove(constraint, load);
      expected[constraint].first -= load;
      if (--expected[constraint].second == 0) {
        expected.erase(constraint);
        asleep.erase(constraint);
      }
    }
    if (call % 50 == 0) {
      ASSERT_EQ(sums_of(loads), expected) << "after call " << call;
      ASSERT_EQ(constraints_of(loads.asleep()), asleep) << "after call " << call;
    }
  }
  loads.clear();
  EXPECT_TRUE(sums_of(loads).empty());
  loads.add(64, 1, false);
  EXPECT_EQ(sums_of(loads), (Sums{{64, {1, 1}}}));
}

}  // namespace
}  // namespace heddle::network
