#include "nic/match_engine.hpp"

#include <gmock/gmock.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Request 1 of a pair is there first: it is matched behind request 0. A put of 8 B keeps the
/// engine for 200 + 8/15.75 + 250 + 0.8 ns.
TEST(MatchEngine, KeepsTheOrderOfRequests) {
  EngineBed bed;
  Exchange& first = bed.begin(Operation::put, 8);
  Exchange& second = bed.begin(Operation::put, 8);
  bed.arrive(second, 1);
  EXPECT_THAT(bed.notebook.arrivals, IsEmpty());
  bed.arrive(first, 0);
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1));
  bed.run_for(Time::ps(451'307));
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1));
  bed.run_for(Time::ps(1));
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1, 2));
}

/// Request 0 will not come: what has waited for it is matched.
TEST(MatchEngine, DoesNotWaitForWhatWillNotCome) {
  EngineBed bed;
  Exchange& first = bed.begin(Operation::put, 8);
  bed.arrive(bed.begin(Operation::put, 8), 1);
  bed.adapter(1).match_engine().expect_no_more(first);
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(2));
}

/// A second copy of a request is answered with another ACK, but the software hears of the first
/// only.
TEST(MatchEngine, AnswersRepetitionsWithoutMatchingThem) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 8);
  exchange.context(Half::answer).state = Context::State::held;
  bed.arrive(exchange, 0);
  bed.run_for(Time::us(1));
  ASSERT_EQ(bed.network.on_wire().size(), 1U);
  bed.network.on_wire()[0].report(network::Instant::tail);
  bed.run_for(Time::us(1));
  bed.arrive(exchange, 0);
  bed.run_for(Time::us(1));
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1));
  EXPECT_EQ(bed.adapter(1).statistics().retransmissions, 1U);
}

/// A request that arrives damaged is not matched: a NACK of 32 B goes back on the virtual network
/// of answers, and the sender counts it.
TEST(MatchEngine, SendsNacksForDamagedRequests) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 8);
  Message& message = bed.exchanges.make_message(exchange, MessageKind::request);
  message.corrupt = true;
  bed.adapter(1).match_engine().delivered(message);
  bed.run_for(Time::us(1));
  EXPECT_THAT(bed.notebook.arrivals, IsEmpty());
  ASSERT_EQ(bed.network.on_wire().size(), 1U);
  EXPECT_EQ(bed.network.on_wire()[0].destination.node, NodeId{0});
  EXPECT_EQ(bed.network.on_wire()[0].traffic_class, 3);
  EXPECT_EQ(bed.network.on_wire()[0].size, Bytes(32));
  EXPECT_EQ(bed.adapter(0).statistics().corrupted, 1U);
}

}  // namespace
}  // namespace heddle::nic
