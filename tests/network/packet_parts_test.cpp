// The parts of the packet model by themselves: credits, their clock, arbitration, throttles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "network/packet/credit_clock.hpp"
#include "network/packet/credits.hpp"
#include "network/packet/lane_arbitrations/lane_tables.hpp"
#include "network/packet/throttle.hpp"

namespace heddle::network {
namespace {

using testing::HasSubstr;

// Of a buffer of 100 flits, 80 are sent; 30 are freed at 50 ns and 40 at 20 ns. The sender knows of
// 20 at first, of 60 from 20 ns and of 90 from 50 ns on.
TEST(Credits, CountWhatTheReceiverHasFreed) {
  Credits credits(100);
  credits.sent(80);
  credits.free_at(Time::ns(50), 30);
  credits.free_at(Time::ns(20), 40);
  EXPECT_EQ(credits.available(Time::ns(19)), 20);
  EXPECT_EQ(credits.enough_at(20), Time::zero());
  EXPECT_EQ(credits.enough_at(60), Time::ns(20));
  EXPECT_EQ(credits.enough_at(61), Time::ns(50));
  EXPECT_EQ(credits.enough_at(91), Time::never());
  EXPECT_EQ(credits.missing_at_last(91), 1);
  EXPECT_EQ(credits.available(Time::ns(20)), 60);
  EXPECT_EQ(credits.available(Time::ns(50)), 90);
  EXPECT_EQ(credits.missing(95), 5);
}

// Every 256 ns, 4 ns long. On an idle wire the packet of the period from 256 ns leaves at 257; data
// at 256.5 waits until 261, data at 262 does not, nor further data of the period.
TEST(CreditClock, DataWaitsForTheFlowControlPacketOfThePeriod) {
  CreditClock clock(Time::ns(256), Time::ns(4));
  EXPECT_EQ(clock.begin_data(Time::ps(256'500), Time::zero()), Time::ns(261));
  EXPECT_EQ(clock.begin_data(Time::ps(262'000), Time::zero()), Time::ns(262));
  EXPECT_EQ(clock.begin_data(Time::ns(520), Time::zero()), Time::ns(520));
}

// A wire that is busy from 200 to 300 ns sends the packet of 256 at 300, and data behind it at 304.
TEST(CreditClock, ABusyWireSendsItBehindItsPacket) {
  CreditClock clock(Time::ns(256), Time::ns(4));
  clock.carried(Time::ns(200), Time::ns(300));
  EXPECT_EQ(clock.last_departure(Time::ns(299)), Time::ns(1));
  EXPECT_EQ(clock.last_departure(Time::ns(300)), Time::ns(300));
  EXPECT_EQ(clock.next_departure(Time::ns(10), Time::zero()), Time::ns(300));
  EXPECT_EQ(clock.next_departure(Time::ns(300), Time::ns(300)), Time::ns(513));
  EXPECT_EQ(clock.begin_data(Time::ns(290), Time::ns(300)), Time::ns(304));
}

// Without a period the far end is told at once and the wire is never held.
TEST(CreditClock, WithoutAPeriodNewsIsImmediate) {
  CreditClock clock(Time::zero(), Time::ns(4));
  EXPECT_EQ(clock.begin_data(Time::ns(7), Time::ns(9)), Time::ns(9));
  EXPECT_EQ(clock.last_departure(Time::ns(5)), Time::ns(5));
  EXPECT_EQ(clock.next_departure(Time::ns(5), Time::ns(2)), Time::ns(5));
}

/// How many of `packets` packets of one flit each of four lanes gets, all of them waiting.
std::vector<int> shares(TableArbiter& arbiter, int packets) {
  std::vector<int> count(4);
  for (int i = 0; i < packets; ++i) {
    const int lane = arbiter.choose(0b1111);
    arbiter.served(lane, 1);
    ++count[static_cast<std::size_t>(lane)];
  }
  return count;
}

// An entry is left when more than its weight has passed: weights 1 and 3 give turns of 2 and 4
// flits, so 6 packets of one flit are shared 2 to 4.
TEST(TableArbiter, WeightsSetTheShares) {
  const auto table = parse_lane_table("0:1,1:3", 2, "");
  const std::vector<LaneWeight> none;
  TableArbiter arbiter(table, none, 1'000'000);
  EXPECT_THAT(shares(arbiter, 600), testing::ElementsAre(200, 400, 0, 0));
}

// With a high limit of 10 flits, one packet of low priority passes after each 10 of high priority.
TEST(TableArbiter, LowPriorityHasItsTurnAfterTheHighLimit) {
  const auto high = parse_lane_table("0:255", 2, "");
  const auto low = parse_lane_table("1:255", 2, "");
  TableArbiter arbiter(high, low, 10);
  EXPECT_THAT(shares(arbiter, 110), testing::ElementsAre(100, 10, 0, 0));
}

TEST(TableArbiter, ReadsWordsForTables) {
  EXPECT_TRUE(parse_lane_table("none", 2, "").empty());
  const auto all = parse_lane_table("auto", 3, "");
  ASSERT_EQ(all.size(), 3U);
  for (std::uint8_t lane = 0; lane < 3; ++lane) {
    EXPECT_EQ(all[lane].lane, lane);
    EXPECT_EQ(all[lane].flits, 1U);
  }
}

// A table is lane:weight with weights from 1 to 255 and lanes that exist.
TEST(TableArbiter, RefusesWrongTables) {
  for (const char* wrong : {"0", "0:0", "0:256", "2:1", "0:1;1:1", "x:1"}) {
    EXPECT_THAT(error_of([&] { parse_lane_table(wrong, 2, "packet.low_table"); }),
                HasSubstr("lanes below 2"))
        << wrong;
  }
}

// Two notifications lift a flow by two steps: with 0.5 packet times per step and 1 + step / 16, a
// packet of 100 ns is followed by a pause of 100 * 0.5 * 2 * 1.125 = 112.5 ns. Ten microseconds
// later it is one step lower: 100 * 0.5 * 1.0625 = 53.125 ns; and after ten more at rest.
TEST(Throttle, NotificationsSlowAFlowAndTimeSpeedsItUp) {
  PacketConfig config = [] {
    Settings settings({&packet_table()});
    settings.assign("packet.cct_step=0.5", {});
    settings.assign("packet.cct_timer=10us", {});
    return settings.get(packet_table());
  }();
  Throttle flow;
  flow.notified(Time::ns(10), config);
  flow.notified(Time::ns(20), config);
  flow.sent(Time::ns(100), Time::zero(), Time::ns(100), config);
  EXPECT_EQ(flow.allowed(), Time::ps(312'500));
  flow.sent(Time::us(10), Time::zero(), Time::ns(100), config);
  EXPECT_EQ(flow.allowed(), Time::us(10) + Time::ps(153'125));
  flow.sent(Time::us(20), Time::zero(), Time::ns(100), config);
  EXPECT_EQ(flow.allowed(), Time::us(20) + Time::ns(100));
}

// A flow with a packet of 100 ns every 850 ns, eight lengths, takes two steps when it is notified
// for the first time, and 2 * (2 + 1) more the second time: after a packet it pauses for
// 0.5 * 8 * 1.5 times 850 ns, which makes 5.2 us in all. A step is taken back after eight times the
// timer's 10 us. That its packets are due later while it is slowed down does not slow it further.
TEST(Throttle, MeasuresTimeByTheFlowsOwnPace) {
  Settings settings({&packet_table()});
  for (const char* a : {"packet.cct_step=0.5", "packet.cct_timer=10us"}) settings.assign(a, {});
  const PacketConfig config = settings.get(packet_table());
  const auto after = [](const Throttle& flow, Time now) {
    return static_cast<double>((flow.allowed() - now).ps());
  };
  Throttle flow;
  Time now;
  for (int i = 0; i < 200; ++i, now += Time::ns(850)) flow.sent(now, now, Time::ns(100), config);
  EXPECT_EQ(flow.allowed(), now - Time::ns(750)) << "nothing was marked";
  now = Time::us(240);  // Where a period of 80 us begins.
  flow.notified(now, config);
  EXPECT_EQ(flow.index(), 2);
  flow.notified(now, config);
  EXPECT_EQ(flow.index(), 8);
  flow.sent(now, Time::us(171), Time::ns(100), config);
  EXPECT_NEAR(after(flow, now), 5'200'000, 100);
  now += Time::us(79);
  flow.sent(now, now, Time::ns(100), config);
  EXPECT_EQ(flow.index(), 8);
  EXPECT_NEAR(after(flow, now), 5'200'000, 100);
  now += Time::us(1);
  flow.sent(now, now, Time::ns(100), config);
  EXPECT_EQ(flow.index(), 7);
}

// Neither limit is passed: up to cct_limit, down to cct_min.
TEST(Throttle, StaysWithinItsLimits) {
  Settings settings({&packet_table()});
  for (const char* a : {"packet.cct_limit=5", "packet.cct_min=2", "packet.cct_increase=3"}) {
    settings.assign(a, {});
  }
  const PacketConfig config = settings.get(packet_table());
  Throttle flow;
  for (int i = 0; i < 3; ++i) flow.notified(Time::ns(i), config);
  EXPECT_EQ(flow.index(), 5);
  flow.sent(Time::ms(1), Time::zero(), Time::ns(100), config);
  EXPECT_EQ(flow.index(), 2);
}

}  // namespace
}  // namespace heddle::network
