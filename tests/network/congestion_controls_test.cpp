// The rules of congestion controls, step by step. Packets have 1000 B, and the link 100 Gb/s: at
// its full rate one follows another after 80 ns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/packet/rules.hpp"
#include "network/support.hpp"

namespace heddle::network {
namespace {

/// A control by its name, with what it makes.
class Control {
 public:
  explicit Control(std::string_view name, const std::vector<std::string>& assignments = {})
      : settings_(network_sections()) {
    for (const std::string& assignment : assignments) settings_.assign(assignment, {});
    config_ = settings_.get(packet_table());
    control_ = find_rule(congestion_controls(), name).make({config_, settings_, 1, platform_});
  }
  const CongestionControl& operator*() const { return *control_; }
  const CongestionControl* operator->() const { return control_.get(); }

 private:
  platform::Platform platform_ = star(2);
  Settings settings_;
  PacketConfig config_{};
  std::unique_ptr<const CongestionControl> control_;
};

FlowPath path_of(Time rtt, Bytes packet = Bytes(1000), Bytes payload = Bytes(1000)) {
  FlowPath path{};
  path.rate = Bandwidth::gbps(100);
  path.rtt = path.longest_rtt = rtt;
  path.links = 2;
  path.packet = packet;
  path.payload = payload;
  return path;
}

/// How long after a packet that leaves at `now` the flow has to wait for the next.
Time gap(ReactionPoint& flow, Time now) {
  flow.sent({now, now, Time::ns(80), Bytes(1000)});
  return flow.allowed() - now;
}

/// The acknowledgement of packet `packet`, when all before `next` have been sent.
AckNews ack(Time now, Time rtt, std::int64_t packet, std::int64_t next) {
  AckNews news{};
  news.now = now;
  news.rtt = rtt;
  news.bytes = Bytes(1000);
  news.hops = 2;
  news.packet = packet;
  news.next = next;
  return news;
}

// --- Marks.

std::int64_t marks_of_1000(CongestionPoint& point, Bytes queue) {
  std::int64_t marked = 0;
  for (int i = 0; i < 1000; ++i) marked += point.marks({16, 16, false, queue});
  return marked;
}

// As published: nothing up to 5 kB, everything beyond 200 kB, between them a chance up to 1 %: at
// 102.5 kB, half way, 0.5 %; of 100,000 packets 500, give or take four times the root of that.
TEST(DcqcnMarks, RiseWithTheQueue) {
  const auto point =
      Control("dcqcn")->new_point({200, true, Bandwidth::gbps(100), Bytes(64), 7, Time::us(10)});
  EXPECT_EQ(marks_of_1000(*point, Bytes(5'000)), 0);
  EXPECT_EQ(marks_of_1000(*point, Bytes(200'001)), 1000);
  std::int64_t marked = 0;
  for (int i = 0; i < 100; ++i) marked += marks_of_1000(*point, Bytes(102'500));
  EXPECT_NEAR(marked, 500, 90);
}

// Of the adapter: from 400 kB to 1600 kB at 100 Gb/s, with a chance up to 0.2. Flits that wait
// count like bytes in the output, but not those of the packet itself: 6000 flits of 64 B are 384
// kB.
TEST(DcqcnMarks, OfTheAdapterGoByTheRate) {
  const auto point = Control("dcqcn", {"dcqcn.preset=cx4"})
                         ->new_point({200, true, Bandwidth::gbps(100), Bytes(64), 7, Time::us(10)});
  EXPECT_EQ(marks_of_1000(*point, Bytes(400'000)), 0);
  EXPECT_EQ(marks_of_1000(*point, Bytes(1'600'001)), 1000);
  EXPECT_NEAR(marks_of_1000(*point, Bytes(1'600'000)), 200, 51);
  EXPECT_FALSE(point->marks({6016, 16, false, Bytes(16'000)}));
  int marked = 0;
  for (int i = 0; i < 1000; ++i) marked += point->marks({6016, 16, false, Bytes(1'216'001)});
  EXPECT_EQ(marked, 1000);
}

// One notification of a source in 50 us, whatever others send.
TEST(Dcqcn, NotificationsAreSpaced) {
  const auto point = Control("dcqcn")->new_notification_point({});
  EXPECT_TRUE(point->notifies(NodeId{1}, Time::us(3)));
  EXPECT_FALSE(point->notifies(NodeId{1}, Time::us(52)));
  EXPECT_TRUE(point->notifies(NodeId{2}, Time::us(52)));
  EXPECT_TRUE(point->notifies(NodeId{1}, Time::us(53)));
}

// --- DCQCN.

// Alpha begins as 1: the first notification halves the rate, 80 ns become 160; another, 50 us
// later, halves it again. 55 us later the rate is half way back, 37.5 Gb/s.
TEST(Dcqcn, CutsAndRecovers) {
  const Control control("dcqcn");
  const auto flow = control->new_flow(path_of(Time::us(10)));
  EXPECT_EQ(gap(*flow, Time::zero()), Time::ns(80));
  flow->notified(Time::us(1));
  EXPECT_EQ(gap(*flow, Time::us(1)), Time::ns(160));
  flow->notified(Time::us(51));
  EXPECT_EQ(gap(*flow, Time::us(51)), Time::ns(320));
  EXPECT_EQ(gap(*flow, Time::us(105)), Time::ns(320));
  EXPECT_EQ(gap(*flow, Time::us(106)), Time::ps(213'333));
}

// From 50 Gb/s, with 100 as target: five steps lead to 100 - 50 / 32 = 98.4375 Gb/s. After one
// notification more, the target is that and the rate, with alpha (255/256)^5, 98.4375 * (1 -
// 0.980621 / 2) = 50.1725 Gb/s: a gap of 159.45 ns. Then five steps again, and the sixth is
// additive: 98.4375 + 0.04 and, half way to it from 98.4375 - 48.265 / 32 = 96.9292, 97.7034 Gb/s.
TEST(Dcqcn, IncreasesAdditivelyAfterRecovery) {
  const Control control("dcqcn");
  const auto flow = control->new_flow(path_of(Time::us(10)));
  flow->notified(Time::zero());
  EXPECT_EQ(gap(*flow, Time::us(5 * 55)), Time::ps(81'269));
  flow->notified(Time::us(5 * 55));
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(275)).ps()), 80'000 / 0.501725, 2);
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(275 + 6 * 55)).ps()), 80'000 / 0.977034, 1);
}

// With a byte counter of one packet: of the link's rate, from 0.25 with 0.5 as target, five packets
// lead to 0.4921875, and the sixth, one beyond the five of recovery, adds 0.01 to the target: 0.51,
// and half way to it 0.50109375. Five turns of the timer are additive likewise. With the sixth both
// are one beyond: 0.1 is added.
TEST(Dcqcn, IncreasesFasterWhenBytesAndTimersSaySo) {
  const Control control("dcqcn",
                        {"dcqcn.byte_counter=1000B", "dcqcn.additive=1Gbps", "dcqcn.hyper=10Gbps"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  flow->notified(Time::zero());
  flow->notified(Time::us(1));
  for (int i = 0; i < 6; ++i) gap(*flow, Time::us(2 + i));
  double rate = 0.50109375;
  for (const double target : {0.52, 0.53, 0.54, 0.55, 0.56, 0.66}) rate = (rate + target) / 2;
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(1 + 6 * 55)).ps()), 80'000 / rate, 1);
}

// After a second without notifications a flow is at its full rate, and alpha is forgotten: the next
// one cuts nothing.
TEST(Dcqcn, ForgetsCongestion) {
  const Control control("dcqcn");
  const auto flow = control->new_flow(path_of(Time::us(10)));
  flow->notified(Time::zero());
  EXPECT_EQ(gap(*flow, Time::s(1)), Time::ns(80));
  flow->notified(Time::s(1));
  EXPECT_EQ(gap(*flow, Time::s(1)), Time::ns(80));
}

// No rate is below the least: with 20 Gb/s, a fifth, 400 ns at most.
TEST(Dcqcn, HasALeastRate) {
  const Control control("dcqcn", {"dcqcn.min_rate=20Gbps"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  for (int i = 0; i < 10; ++i) flow->notified(Time::us(i));
  EXPECT_EQ(gap(*flow, Time::us(10)), Time::ns(400));
}

// Of the adapter the first notification starts the timers only. Alpha falls to 255/256 at 1 us, is
// fed for one that comes at 1.5 us, 255/256 * 255/256 + 1/256 at 2 us, falls twice more and is
// 0.988342 at 4 us, when the rate is cut to 0.505829 of the link's. 300 us later it is half way
// back.
TEST(Dcqcn, OfTheAdapterCutsByATimer) {
  const Control control("dcqcn", {"dcqcn.preset=cx4"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  flow->notified(Time::zero());
  flow->notified(Time::ns(1'500));
  EXPECT_EQ(gap(*flow, Time::ns(3'999)), Time::ns(80));
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(4)).ps()), 80'000 / 0.505829, 2);
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(303)).ps()), 80'000 / 0.505829, 2);
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(304)).ps()), 80'000 / 0.752914, 2);
}

// --- TIMELY.

// Below 50 us the rate rises by delta, here 10 Gb/s; in between it goes by the gradient. From 100
// to 110 us: 0.875 * 10 / 20 = 0.4375, the rate falls by 0.8 times that to 65 Gb/s. Back to 100 us:
// the mean difference is 8.75 / 8 - 8.75 < 0, it rises to 75. Beyond 500 us, at 1 ms, it falls by
// 0.8 * (1 - 0.5) to 45.
TEST(Timely, GoesByTheGradient) {
  const Control control("timely", {"timely.additive=10Gbps"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  std::int64_t packet = 0;
  const auto after = [&](Time rtt) {
    flow->acknowledged(ack(Time::ms(packet + 1), rtt, packet, packet + 1));
    ++packet;
    return gap(*flow, Time::ms(packet)).ps();
  };
  EXPECT_EQ(after(Time::us(100)), 80'000);
  EXPECT_EQ(after(Time::us(110)), 123'076);
  EXPECT_EQ(after(Time::us(100)), 106'666);
  EXPECT_EQ(after(Time::ms(1)), 177'777);
  EXPECT_EQ(after(Time::us(40)), 145'454);
}

// One sample in a round trip: the acknowledgement of a packet sent before the last change says
// nothing.
TEST(Timely, TakesOneSampleInARoundTrip) {
  const Control control("timely");
  const auto flow = control->new_flow(path_of(Time::us(10)));
  flow->acknowledged(ack(Time::us(100), Time::us(100), 0, 20));
  flow->acknowledged(ack(Time::us(101), Time::ms(2), 1, 21));
  EXPECT_EQ(gap(*flow, Time::us(102)), Time::ns(80));
  flow->acknowledged(ack(Time::us(103), Time::ms(2), 20, 40));
  EXPECT_GT(gap(*flow, Time::us(104)), Time::ns(80));
}

// Five times delta after five falling round trips in a row: 10 Gb/s and four times 1 make 14, the
// fifth makes 19 Gb/s.
TEST(Timely, RisesFasterAfterManyRises) {
  const Control control("timely", {"timely.additive=1Gbps", "timely.decrease=1"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  flow->acknowledged(ack(Time::ms(1), Time::us(400), 0, 1));
  flow->acknowledged(ack(Time::ms(2), Time::us(5'000), 1, 2));
  EXPECT_EQ(gap(*flow, Time::ms(2)), Time::ns(800));
  for (int i = 0; i < 4; ++i) flow->acknowledged(ack(Time::ms(3 + i), Time::us(100), 2 + i, 3 + i));
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::ms(7)).ps()), 80'000 / 0.14, 1);
  flow->acknowledged(ack(Time::ms(8), Time::us(100), 6, 7));
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::ms(8)).ps()), 80'000 / 0.19, 1);
}

// --- Swift.

// A way of 8 us holds 100 packets, the first window, and nothing is added to its target: 8 us and 1
// for each of two links. Below it the window grows by 1/100; at 12 us it shrinks by 0.8 * 2/12,
// once in a round trip. A loss halves it.
TEST(Swift, KeepsADelay) {
  const Control control("swift", {"swift.per_hop=1us"});
  const auto flow = control->new_flow(path_of(Time::us(8)));
  EXPECT_EQ(flow->window(), Bytes(100'000));
  flow->acknowledged(ack(Time::us(20), Time::us(9), 0, 1));
  EXPECT_EQ(flow->window(), Bytes(100'010));
  flow->acknowledged(ack(Time::us(40), Time::us(12), 1, 2));
  EXPECT_EQ(flow->window(), Bytes(86'675));
  flow->acknowledged(ack(Time::us(51), Time::us(12), 2, 3));
  EXPECT_EQ(flow->window(), Bytes(86'675));
  flow->lost({Time::us(52), Bytes(1000), false, false, Bytes(0)});
  EXPECT_EQ(flow->window(), Bytes(43'337));
}

// Small windows have a longer target, as many flows are there: at one packet 40 us / (sqrt(10) -
// 0.1) * (1 - 0.1) = 11.756 us more, together 21.756. A round trip of 21.7 us is short enough, one
// of 21.8 is not. The windows here begin with one packet, as the way holds no more.
TEST(Swift, ExpectsMoreDelayWhereWindowsAreSmall) {
  const Control control("swift", {"swift.per_hop=1us", "swift.flow_range=40us"});
  FlowPath path = path_of(Time::us(8));
  path.rate = Bandwidth::gbps(1);
  const auto shorter = control->new_flow(path);
  EXPECT_EQ(shorter->window(), Bytes(1000));
  shorter->acknowledged(ack(Time::us(50), Time::ns(21'700), 0, 1));
  EXPECT_EQ(shorter->window(), Bytes(2000));
  const auto longer = control->new_flow(path);
  longer->acknowledged(ack(Time::us(50), Time::ns(21'800), 0, 1));
  EXPECT_EQ(longer->window(), Bytes(1000));
  EXPECT_GT(gap(*longer, Time::us(50)), Time::ns(21'800));
}

// Less than a packet is a packet now and then: after five time-outs a thousandth, one in a thousand
// round trips.
TEST(Swift, SendsNowAndThenAfterManyTimeOuts) {
  const Control control("swift");
  const auto flow = control->new_flow(path_of(Time::us(8)));
  for (int i = 0; i < 5; ++i) flow->timed_out(Time::ms(1 + i));
  EXPECT_EQ(flow->window(), Bytes(1000));
  EXPECT_NEAR(gap(*flow, Time::ms(6)).seconds(), 0.008, 1e-9);
}

// --- HPCC.

AckNews path_ack(std::int64_t packet, std::int64_t next, const HopNews& hop) {
  AckNews news = ack(hop.at + Time::us(5), Time::us(10), packet, next);
  news.path = {&hop, 1};
  return news;
}

// A way of 10 us holds 125 kB. The first acknowledgement is remembered only. In the next 10 us the
// link carries all it can: its load is 1, the window 0.95 of what it was, and 1 kB. Then the link
// is half idle for 5 us, half a round trip: the load is 0.75, and the window grows by 1 kB. Until
// the round trip is over, that is from the same window; after it, from the last. A queue of 125 kB
// that stays is a load of 1 besides.
TEST(Hpcc, AimsAtALoad) {
  const Control control("hpcc", {"hpcc.additive=1000B"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  EXPECT_EQ(flow->window(), Bytes(125'000));
  EXPECT_EQ(gap(*flow, Time::zero()), Time::ns(80));
  const Bandwidth rate = Bandwidth::gbps(100);
  flow->acknowledged(path_ack(0, 100, {Time::us(5), Bytes(0), Bytes(1'000), rate}));
  EXPECT_EQ(flow->window(), Bytes(125'000));
  flow->acknowledged(path_ack(1, 120, {Time::us(15), Bytes(0), Bytes(126'000), rate}));
  EXPECT_EQ(flow->window(), Bytes(119'750));
  flow->acknowledged(path_ack(100, 120, {Time::us(20), Bytes(0), Bytes(157'250), rate}));
  EXPECT_EQ(flow->window(), Bytes(120'750));
  flow->acknowledged(path_ack(120, 220, {Time::us(25), Bytes(125'000), Bytes(204'125), rate}));
  EXPECT_EQ(flow->window(), Bytes(120'750));
  flow->acknowledged(path_ack(220, 320, {Time::us(35), Bytes(125'000), Bytes(329'125), rate}));
  EXPECT_EQ(flow->window(), Bytes(static_cast<std::int64_t>(120'750 * 0.95 / 2 + 1'000)));
  EXPECT_NEAR(static_cast<double>(gap(*flow, Time::us(40)).ps()),
              80'000.0 * 125'000 / (120'750 * 0.95 / 2 + 1'000), 1);
}

// --- NSCC.

// 100 Gb/s and 12 us: the way holds 150 kB, windows up to 225 kB. A packet has 4150 B and carries
// 4086 B.
FlowPath ultra_path() {
  return path_of(Time::us(12), Bytes(4'150), Bytes(4'086));
}
AckNews ultra_ack(Time now, Time delay, bool marked) {
  AckNews news = ack(now, Time::us(12) + delay, 0, 1);
  news.bytes = Bytes(4'150);
  news.marked = marked;
  return news;
}

// Here the mean is the last delay. At 24 us with a mark, twice the target, the window shrinks by
// 0.8 * 12/24 to 135 kB, and as a round trip is over grows by 0.15 * 4086. A second one so soon
// does nothing. Marked below the target: nothing but the 613 B of a round trip.
TEST(Nscc, ShrinksByMarksBeyondTheTarget) {
  const Control control("nscc", {"nscc.average=1"});
  const auto flow = control->new_flow(ultra_path());
  EXPECT_EQ(flow->window(), Bytes(225'000));
  flow->acknowledged(ultra_ack(Time::us(36), Time::us(24), true));
  EXPECT_EQ(flow->window(), Bytes(135'612));
  flow->acknowledged(ultra_ack(Time::us(37), Time::us(24), true));
  EXPECT_EQ(flow->window(), Bytes(135'612));
  flow->acknowledged(ultra_ack(Time::us(60), Time::us(6), true));
  EXPECT_EQ(flow->window(), Bytes(136'225));
}

// Without a mark, at half the target: 4 * 4086 / 12 us * 4150 B * 6 us = 33.9e6 B^2, over the
// window of 136,225 B: 248 B, and 612.9 for the round trip. Beyond the target, 5 * 4086 * 4150
// = 84.8e6 B^2: 618 B and 612.9.
TEST(Nscc, GrowsWithoutMarks) {
  const Control control("nscc", {"nscc.average=1"});
  const auto flow = control->new_flow(ultra_path());
  flow->acknowledged(ultra_ack(Time::us(36), Time::us(24), true));
  double window = 135'612.9;
  flow->acknowledged(ultra_ack(Time::us(60), Time::us(6), false));
  window += 4.0 * 4'086 / 12 * 4'150 * 6 / window + 612.9;
  EXPECT_EQ(flow->window(), Bytes(static_cast<std::int64_t>(window)));
  flow->acknowledged(ultra_ack(Time::us(84), Time::us(13), false));
  window += 5.0 * 4'086 * 4'150 / window + 612.9;
  EXPECT_EQ(flow->window(), Bytes(static_cast<std::int64_t>(window)));
}

// A loss takes away what was lost. After a whole period of 24 us in which less than an eighth of
// the largest window arrived, the window is what did, 2 * 4150 B; then what was under way, 8300 B,
// may be lost or marked and nothing changes.
TEST(Nscc, AdaptsQuicklyToLosses) {
  const Control control("nscc");
  const auto flow = control->new_flow(ultra_path());
  flow->acknowledged(ultra_ack(Time::us(20), Time::zero(), false));
  flow->lost({Time::us(21), Bytes(4'150), true, false, Bytes(8'300)});
  EXPECT_EQ(flow->window(), Bytes(220'850));
  flow->acknowledged(ultra_ack(Time::us(30), Time::zero(), true));
  AckNews last = ultra_ack(Time::us(44), Time::zero(), false);
  last.unacknowledged = Bytes(8'300);
  flow->acknowledged(last);
  EXPECT_EQ(flow->window(), Bytes(8'300));
  flow->lost({Time::us(45), Bytes(4'150), true, false, Bytes(4'150)});
  flow->lost({Time::us(45), Bytes(4'150), true, false, Bytes(0)});
  EXPECT_EQ(flow->window(), Bytes(8'300));
  flow->lost({Time::us(46), Bytes(4'150), true, false, Bytes(0)});
  EXPECT_EQ(flow->window(), Bytes(4'150));
}

// Where nothing has queued for a whole window, it grows by a quarter of what arrives: from 4150 B,
// its least, after 8300 B.
TEST(Nscc, GrowsFastWhereNothingQueues) {
  const Control control("nscc", {"nscc.steady=0"});
  const auto flow = control->new_flow(ultra_path());
  for (int i = 0; i < 60; ++i) flow->lost({Time::us(1), Bytes(4'150), true, false, Bytes(0)});
  ASSERT_EQ(flow->window(), Bytes(4'150));
  flow->acknowledged(ultra_ack(Time::ns(2'000), Time::zero(), false));
  EXPECT_EQ(flow->window(), Bytes(4'150));
  flow->acknowledged(ultra_ack(Time::ns(2'332), Time::zero(), false));
  EXPECT_EQ(flow->window(), Bytes(5'187));
  flow->acknowledged(ultra_ack(Time::ns(2'664), Time::zero(), false));
  EXPECT_EQ(flow->window(), Bytes(6'225));
}

// --- RCCC.

constexpr ReceivingEnd kReceiver{Bandwidth::gbps(100), Bytes(1'000), Time::us(10)};

// 187.5 kB are free, one and a half of what the way holds. For what is beyond, grants of 4 packets
// follow each other at 0.99 of the link's rate, after 323.2 ns, by turns.
TEST(Rccc, GrantsAtThePaceOfTheLink) {
  const Control control("rccc");
  EXPECT_TRUE(control->grants());
  const auto receiver = control->new_notification_point(kReceiver);
  receiver->wanted(NodeId{1}, Bytes(187'500), Time::zero());
  EXPECT_EQ(receiver->next_grant(), Time::never());
  receiver->wanted(NodeId{1}, Bytes(193'500), Time::us(1));
  receiver->wanted(NodeId{2}, Bytes(188'000), Time::us(1));
  const auto next = [&](Time when, std::uint32_t source, std::int64_t bytes) {
    ASSERT_EQ(receiver->next_grant(), when);
    const Grant grant = receiver->grant(when);
    EXPECT_EQ(grant.source, NodeId{source});
    EXPECT_EQ(grant.bytes, Bytes(bytes));
  };
  next(Time::us(1), 1, 4'000);
  next(Time::us(1) + Time::ps(323'232), 2, 500);
  next(Time::us(1) + Time::ps(323'232 + 40'404), 1, 2'000);
  EXPECT_EQ(receiver->next_grant(), Time::never());
}

TEST(Rccc, SendsWhatIsGranted) {
  const Control control("rccc", {"rccc.free=0.012"});
  const auto flow = control->new_flow(path_of(Time::us(10)));
  EXPECT_EQ(flow->credit(), Bytes(1'500));
  EXPECT_EQ(flow->window(), kNoLimit);
  gap(*flow, Time::zero());
  gap(*flow, Time::ns(80));
  EXPECT_EQ(flow->credit(), Bytes(-500));
  flow->granted(Time::us(1), Bytes(4'000));
  EXPECT_EQ(flow->credit(), Bytes(3'500));
}

// With windows besides, losses at the last link, which the receiver's grants see to, do not shrink
// them.
TEST(Rccc, MayHaveWindowsBesides) {
  const Control control("rccc", {"rccc.windows=nscc"});
  EXPECT_TRUE(control->acknowledges());
  EXPECT_NE(control->new_point({200, true, Bandwidth::gbps(100), Bytes(64), 7, Time::us(12)}),
            nullptr);
  const auto flow = control->new_flow(ultra_path());
  EXPECT_EQ(flow->window(), Bytes(225'000));
  flow->lost({Time::us(1), Bytes(4'150), true, true, Bytes(0)});
  EXPECT_EQ(flow->window(), Bytes(225'000));
  flow->lost({Time::us(1), Bytes(4'150), true, false, Bytes(0)});
  EXPECT_EQ(flow->window(), Bytes(220'850));
}

// --- What is refused.

TEST(CongestionControls, RefuseWhatContradictsItself) {
  EXPECT_THROW(Control("dcqcn", {"dcqcn.mark_low=9kB", "dcqcn.mark_high=8kB"}), ParamError);
  EXPECT_THROW(Control("timely", {"timely.low=50us", "timely.high=40us"}), ParamError);
  EXPECT_THROW(Control("swift", {"swift.flow_min=5", "swift.flow_max=5"}), ParamError);
  EXPECT_THROW(Control("nscc", {"nscc.mark_low=0.5", "nscc.mark_high=0.4"}), ParamError);
}

}  // namespace
}  // namespace heddle::network
