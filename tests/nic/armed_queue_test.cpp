#include "nic/armed_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>

namespace heddle::nic {
namespace {

void push_armed(ArmedQueue& queue, Exchange& exchange, Half half, Time deadline) {
  exchange.context(half).state = Context::State::armed;
  queue.push(exchange, half, deadline);
}

void disarm_in(ArmedQueue& queue, Exchange& exchange, Half half) {
  exchange.context(half).state = Context::State::closed;
  queue.left();
}

/// Of three with deadlines 1, 2 and 3 us, the second leaves: the first is in front, then the third.
TEST(ArmedQueue, IsLeftAtAnyPlace) {
  ArmedQueue queue(AdapterId{0});
  std::array<Exchange, 3> exchanges;
  for (int i = 0; i < 3; ++i) {
    push_armed(queue, exchanges[static_cast<std::size_t>(i)], Half::request, Time::us(i + 1));
  }
  disarm_in(queue, exchanges[1], Half::request);
  EXPECT_EQ(&queue.front().exchange(), &exchanges[0]);
  disarm_in(queue, exchanges[0], Half::request);
  EXPECT_EQ(&queue.front().exchange(), &exchanges[2]);
  EXPECT_EQ(queue.front().deadline(), Time::us(3));
  disarm_in(queue, exchanges[2], Half::request);
  EXPECT_TRUE(queue.empty());
}

/// One that is armed anew has its new place only, and a record that serves an exchange of another
/// node by now is not taken for the one that has left, though it has the same place there: the
/// deadlines in front are 2 us, then 3 us.
TEST(ArmedQueue, KnowsWhoHasLeft) {
  ArmedQueue queue(AdapterId{0});
  ArmedQueue other(AdapterId{1});
  std::array<Exchange, 3> exchanges;
  push_armed(queue, exchanges[0], Half::request, Time::us(0));
  push_armed(queue, exchanges[1], Half::request, Time::us(1));
  push_armed(queue, exchanges[2], Half::request, Time::us(2));
  disarm_in(queue, exchanges[0], Half::request);
  exchanges[0].request.initiator.node = NodeId{1};
  push_armed(other, exchanges[0], Half::request, Time::us(2));
  disarm_in(queue, exchanges[1], Half::request);
  push_armed(queue, exchanges[1], Half::request, Time::us(3));
  EXPECT_EQ(&queue.front().exchange(), &exchanges[2]);
  EXPECT_EQ(queue.front().deadline(), Time::us(2));
  disarm_in(queue, exchanges[2], Half::request);
  EXPECT_EQ(queue.front().deadline(), Time::us(3));
}

/// While one is never acknowledged, a thousand others come and go, eight at a time: those that are
/// left are still found, in their order, and both halves of an exchange are told apart.
TEST(ArmedQueue, ClosesItsRanksBehindOneThatStays) {
  ArmedQueue queue(AdapterId{0});
  Exchange stays;
  push_armed(queue, stays, Half::answer, Time::us(0));
  std::array<Exchange, 8> others;
  std::deque<Exchange*> armed;
  for (int i = 0; i < 1000; ++i) {
    if (armed.size() == others.size()) {
      disarm_in(queue, *armed.front(), Half::request);
      armed.pop_front();
    }
    Exchange& next = others[static_cast<std::size_t>(i) % others.size()];
    push_armed(queue, next, Half::request, Time::us(i + 1));
    armed.push_back(&next);
  }
  EXPECT_EQ(&queue.front().exchange(), &stays);
  EXPECT_EQ(queue.front().half(), Half::answer);
  disarm_in(queue, stays, Half::answer);
  for (int i = 993; !armed.empty(); ++i, armed.pop_front()) {
    EXPECT_EQ(&queue.front().exchange(), armed.front());
    EXPECT_EQ(queue.front().deadline(), Time::us(i));
    disarm_in(queue, *armed.front(), Half::request);
  }
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace heddle::nic
