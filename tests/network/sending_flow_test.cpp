#include "network/packet/sending_flow.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "network/packet/receiving_flow.hpp"

namespace heddle::network {
namespace {

/// Notes what it is told; allows what it is told to allow.
struct Notes {
  std::vector<AckNews> acks;
  std::vector<LossNews> losses;
  int timeouts = 0;
  Bytes window = kNoLimit;
  Bytes credit = kNoLimit;
};
class Noting final : public ReactionPoint {
 public:
  explicit Noting(Notes& notes) : notes_(notes) {}
  Bytes window() const override { return notes_.window; }
  Bytes credit() const override { return notes_.credit; }
  void acknowledged(const AckNews& news) override { notes_.acks.push_back(news); }
  void lost(const LossNews& news) override { notes_.losses.push_back(news); }
  void timed_out(Time) override { ++notes_.timeouts; }

 private:
  Notes& notes_;
};

/// Packets of up to 1000 B with headers of 20 B; without news for 100 us they are sent again.
struct FlowBed {
  explicit FlowBed(Repair repair, std::int64_t gap = 0)
      : rules{repair, Time::us(100), gap, 1, Bytes(64), Bytes(20), 1000},
        flow(rules, std::make_unique<Noting>(notes)) {}

  Message& message(std::int64_t bytes) {
    Message& made = messages.emplace_back();
    made.unsent = bytes;
    made.packets_left = (bytes - 1) / 1000 + 1;
    flow.add(made);
    return made;
  }
  /// Packets leave one behind the other, one each microsecond; their numbers.
  std::vector<std::int64_t> send(int packets) {
    std::vector<std::int64_t> numbers;
    for (int i = 0; i < packets; ++i) {
      const SendingFlow::Piece piece = flow.cut();
      numbers.push_back(piece.number);
      flow.left(piece.number, {now, now, Time::ns(80), Bytes(piece.payload + 20)});
      now += Time::us(1);
    }
    return numbers;
  }
  void acknowledge(std::int64_t number, std::int64_t up_to, Time sent) {
    flow.acknowledged({number, up_to, sent, false, 2, {}}, now);
  }

  Notes notes;
  FlowRules rules;
  std::deque<Message> messages;
  SendingFlow flow;
  Time now;
};

using Numbers = std::vector<std::int64_t>;

// 2500 B are packets of 1000, 1000 and 500 B, 2560 B on the wire. An acknowledgement of the second
// with all below three of them says that everything has arrived: 2560 B, and the message is done.
TEST(SendingFlow, AMessageIsDoneWhenAllOfItIsAcknowledged) {
  FlowBed bed(Repair::selective);
  Message& message = bed.message(2500);
  EXPECT_EQ(bed.flow.wanted(), Bytes(2560));
  EXPECT_EQ(bed.send(3), (Numbers{0, 1, 2}));
  EXPECT_FALSE(bed.flow.has_something());
  EXPECT_EQ(bed.flow.unacknowledged(), Bytes(2560));
  bed.acknowledge(0, 1, Time::zero());
  EXPECT_EQ(bed.flow.take_finished(), nullptr);
  bed.acknowledge(1, 3, Time::us(1));
  EXPECT_EQ(bed.flow.take_finished(), &message);
  EXPECT_EQ(bed.flow.take_finished(), nullptr);
  ASSERT_EQ(bed.notes.acks.size(), 2U);
  EXPECT_EQ(bed.notes.acks[0].bytes, Bytes(1020));
  EXPECT_EQ(bed.notes.acks[1].bytes, Bytes(1020 + 520));
  EXPECT_EQ(bed.notes.acks[1].rtt, Time::us(2));
  EXPECT_EQ(bed.flow.unacknowledged(), Bytes(0));
  EXPECT_EQ(bed.flow.deadline(), Time::never());
}

// The window is what two packets need: the third waits for an acknowledgement. Without any credit
// not even the first may leave.
TEST(SendingFlow, WindowAndCreditHoldPacketsUp) {
  FlowBed bed(Repair::selective);
  bed.notes.window = Bytes(2040);
  bed.message(3000);
  bed.send(2);
  EXPECT_EQ(bed.flow.may_send(), Time::never());
  bed.acknowledge(0, 1, Time::zero());
  EXPECT_LE(bed.flow.may_send(), bed.now);
  bed.notes.credit = Bytes(0);
  EXPECT_EQ(bed.flow.may_send(), Time::never());
  EXPECT_TRUE(bed.flow.lacks_credit());
}

// One packet may always be under way, however small the window is.
TEST(SendingFlow, OnePacketMayAlwaysLeave) {
  FlowBed bed(Repair::selective);
  bed.notes.window = Bytes(1);
  bed.message(2000);
  EXPECT_EQ(bed.flow.may_send(), Time::zero());
  bed.send(1);
  EXPECT_EQ(bed.flow.may_send(), Time::never());
}

// Of packets 0 to 4 number 1 is missed. With go-back-n 1 to 4 are sent again, selectively 1 only.
TEST(SendingFlow, WhatIsMissedIsSentAgain) {
  FlowBed back(Repair::go_back_n);
  back.message(6000);
  back.send(5);
  back.flow.missed(1, 1, false, false, back.now);
  EXPECT_EQ(back.send(5), (Numbers{1, 2, 3, 4, 5}));
  EXPECT_EQ(back.flow.counts().again, 4U);

  FlowBed selective(Repair::selective);
  selective.message(6000);
  selective.send(5);
  selective.flow.missed(1, 1, true, true, selective.now);
  EXPECT_EQ(selective.send(2), (Numbers{1, 5}));
  ASSERT_EQ(selective.notes.losses.size(), 1U);
  EXPECT_EQ(selective.notes.losses[0].bytes, Bytes(1020));
  EXPECT_TRUE(selective.notes.losses[0].at_last_hop);
  EXPECT_EQ(selective.notes.losses[0].unacknowledged, Bytes(3 * 1020));
}

// Packet 0 is lost when 3 has arrived, three behind it; 1 and 2 may still come. Sent again, it is
// not taken to be lost by what left before it did.
TEST(SendingFlow, AGapSaysThatAPacketIsLost) {
  FlowBed bed(Repair::selective, 3);
  bed.message(9000);
  bed.send(5);
  bed.acknowledge(2, 0, Time::us(2));
  EXPECT_TRUE(bed.notes.losses.empty());
  bed.acknowledge(3, 0, Time::us(3));
  ASSERT_EQ(bed.notes.losses.size(), 1U);
  EXPECT_EQ(bed.send(2), (Numbers{0, 5}));
  bed.acknowledge(4, 0, Time::us(4));
  EXPECT_EQ(bed.notes.losses.size(), 2U);  // Number 1.
  EXPECT_EQ(bed.send(2), (Numbers{1, 6}));
}

// The first packet left at 0: at 100 us its source gives up. Selectively that is of this one and of
// no other; the next time it waits twice as long, until news comes.
TEST(SendingFlow, SilenceDoublesTheTimeout) {
  FlowBed bed(Repair::selective);
  bed.message(2000);
  bed.send(2);
  EXPECT_EQ(bed.flow.deadline(), Time::us(100));
  bed.now = Time::us(100);
  bed.flow.expire(bed.now);
  EXPECT_EQ(bed.notes.timeouts, 1);
  EXPECT_EQ(bed.send(1), (Numbers{0}));
  EXPECT_EQ(bed.flow.deadline(), Time::us(1) + Time::us(200));
  bed.acknowledge(1, 0, Time::us(1));
  EXPECT_EQ(bed.flow.deadline(), Time::us(100) + Time::us(100));
  EXPECT_EQ(bed.flow.counts().timeouts, 1U);
}

// What is lost is wanted once more: of 2000 B, 2040 B on the wire, 1020 B.
TEST(SendingFlow, LostPacketsAreWantedAgain) {
  FlowBed bed(Repair::selective);
  bed.message(2000);
  bed.send(2);
  bed.flow.missed(0, 0, true, false, bed.now);
  EXPECT_EQ(bed.flow.wanted(), Bytes(3 * 1020));
  // The first one comes in after all: it is wanted no more, and is not sent again.
  bed.acknowledge(0, 1, Time::zero());
  EXPECT_EQ(bed.flow.wanted(), Bytes(2 * 1020));
  EXPECT_FALSE(bed.flow.has_something());
}

// 0, 2, 1: the second is early, the third fills the gap, and then 2 has been there before.
TEST(ReceivingFlow, TellsWhatIsMissing) {
  using Arrival = ReceivingFlow::Arrival;
  ReceivingFlow flow;
  flow.take(0);
  EXPECT_EQ(flow.arrival(2), Arrival::early);
  flow.take(2);
  EXPECT_TRUE(flow.tell_of_gap());
  EXPECT_FALSE(flow.tell_of_gap());
  EXPECT_EQ(flow.up_to(), 1);
  EXPECT_EQ(flow.arrival(2), Arrival::again);
  EXPECT_EQ(flow.arrival(1), Arrival::expected);
  flow.take(1);
  EXPECT_EQ(flow.up_to(), 3);
  EXPECT_TRUE(flow.tell_of_gap());
  EXPECT_EQ(flow.arrival(0), Arrival::again);
}

}  // namespace
}  // namespace heddle::network
