#include "platform/failures/outages.hpp"

#include <gmock/gmock.h>

#include "platform/failures/changing_routes.hpp"
#include "platform/machine_support.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Time us(std::int64_t n) {
  return Time::us(n);
}

TEST(Spans, AreReadWithAndWithoutEndAndPeriod) {
  const auto once = parse_span("1us-2us");
  ASSERT_TRUE(once);
  EXPECT_EQ(once->from, us(1));
  EXPECT_EQ(once->to, us(2));
  EXPECT_EQ(parse_span("1us-")->to, Time::never());
  EXPECT_EQ(parse_span("1us-2us/10us")->period, us(10));
}

// Without a dash, without times, ending before it begins, or beginning again before it has ended.
TEST(Spans, OthersAreNone) {
  for (const char* text : {"", "1us", "-", "-2us", "1us-1us", "2us-1us", "1us-x", "1us-3us/2us",
                           "1us-/5us", "1us-2us/", "1us-2us/x"}) {
    EXPECT_FALSE(parse_span(text)) << text;
  }
}

TEST(Spans, ComeAgain) {
  const Span span{us(3), us(5), us(10)};
  EXPECT_FALSE(span.covers(us(2)));
  EXPECT_TRUE(span.covers(us(3)));
  EXPECT_FALSE(span.covers(us(5)));
  EXPECT_TRUE(span.covers(us(34)));
  EXPECT_EQ(span.next_after(Time::zero()), us(3));
  EXPECT_EQ(span.next_after(us(3)), us(5));
  EXPECT_EQ(span.next_after(us(5)), us(13));
}

// Down from 10 to 20 us and slow, at a quarter, from 15 to 40 us.
CableHistory down_and_slow() {
  CableHistory history;
  history.add({us(10), us(20)}, 0);
  history.add({us(15), us(40)}, CableHistory::kWhole / 4);
  return history;
}

TEST(CableHistories, TheLeastShareCounts) {
  const CableHistory history = down_and_slow();
  EXPECT_EQ(history.share(us(9)), CableHistory::kWhole);
  EXPECT_EQ(history.share(us(17)), 0);
  EXPECT_EQ(history.share(us(30)), CableHistory::kWhole / 4);
  EXPECT_EQ(history.up_from(us(12)), us(20));
  EXPECT_EQ(history.first_down(us(0), us(10)), Time::never());
  EXPECT_EQ(history.first_down(us(0), us(11)), us(10));
}

// 20 us of work from 5 us on: 5 us until 10, nothing until 20, 5 us in the 20 us until 40, and the
// rest of 10 us after that: 50 us.
TEST(CableHistories, WorkRestsWhileDownAndTakesLongerWhileSlow) {
  EXPECT_EQ(down_and_slow().finish(us(5), us(20)), us(50));
}

TEST(CableHistories, NothingEndsOnACableThatStaysDown) {
  CableHistory history = down_and_slow();
  history.add({us(45)}, 0);
  EXPECT_EQ(history.finish(us(5), us(20)), Time::never());
  EXPECT_EQ(history.down_for_good(us(5)), us(45));
}

// --- In the description of a machine.

const std::string kOutageTree =
    "topology: {kind: fat-tree, arity: 4, levels: 2}\n"
    "link: {bandwidth: 100Gbps, latency: 100ns}\n";

TEST(TimedFailures, NameCablesSwitchesAndNodes) {
  const auto platform = platform_of(
      kOutageTree, {"failures.cables=L1.0->L2.0@1us-2us", "failures.switches=L2.1@3us-",
                    "failures.adapters=n3@5us-6us/1ms", "failures.degraded=L1.1->L2.2@1us-9us"});
  EXPECT_FALSE(platform->topology().describe().find("down") != std::string::npos);
  EXPECT_EQ(platform->outages().down_at(Time::ns(1500)).size(), 1U);
  EXPECT_THAT(platform->outages().down_at(us(2)), IsEmpty());
  // The switch L2.1 has a cable to each leaf.
  EXPECT_GE(platform->outages().down_at(us(4)).size(), 2U);
  EXPECT_EQ(platform->outages().down_at(Time::us(1'005) + Time::ns(500)).size(),
            platform->outages().down_at(us(4)).size() + 1);
}

// Two shares of one list draw different cables, the first those that it would draw alone.
TEST(TimedFailures, SharesDrawDifferentCables) {
  const auto alone = platform_of(kOutageTree, {"failures.cables=25%@1us-2us"});
  const auto both = platform_of(kOutageTree, {"failures.cables=25%@1us-2us, 25%@3us-4us"});
  const auto first = both->outages().down_at(us(1));
  EXPECT_EQ(first, alone->outages().down_at(us(1)));
  for (const std::uint32_t cable : both->outages().down_at(us(3))) {
    EXPECT_THAT(first, testing::Not(testing::Contains(cable)));
  }
}

TEST(TimedFailures, WhatIsNoTimeIsRefused) {
  EXPECT_THAT(complaint_about(kOutageTree, {"failures.cables=L1.0->*@1ms"}),
              HasSubstr("'@1ms' does not say from when until when: accepted are '@1ms-2ms'"));
  EXPECT_THAT(complaint_about(kOutageTree, {"failures.cables=nothing@1ms-2ms"}),
              HasSubstr("no cable is called 'nothing'"));
}

TEST(TimedFailures, RoutesOfTheirOwnAreRefused) {
  EXPECT_THAT(complaint_about(kOutageTree + "failures: {cables: L1.0->L2.0@1ms-2ms}\n",
                              {"topology.routing=up-down"}),
              HasSubstr("'up-down' has routes of its own"));
}

// Both spines down at once: nodes of different leaves do not reach each other meanwhile.
TEST(TimedFailures, UnreachablePairsAreSaidBeforeARun) {
  const auto platform = platform_of(kOutageTree, {"failures.switches=L2.*@1us-2us"});
  ASSERT_EQ(platform->warnings().size(), 1U);
  EXPECT_THAT(platform->warnings()[0],
              HasSubstr("pairs of nodes without a way from 1us on until 2us"));
}

/// When it is; nothing is loaded.
class At final : public LoadView {
 public:
  explicit At(Time now) : now_(now) {}
  std::int64_t load(LinkId) const override { return 0; }
  Time now() const override { return now_; }

 private:
  Time now_;
};

/// The switches between two nodes.
std::vector<std::string> route_at(const Platform& platform, Time now, std::uint32_t from,
                                  std::uint32_t to) {
  std::vector<std::string> names;
  Walk walk = platform.routes().walk({NodeId{from}}, {NodeId{to}}, 0);
  for (LinkId link; (link = platform.routes().next(walk, At(now))) != kNoLink;) {
    const VertexId at = platform.links().ends(link).to;
    if (platform.topology().is_switch(at)) names.push_back(platform.topology().name(at));
  }
  return names;
}

// By D-mod-K messages to n4 climb to L2.0. While the cable there is down, and its switch knows it,
// they take another one; without that, only new tables change it, detection and sweep after the
// failure, and so when it works again.
TEST(ChangingRoutes, FollowFailuresLate) {
  const std::string base =
      kOutageTree + "failures: {cables: L1.0->L2.0@100us-200us, detection: 5us, ";
  const auto spine = [&](const std::string& rules, std::int64_t at) {
    return route_at(*platform_of(base + rules + "}\n"), us(at), 0, 4)[1];
  };
  const std::string usual = spine("rerouting: none", 0);
  ASSERT_EQ(usual, "L2.0");
  EXPECT_EQ(spine("rerouting: none", 150), usual);
  EXPECT_EQ(spine("rerouting: local", 104), usual);
  EXPECT_NE(spine("rerouting: local", 105), usual);
  EXPECT_EQ(spine("rerouting: local", 205), usual);
  EXPECT_EQ(spine("rerouting: tables, sweep: 20us", 124), usual);
  EXPECT_NE(spine("rerouting: tables, sweep: 20us", 125), usual);
  EXPECT_NE(spine("rerouting: tables, sweep: 20us", 224), usual);
  EXPECT_EQ(spine("rerouting: tables, sweep: 20us", 225), usual);
  EXPECT_NE(spine("rerouting: both, sweep: 20us", 105), usual);
}

// On the way down there is one cable only: a switch alone cannot help, new tables can.
TEST(ChangingRoutes, OnlyTablesAvoidWhatIsFarAway) {
  const std::string base =
      kOutageTree + "failures: {cables: L1.1->L2.0@100us-200us, detection: 5us, ";
  const auto spine = [&](const std::string& rules, std::int64_t at) {
    return route_at(*platform_of(base + rules + "}\n"), us(at), 0, 4)[1];
  };
  EXPECT_EQ(spine("rerouting: local", 150), "L2.0");
  EXPECT_NE(spine("rerouting: both, sweep: 20us", 150), "L2.0");
}

}  // namespace
}  // namespace heddle::platform
