#include "nic/exchanges.hpp"

#include <gmock/gmock.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A message has two users and is a reference to its exchange; the software hears that its number
/// is free when the last of them is gone.
TEST(Exchanges, AreForgottenWithTheLastReference) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 8);
  Message& message = bed.exchanges.make_message(exchange, MessageKind::request);
  bed.exchanges.release(exchange);
  bed.exchanges.release(message);
  EXPECT_THAT(bed.notebook.calls, IsEmpty());
  bed.exchanges.release(message);
  EXPECT_THAT(bed.notebook.calls, ElementsAre("released 1"));
}

/// A request goes from its initiator to its target, and its answer back, on the virtual network of
/// answers; an ACK of the answer goes forward on that, too.
TEST(Exchanges, KnowTheWayOfEachMessage) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 8);
  const auto way = [&](MessageKind kind) {
    const Message& message = bed.exchanges.make_message(exchange, kind);
    return std::tuple(message.from == &bed.adapter(0), message.to == &bed.adapter(1),
                      int{message.virtual_network});
  };
  EXPECT_EQ(way(MessageKind::request), std::tuple(true, true, 1));
  EXPECT_EQ(way(MessageKind::portals_ack), std::tuple(false, false, 3));
  EXPECT_EQ(way(MessageKind::answer_ack), std::tuple(true, true, 3));
  EXPECT_EQ(way(MessageKind::request_nack), std::tuple(false, false, 3));
}

/// Of two unfinished requests the oldest is named; a request is completed once.
TEST(Exchanges, SayWhatIsUnfinished) {
  EngineBed bed;
  EXPECT_EQ(bed.exchanges.stuck(), "");
  Exchange& first = bed.begin(Operation::put, 8);
  Exchange& second = bed.begin(Operation::get, 0);
  EXPECT_EQ(bed.exchanges.stuck(),
            "2 requests are unfinished: the put of process 1 of node 0 to process 2 of node 1 "
            "waits for its transmission");
  EXPECT_TRUE(bed.exchanges.complete(first));
  EXPECT_FALSE(bed.exchanges.complete(first));
  second.transmitted = true;
  EXPECT_EQ(bed.exchanges.stuck(),
            "1 request is unfinished: the get of process 1 of node 0 to process 2 of node 1 waits "
            "for its arrival at the target");
  EXPECT_TRUE(bed.exchanges.complete(second));
  EXPECT_EQ(bed.exchanges.stuck(), "");
}

}  // namespace
}  // namespace heddle::nic
