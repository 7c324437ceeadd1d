#include "host/poll_policy.hpp"

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

}  // namespace
}  // namespace heddle::host
