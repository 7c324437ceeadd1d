#include "network/fluid/service_clocks.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/random.hpp"

namespace heddle::network {
namespace {

// Members 0 and 1 need 10 and 30 of a clock of pace 2: the first is due at 5 ps. At 5 ps the pace
// becomes 1: the second, served by 10 so far, is due 20 ps later.
TEST(ServiceClocks, MembersAreDueInStepWithTheirClock) {
  ServiceClocks clocks(4);
  clocks.set_pace(3, 2, Time::zero());
  clocks.join(0, 3, 10, Time::zero());
  clocks.join(1, 3, 30, Time::zero());
  EXPECT_EQ(clocks.next(), 5);
  EXPECT_EQ(clocks.next_member(), 0U);
  clocks.leave(0);
  clocks.set_pace(3, 1, Time::ps(5));
  EXPECT_EQ(clocks.next(), 25);
  EXPECT_EQ(clocks.next_member(), 1U);
  EXPECT_DOUBLE_EQ(clocks.served(1, Time::ps(5)), 10);
  EXPECT_DOUBLE_EQ(clocks.served(1, Time::ps(9)), 14);
  EXPECT_FALSE(clocks.has_served(1, 30, Time::ps(24)));
  EXPECT_TRUE(clocks.has_served(1, 30, Time::ps(25)));
  clocks.leave(1);
  EXPECT_EQ(clocks.next(), MinTree::kNone);
  EXPECT_FALSE(clocks.has_clock(1));
}

// A clock that nobody is on is started with its member: one that needs 10 at pace 2 from 3 ps on is
// due at 8 ps, like another that joins a clock set to that pace; the clock started first comes
// first. Started anew once its member has left, it knows nothing of what was before: 10 at pace 5
// from 20 ps on are through at 22 ps.
TEST(ServiceClocks, AClockIsStartedWithItsMember) {
  ServiceClocks clocks(2);
  EXPECT_FALSE(clocks.is_busy(1));
  clocks.start(7, 1, 2, 10, Time::ps(3));
  clocks.set_pace(0, 2, Time::ps(3));
  clocks.join(2, 0, 10, Time::ps(3));
  EXPECT_TRUE(clocks.is_busy(1));
  EXPECT_EQ(clocks.next(), 8);
  EXPECT_EQ(clocks.next_member(), 7U);
  clocks.leave(7);
  EXPECT_EQ(clocks.next(), 8);
  EXPECT_EQ(clocks.next_member(), 2U);
  clocks.leave(2);
  clocks.start(7, 1, 5, 10, Time::ps(20));
  EXPECT_EQ(clocks.next(), 22);
  EXPECT_DOUBLE_EQ(clocks.served(7, Time::ps(21)), 5);
}

// A member that needed 10 and needs 40 from its beginning now is due at 40; of two with the same
// end on one clock the one that joined first comes first.
TEST(ServiceClocks, WhatAMemberNeedsMayChange) {
  ServiceClocks clocks(1);
  clocks.set_pace(0, 1, Time::zero());
  clocks.join(7, 0, 10, Time::zero());
  clocks.join(2, 0, 40, Time::zero());
  clocks.expect(7, 40);
  EXPECT_EQ(clocks.next(), 40);
  EXPECT_EQ(clocks.next_member(), 7U);
}

// What takes longer than a simulation can is due at kBeyond.
TEST(ServiceClocks, ThereIsAnEndBeyondTime) {
  ServiceClocks clocks(1);
  clocks.set_pace(0, 1e-300, Time::zero());
  clocks.join(0, 0, 1, Time::zero());
  EXPECT_EQ(clocks.next(), ServiceClocks::kBeyond);
}

// A clock that stands still has nobody due but those who need nothing more: of two members that
// need 10 and 4 of a clock of pace 1 that stops after 4 ps the second is due then, and the first 6
// ps after the clock has been set going again.
TEST(ServiceClocks, AClockMayStandStill) {
  ServiceClocks clocks(1);
  clocks.set_pace(0, 1, Time::zero());
  clocks.join(0, 0, 10, Time::zero());
  clocks.join(1, 0, 4, Time::zero());
  clocks.set_pace(0, 0, Time::ps(4));
  EXPECT_EQ(clocks.next(), 4);
  EXPECT_EQ(clocks.next_member(), 1U);
  clocks.leave(1);
  EXPECT_EQ(clocks.next(), ServiceClocks::kBeyond);
  EXPECT_FALSE(clocks.has_served(0, 10, Time::s(1)));
  clocks.set_pace(0, 1, Time::ps(1000));
  EXPECT_EQ(clocks.next(), 1006);
}

// Three clocks, 200 members, and 30,000 random changes, far more than it takes to move the origins:
// what each member has been served is what adding up its clock's paces gives.
TEST(ServiceClocks, RandomChangesGiveWhatAddingUpGives) {
  constexpr std::uint32_t kMembers = 200;
  ServiceClocks clocks(3);
  std::vector<double> paces(3);
  std::map<ServiceClocks::Member, std::pair<ServiceClocks::Clock, double>> served;
  RandomStream random(1);
  Time now = Time::zero();
  for (int step = 0; step < 30'000; ++step) {
    const auto clock = static_cast<ServiceClocks::Clock>(random.below(3));
    const auto member = static_cast<ServiceClocks::Member>(random.below(kMembers));
    if (step < 3 || random.below(2) == 0) {
      const auto chosen = step < 3 ? static_cast<ServiceClocks::Clock>(step) : clock;
      clocks.set_pace(chosen, paces[chosen] = 0.5 + random.uniform(), now);
    } else if (served.contains(member)) {
      EXPECT_NEAR(clocks.served(member, now), served[member].second, 1e-6);
      clocks.leave(member);
      served.erase(member);
    } else {
      clocks.join(member, clock, 1e9 * random.uniform(), now);
      served[member] = {clock, 0};
    }
    const auto passed = static_cast<std::int64_t>(random.below(1000));
    now += Time::ps(passed);
    for (auto& [each, sum] : served) sum.second += paces[sum.first] * static_cast<double>(passed);
  }
}

}  // namespace
}  // namespace heddle::network
