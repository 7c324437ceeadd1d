#include "host/rank/poll_policy.hpp"

#include <gtest/gtest.h>

namespace heddle::host {
namespace {

const PollPolicy::Costs kCosts{Time::ns(10), Time::s(1)};

// The first 4,095 looks in vain cost 10 ns each, all that follow 1 us, however many there are.
TEST(PollPolicy, CostsAConstant) {
  PollPolicy policy;
  Time now;
  for (int i = 0; i < 10'000; ++i) {
    const auto step = policy.looked(now, kCosts, false);
    EXPECT_EQ(step.nap, i < 4095 ? Time::ns(10) : Time::us(1)) << i;
    EXPECT_FALSE(step.hopeless);
    now += step.nap;
  }
  EXPECT_EQ(policy.since(), Time::zero());
  policy.start_anew();
  EXPECT_EQ(policy.looked(now, kCosts, false).nap, Time::ns(10));
  EXPECT_EQ(policy.since(), now);
}

// There is no hope after 200,000 looks in a row with nothing on its way; one look with something on
// its way begins the count anew.
TEST(PollPolicy, LosesHopeOnlyWhenNothingIsOnItsWay) {
  PollPolicy policy;
  for (int i = 0; i < 1'000'000; ++i) {
    ASSERT_FALSE(policy.looked(Time::us(i), kCosts, false).hopeless);
  }
  for (int i = 0; i < 200'000; ++i) {
    ASSERT_FALSE(policy.looked(Time::s(2), kCosts, true).hopeless) << i;
  }
  EXPECT_TRUE(policy.looked(Time::s(2), kCosts, true).hopeless);
  EXPECT_FALSE(policy.looked(Time::s(2), kCosts, false).hopeless);
  EXPECT_FALSE(policy.looked(Time::s(2), kCosts, true).hopeless);
}

// A loop that looks at the clock, too, goes on until it has waited for 1 s with nothing on its way,
// and skips 1/1024 of that time with each look.
TEST(PollPolicy, LoopsOnTheClockSkipTime) {
  PollPolicy policy;
  Time now;
  int looks = 0;
  for (;; ++looks) {
    policy.saw_clock();
    const auto step = policy.looked(now, kCosts, true);
    if (step.hopeless) break;
    EXPECT_LE(step.nap, std::max(Time::us(1), now / 1024));
    now += step.nap;
  }
  EXPECT_GT(now, Time::s(1));
  EXPECT_LT(now, Time::s(1) + Time::ms(1));
  EXPECT_LT(looks, 20'000);
}

// Something that happens 25 ns after a look is found by the look at 30 ns; at 30 ns, at once.
TEST(PollPolicy, NapsEndAtALook) {
  EXPECT_EQ(PollPolicy::until_look(Time::ns(25), Time::ns(10)), Time::ns(5));
  EXPECT_EQ(PollPolicy::until_look(Time::ns(30), Time::ns(10)), Time::zero());
  EXPECT_EQ(PollPolicy::until_look(Time::zero(), Time::ns(10)), Time::ns(10));
}

/// Looks of one kind that a thread makes in a row of so long, after which it finds something.
int looks_in(PollPolicy& policy, const PollPolicy::Costs& costs, Time duration, const void* kind) {
  Time now;
  int looks = 0;
  policy.start_anew();
  for (; now < duration; ++looks) now += policy.looked(now, costs, false, kind).nap;
  return looks;
}

// Who has looked in vain 4,096 times, in one row or in many, makes 8 looks the next time before it
// rests: 1 ms is 7 looks at 10 ns and 1,000 at 1 us. If it is told of everything, each rest is half
// of the time so far: 30 looks are enough for 1 ms, 50 for 1 s. Looks of another kind are none the
// wiser, nor are loops that look at the clock.
TEST(PollPolicy, KnowsWhoLooksForLong) {
  // Apart, for kinds are told from each other by their addresses.
  const int kinds[64] = {};
  const int& one = kinds[0];
  const int& other = kinds[4];
  PollPolicy policy;
  for (int row = 0; row < 8; ++row) EXPECT_EQ(looks_in(policy, kCosts, Time::us(5), &one), 500);
  EXPECT_EQ(looks_in(policy, kCosts, Time::us(3), &one), 96 + 3);
  EXPECT_EQ(looks_in(policy, kCosts, Time::ms(1), &one), 7 + 1000);
  PollPolicy::Costs told = kCosts;
  told.effort.all_is_told = true;
  EXPECT_LE(looks_in(policy, told, Time::ms(1), &one), 30);
  EXPECT_LE(looks_in(policy, told, Time::s(1), &one), 50);
  EXPECT_EQ(looks_in(policy, told, Time::us(40), &other), 4000);
  policy.start_anew();
  Time now;
  for (int i = 0; i < 4000; ++i) {
    policy.saw_clock();
    now += policy.looked(now, told, false, &one).nap;
  }
  EXPECT_EQ(now, Time::us(40));
}

// With nothing on its way, rests do not grow: a program that counts its looks comes to its end.
TEST(PollPolicy, RestsDoNotGrowWhenNothingIsOnItsWay) {
  int kind = 0;
  PollPolicy policy;
  PollPolicy::Costs told = kCosts;
  told.effort.all_is_told = true;
  looks_in(policy, told, Time::ms(1), &kind);
  policy.start_anew();
  Time now;
  for (int i = 0; i < 1000; ++i) now += policy.looked(now, told, true, &kind).nap;
  EXPECT_LE(now, Time::ms(1));
}

}  // namespace
}  // namespace heddle::host
