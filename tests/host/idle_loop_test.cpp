#include "host/rank/idle_loop.hpp"

#include <gtest/gtest.h>

namespace heddle::host {
namespace {

// What is done once and 1,000 times more in one instant is free; from then on time should pass.
TEST(IdleLoop, IsFreeForAWhile) {
  IdleLoop loop;
  const Time now = Time::ns(5);
  int free = 0;
  while (!loop.repeats(now)) {
    loop.done(now);
    ++free;
  }
  EXPECT_EQ(free, 1001);
  EXPECT_TRUE(loop.repeats(now));
}

// Who has been charged so is charged again and again, until something else has let time pass: then
// the count begins anew.
TEST(IdleLoop, IsChargedUntilSomethingElseLetsTimePass) {
  IdleLoop loop;
  Time now = Time::ns(5);
  while (!loop.repeats(now)) loop.done(now);
  for (int i = 0; i < 3; ++i) {
    now += Time::ns(1);
    loop.done(now);
    EXPECT_TRUE(loop.repeats(now));
  }
  EXPECT_FALSE(loop.repeats(now + Time::ns(1)));
}

}  // namespace
}  // namespace heddle::host
