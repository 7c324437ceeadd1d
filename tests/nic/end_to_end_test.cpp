// Messages that are lost or damaged: times on the machine that put_test.cpp describes.
//
// A put of 8 B is on the wire from 258.4 to 1259.2 ns, its acknowledgement from 1261.2 to 2264.4
// ns.
#include <gmock/gmock.h>

#include <numeric>

#include "error_of.hpp"
#include "support.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Faults down(Time from, Time to) {
  Faults faults;
  faults.outages.push_back({"*", from, to});
  return faults;
}

/// The put is lost; 10 us after its transmission began it is sent again, and arrives 2 + 1000.8 ns
/// later.
TEST(Reliability, LostRequestsAreSentAgain) {
  Bed bed({"nic.e2e_timeout=10us"}, kPair, down(Time::ns(500), Time::ns(600)));
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(10'258'400 + 1'002'800)));
  EXPECT_EQ(put.outcome, Outcome::delivered);
  EXPECT_THAT(put.sent, ElementsAre(Time::ps(458'400)));
  const AdapterStatistics statistics = bed.adapters->statistics(NodeId{0});
  EXPECT_EQ(statistics.requests, 1U);
  EXPECT_EQ(statistics.retransmissions, 1U);
  EXPECT_EQ(statistics.dropped, 1U);
  EXPECT_EQ(statistics.given_up, 0U);
  const auto puts = bed.records.of(Activity::put);
  ASSERT_EQ(puts.size(), 2U);
  EXPECT_TRUE(puts[0].failed);
  EXPECT_FALSE(puts[1].failed);
}

/// A message is lost if its cable was down at any moment of its travel, even the last or the first.
TEST(Reliability, OutagesHitWhatIsOnTheWay) {
  const auto dropped = [](Time from, Time to) {
    Bed bed({"nic.e2e_timeout=10us"}, kPair, down(from, to));
    bed.put(8);
    bed.simulation.run();
    return bed.adapters->statistics(NodeId{0}).dropped +
           bed.adapters->statistics(NodeId{1}).dropped;
  };
  EXPECT_EQ(dropped(Time::ps(0), Time::ps(258'400)), 0U);
  EXPECT_EQ(dropped(Time::ps(0), Time::ps(258'401)), 1U);
  EXPECT_EQ(dropped(Time::ps(1'259'200), Time::ps(1'259'201)), 1U);
  EXPECT_EQ(dropped(Time::ps(1'259'201), Time::ps(1'261'200)), 0U);
  EXPECT_EQ(dropped(Time::ps(1'259'201), Time::ps(1'261'201)), 1U);
}

/// The acknowledgement is lost. The target sends it again after 10 us, the initiator the put; the
/// target knows the put already and does not match it twice.
TEST(Reliability, RepeatedRequestsAreMatchedOnce) {
  Bed bed({"nic.e2e_timeout=10us"}, kPair, down(Time::ns(1'500), Time::ns(1'600)));
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_EQ(put.arrived.size(), 1U);
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(10'258'400 + 1'002'800 + 1'005'200)));
  EXPECT_EQ(put.released.size(), 1U);
  EXPECT_EQ(bed.adapters->statistics(NodeId{0}).retransmissions, 1U);
}

/// A timeout that is too short: requests and answers are sent again while their acknowledgements
/// are on the way, and nothing is matched or completed twice.
TEST(Reliability, ShortTimeoutsDoNoHarm) {
  for (const Operation operation : {Operation::put, Operation::get, Operation::fetch_atomic}) {
    Bed bed({"nic.e2e_timeout=2us", "nic.e2e_retries=100"});
    bed.notebook.target_events = 1;
    bed.notebook.verdict = [](std::uint32_t) { return Verdict{Bytes(100), true, {}}; };
    for (int i = 0; i < 20; ++i) bed.issue(bed.request(operation, 100));
    bed.simulation.run();
    for (std::uint32_t i = 1; i <= 20; ++i) {
      EXPECT_EQ(bed.page(i).arrived.size(), 1U);
      EXPECT_EQ(bed.page(i).completed.size(), 1U);
      EXPECT_EQ(bed.page(i).released.size(), 1U);
      EXPECT_EQ(bed.page(i).outcome, Outcome::delivered);
    }
    EXPECT_EQ(bed.notebook.seen_at_target.size(), 20U);
    EXPECT_GT(bed.adapters->statistics(NodeId{0}).retransmissions, 0U);
  }
}

/// Sent at 258.4, again 10 us and 2 ns later, again after the same, and given up 10 us after that.
TEST(Reliability, GivesUpAfterTheRetries) {
  Bed bed({"nic.e2e_timeout=10us", "nic.e2e_retries=2"}, kPair, down(Time::zero(), Time::never()));
  bed.notebook.completed_events = 1;
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.arrived, IsEmpty());
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(30'262'400)));
  EXPECT_EQ(put.outcome, Outcome::undeliverable);
  EXPECT_THAT(bed.notebook.seen, ElementsAre(Time::ps(30'262'400 + 509'600)));
  EXPECT_EQ(put.released.size(), 1U);
  EXPECT_EQ(bed.adapters->statistics(NodeId{0}).given_up, 1U);
  EXPECT_EQ(bed.adapters->stuck(), "");
}

/// Two puts are lost and given up, the second at 10460.4; two that were sent at 5 us wait at the
/// target until then, and are matched. Those behind one that is only late wait for it.
TEST(Reliability, OrderSurvivesLosses) {
  Bed given_up({"nic.e2e_timeout=10us", "nic.e2e_retries=0"}, kPair,
               down(Time::ns(500), Time::ns(501)));
  for (int i = 0; i < 2; ++i) given_up.put(8);
  given_up.simulation.run_until(Time::us(5));
  for (int i = 0; i < 2; ++i) given_up.put(8);
  given_up.simulation.run();
  EXPECT_THAT(given_up.notebook.arrivals, ElementsAre(3, 4));
  EXPECT_THAT(given_up.page(3).arrived, ElementsAre(Time::ps(10'460'400)));
  EXPECT_EQ(given_up.page(2).outcome, Outcome::undeliverable);
  EXPECT_EQ(given_up.page(4).outcome, Outcome::delivered);
  Bed late({"nic.e2e_timeout=10us"}, kPair, down(Time::ns(400), Time::ns(401)));
  for (int i = 0; i < 4; ++i) late.put(8);
  late.simulation.run();
  EXPECT_THAT(late.notebook.arrivals, ElementsAre(1, 2, 3, 4));
}

/// Every message has a good chance to be lost or damaged: all arrive once, in order, whatever the
/// number of engines; everything is forgotten at the end.
TEST(Reliability, RepairsAnything) {
  for (const char* engines : {"1", "4"}) {
    Bed bed({"nic.e2e_timeout=20us", "nic.e2e_retries=100",
             std::string("nic.transmit_engines=") + engines,
             std::string("nic.match_engines=") + engines, "nic.max_in_flight_nodes=40"},
            kPair, {0.2, 0.1, {}});
    constexpr std::uint32_t kPuts = 300;
    for (std::uint32_t i = 0; i < kPuts; ++i) bed.put(i % 10 * 60);
    bed.simulation.run();
    std::vector<std::uint32_t> all(kPuts);
    std::iota(all.begin(), all.end(), 1);
    EXPECT_EQ(bed.notebook.arrivals, all);
    for (std::uint32_t i = 1; i <= kPuts; ++i) {
      EXPECT_EQ(bed.page(i).completed.size(), 1U);
      EXPECT_EQ(bed.page(i).released.size(), 1U);
      EXPECT_EQ(bed.page(i).outcome, Outcome::delivered);
    }
    EXPECT_GT(bed.adapters->statistics(NodeId{0}).dropped, 0U);
    EXPECT_GT(bed.adapters->statistics(NodeId{1}).corrupted, 0U);
    EXPECT_EQ(bed.adapters->stuck(), "");
  }
}

/// A damaged message is reported and sent again at once: within a second most of a hundred gets are
/// through, though 30 % of all messages are damaged and the timeout is 10 s. (A damaged report
/// leads to nothing.)
TEST(Reliability, DamagedMessagesAreSentAgainAtOnce) {
  Bed bed({}, kPair, {0, 0.3, {}});
  bed.notebook.verdict = [](std::uint32_t) { return Verdict{Bytes(100), false, {}}; };
  for (int i = 0; i < 100; ++i) {
    Request request = bed.request(Operation::get, 0);
    request.unordered = true;
    bed.issue(request);
  }
  while (bed.adapters->stuck() != "" && bed.simulation.now() < Time::s(1)) {
    ASSERT_TRUE(bed.simulation.step());
  }
  std::size_t through = 0;
  for (std::uint32_t i = 1; i <= 100; ++i) through += bed.page(i).completed.size();
  EXPECT_GT(through, 75U);
  EXPECT_GT(bed.adapters->statistics(NodeId{0}).retransmissions, 10U);
}

/// Without E2E a lost request is gone. It blocks nobody, and who waits for its answer is named.
TEST(Unreliable, LosesMessages) {
  Bed bed({"nic.e2e=no"}, kPair, down(Time::ns(400), Time::ns(401)));
  for (int i = 0; i < 3; ++i) {
    Request request = bed.request(Operation::put, 8);
    request.wants_ack = false;
    bed.issue(request);
  }
  bed.simulation.run();
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(2, 3));
  EXPECT_EQ(bed.page(1).outcome, Outcome::undeliverable);
  EXPECT_EQ(bed.page(1).released.size(), 1U);
  EXPECT_EQ(bed.adapters->stuck(), "");
  Bed waiting({"nic.e2e=no"}, kPair, down(Time::ns(400), Time::ns(401)));
  waiting.put(8);
  waiting.simulation.run();
  EXPECT_EQ(waiting.adapters->stuck(),
            "1 request is unfinished: the put of process 1 of node 0 to process 2 of node 1 waits "
            "for an answer, but was lost");
}

/// One context: the second put is transmitted when the first is acknowledged, at 2264.4.
TEST(Contexts, HoldUpTransmission) {
  Bed bed({"nic.e2e_contexts=1"});
  bed.put(8);
  bed.put(8);
  bed.simulation.run();
  EXPECT_THAT(bed.page(2).arrived, ElementsAre(Time::ps(2'264'400 + 1'000'800)));
}

/// Requests that fill the contexts of both nodes do not keep the answers from being sent.
TEST(Contexts, OfRequestsAndAnswersAreSeparate) {
  Bed bed({"nic.e2e_contexts=1"});
  for (int i = 0; i < 10; ++i) {
    bed.put(8);
    Request back = bed.request(Operation::put, 8);
    std::swap(back.initiator, back.target);
    bed.issue(back);
  }
  bed.simulation.run();
  EXPECT_EQ(bed.notebook.arrivals.size(), 20U);
  EXPECT_EQ(bed.adapters->stuck(), "");
}

TEST(Outages, NameCablesThatExist) {
  Faults faults;
  faults.outages.push_back({"n7*", Time::zero(), Time::s(1)});
  EXPECT_THAT(error_of([&] { Bed({}, kPair, faults); }),
              HasSubstr("no link matches 'n7*' of a fault"));
}

}  // namespace
}  // namespace heddle::nic
