// Messages and receives that find each other.
#include "replay/engine/deliveries.hpp"

#include <gmock/gmock.h>

namespace heddle::replay {
namespace {

Message message_from(std::uint32_t source, std::uint32_t tag, std::uint64_t sequence = 0) {
  return {sequence, Bytes(8), Time::zero(), OpId{3}, RankId{source}, Tag{tag}, PairId{0}};
}

goal::PackedOp receive_from(std::uint32_t source, std::uint32_t tag) {
  goal::PackedOp op{};
  op.peer = source;
  op.tag = tag;
  return op;
}

// A message that came first waits for its receive, which takes the oldest of its source and tag.
TEST(Deliveries, AReceiveTakesTheOldestUnexpectedMessageThatGoesWithIt) {
  Deliveries deliveries;
  RankState rank;
  const MessageId other = deliveries.add(message_from(1, 5));
  const MessageId first = deliveries.add(message_from(2, 5));
  const MessageId second = deliveries.add(message_from(2, 5));
  for (const MessageId number : {other, first, second}) {
    deliveries.keep_unexpected(rank, number);
  }
  EXPECT_TRUE(deliveries.has_unexpected(rank, receive_from(2, 5)));
  EXPECT_FALSE(deliveries.has_unexpected(rank, receive_from(2, 6)));
  EXPECT_EQ(deliveries.take_unexpected(rank, receive_from(2, 6)), kNoMessage);
  EXPECT_EQ(deliveries.take_unexpected(rank, receive_from(2, 5)), first);
  EXPECT_EQ(deliveries.take_unexpected(rank, receive_from(goal::kAnySource, 5)), other);
  EXPECT_EQ(deliveries.take_unexpected(rank, receive_from(2, goal::kAnyTag)), second);
  EXPECT_FALSE(deliveries.has_unexpected(rank, receive_from(goal::kAnySource, goal::kAnyTag)));
}

// A receive that came first is found by its message; one that came through the queue is posted
// before everything.
TEST(Deliveries, AMessageFindsTheReceiveThatWasPosted) {
  Deliveries deliveries;
  RankState rank;
  deliveries.post(rank, OpId{4}, receive_from(2, 5));
  EXPECT_EQ(deliveries.find_posted(rank, message_from(1, 5)), kNoPosting);
  const PostingId entry = deliveries.find_posted(rank, message_from(2, 5));
  ASSERT_NE(entry, kNoPosting);
  EXPECT_EQ(deliveries.op_of(entry), OpId{4});
  EXPECT_FALSE(deliveries.posting(entry).after(Time::zero(), 0));
  EXPECT_EQ(deliveries.take_posted(rank, entry), OpId{4});
  EXPECT_EQ(deliveries.find_posted(rank, message_from(2, 5)), kNoPosting);
}

// One that is posted early knows when: at time 10 as event 7. An event of time 10 comes before it
// if its sequence is lower, and so do all of earlier times. The next receive that is posted in its
// place through the queue does not inherit that.
TEST(Deliveries, AReceiveThatIsPostedEarlyKnowsWhen) {
  Deliveries deliveries;
  RankState rank;
  deliveries.post_early(rank, OpId{4}, receive_from(2, 5), Time::ps(10), 7, false);
  PostingId entry = deliveries.find_posted(rank, message_from(2, 5));
  EXPECT_TRUE(deliveries.posting(entry).after(Time::ps(9), 100));
  EXPECT_TRUE(deliveries.posting(entry).after(Time::ps(10), 6));
  EXPECT_FALSE(deliveries.posting(entry).after(Time::ps(10), 8));
  EXPECT_FALSE(deliveries.posting(entry).after(Time::ps(11), 0));
  deliveries.take_posted(rank, entry);
  deliveries.post(rank, OpId{6}, receive_from(2, 5));
  entry = deliveries.find_posted(rank, message_from(2, 5));
  EXPECT_FALSE(deliveries.posting(entry).after(Time::ps(9), 100));
}

// Lines of messages are in the order of their sequences, however they came.
TEST(Deliveries, ALineOfMessagesIsInTheOrderTheyWereSent) {
  Deliveries deliveries;
  MessageId line = kNoMessage;
  for (const std::uint64_t sequence : {5, 3, 9, 1, 7}) {
    line = deliveries.with(line, deliveries.add(message_from(0, 0, sequence)));
  }
  std::vector<std::uint64_t> order;
  for (; line != kNoMessage; line = deliveries.without_first(line)) {
    order.push_back(deliveries[line].sequence);
  }
  EXPECT_THAT(order, testing::ElementsAre(1, 3, 5, 7, 9));
}

// Event 0 of a window caused three things, numbered from 50 on.
TEST(Deliveries, WhatIsFreshGetsItsNumberWhenTheWindowIsOver) {
  Deliveries deliveries;
  RankState rank;
  const std::uint64_t first = Sequences::first_of(0);
  const MessageId fresh = deliveries.add_fresh(message_from(1, 1, first + 1));
  deliveries.post_early(rank, OpId{4}, receive_from(2, 5), Time::ps(10), first + 2, true);
  const std::vector<Numbered> numbered{{0, 1, 50, 3}};
  Numbers numbers;
  numbers.clear();
  numbers.add(numbered);
  numbers.close();
  deliveries.settle(numbers);
  EXPECT_EQ(deliveries[fresh].sequence, 51U);
  EXPECT_EQ(deliveries.posting(deliveries.find_posted(rank, message_from(2, 5))).sequence, 52U);
}

// What nobody took is named: the receive by its rank and operation, the message by its sender's.
TEST(Deliveries, TellsWhatIsLeft) {
  Deliveries deliveries;
  RankState rank;
  deliveries.post(rank, OpId{4}, receive_from(2, 5));
  deliveries.keep_unexpected(rank, deliveries.add(message_from(6, 1)));
  Leftovers left;
  deliveries.add_leftovers(RankId{9}, rank, left);
  EXPECT_THAT(left.receives, testing::ElementsAre(goal::OpRef{9, 4}));
  EXPECT_THAT(left.sends, testing::ElementsAre(goal::OpRef{6, 3}));
  EXPECT_TRUE(left.waiting.empty());
}

}  // namespace
}  // namespace heddle::replay
