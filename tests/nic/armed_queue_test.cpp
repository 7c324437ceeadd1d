#include "nic/armed_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>

namespace heddle::nic {
namespace {

/// Of three with deadlines 1, 2 and 3 us, the second leaves: the first is in front, then the third.
TEST(ArmedQueue, IsLeftAtAnyPlace) {
  ArmedQueue queue;
  std::array<Exchange, 3> exchanges;
  for (int i = 0; i < 3; ++i) {
    queue.push(exchanges[static_cast<std::size_t>(i)], Half::request, Time::us(i + 1));
  }
  queue.remove(exchanges[1].context(Half::request));
  EXPECT_EQ(queue.front().exchange, &exchanges[0]);
  queue.remove(exchanges[0].context(Half::request));
  EXPECT_EQ(queue.front().exchange, &exchanges[2]);
  EXPECT_EQ(queue.front().deadline, Time::us(3));
  queue.remove(exchanges[2].context(Half::request));
  EXPECT_TRUE(queue.empty());
}

/// While one is never acknowledged, a thousand others come and go, eight at a time: those that are
/// left are still found, in their order, and both halves of an exchange are told apart.
TEST(ArmedQueue, ClosesItsRanksBehindOneThatStays) {
  ArmedQueue queue;
  Exchange stays;
  queue.push(stays, Half::answer, Time::us(0));
  std::array<Exchange, 8> others;
  std::deque<Exchange*> armed;
  for (int i = 0; i < 1000; ++i) {
    if (armed.size() == others.size()) {
      queue.remove(armed.front()->context(Half::request));
      armed.pop_front();
    }
    Exchange& next = others[static_cast<std::size_t>(i) % others.size()];
    queue.push(next, Half::request, Time::us(i + 1));
    armed.push_back(&next);
  }
  EXPECT_EQ(queue.front().exchange, &stays);
  EXPECT_EQ(queue.front().half, Half::answer);
  queue.remove(stays.context(Half::answer));
  for (int i = 993; !armed.empty(); ++i, armed.pop_front()) {
    EXPECT_EQ(queue.front().exchange, armed.front());
    EXPECT_EQ(queue.front().deadline, Time::us(i));
    queue.remove(armed.front()->context(Half::request));
  }
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace heddle::nic
