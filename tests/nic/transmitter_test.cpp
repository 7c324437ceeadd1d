#include "nic/transmitter.hpp"

#include <gmock/gmock.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> sizes_on_wire(const EngineBed& bed) {
  std::vector<std::int64_t> sizes;
  for (const network::Transfer& transfer : bed.network.on_wire()) {
    sizes.push_back(transfer.size.count());
  }
  return sizes;
}

/// One engine, which takes 2 ns before a put of a few bytes is on the wire and 200 ns from then on.
/// While it is at the put of 1 B, one of 2 B is queued, and then one of 3 B that was sent before
/// and is not acknowledged: that goes first.
TEST(Transmitter, SendsRepetitionsFirst) {
  EngineBed bed;
  Transmitter& transmitter = bed.adapter(0).transmitter();
  transmitter.transmit(bed.begin(Operation::put, 1), MessageKind::request);
  transmitter.transmit(bed.begin(Operation::put, 2), MessageKind::request);
  Exchange& again = bed.begin(Operation::put, 3);
  again.context(Half::request).state = Context::State::held;
  transmitter.transmit_again(again, MessageKind::request);
  bed.run_for(Time::ns(2));
  EXPECT_THAT(sizes_on_wire(bed), ElementsAre(1));
  bed.run_for(Time::ns(202));
  EXPECT_THAT(sizes_on_wire(bed), ElementsAre(1, 3));
  bed.run_for(Time::ns(202));
  EXPECT_THAT(sizes_on_wire(bed), ElementsAre(1, 3, 2));
  EXPECT_EQ(bed.adapter(0).statistics().requests, 2U);
  EXPECT_EQ(bed.adapter(0).statistics().retransmissions, 1U);
}

/// A repetition of what has been acknowledged meanwhile is not sent, and forgotten at once.
TEST(Transmitter, DropsRepetitionsOfWhatIsAcknowledged) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 1);
  bed.adapter(0).transmitter().transmit_again(exchange, MessageKind::request);
  bed.run_for(Time::us(1));
  EXPECT_THAT(sizes_on_wire(bed), ElementsAre());
  EXPECT_EQ(exchange.references, 1U);
}

/// A get holds the engine of the compute requests until it is delivered. A second one waits, but a
/// service request and a response, on virtual networks of their own, do not.
TEST(Transmitter, HasEnginesForEachVirtualNetwork) {
  EngineBed bed;
  Transmitter& transmitter = bed.adapter(0).transmitter();
  transmitter.transmit(bed.begin(Operation::get, 0), MessageKind::request);
  transmitter.transmit(bed.begin(Operation::get, 0), MessageKind::request);
  Exchange& service = bed.begin(Operation::get, 0);
  service.request.service = true;
  transmitter.transmit(service, MessageKind::request);
  Exchange& acknowledged = bed.begin(Operation::put, 0);
  transmitter.transmit(acknowledged, MessageKind::answer_ack);
  bed.run_for(Time::us(1));
  std::vector<int> networks;
  for (const network::Transfer& transfer : bed.network.on_wire()) {
    networks.push_back(transfer.traffic_class);
  }
  EXPECT_THAT(networks, ElementsAre(1, 0, 3));
}

/// Two requests may be under way to the other node: the third leaves when the first is at its end.
TEST(Transmitter, KeepsRequestsBehindTheGates) {
  EngineBed bed;
  bed.params.max_in_flight_nodes = 2;
  Transmitter& transmitter = bed.adapter(0).transmitter();
  Exchange& first = bed.begin(Operation::put, 1);
  transmitter.transmit(first, MessageKind::request);
  transmitter.transmit(bed.begin(Operation::put, 2), MessageKind::request);
  transmitter.transmit(bed.begin(Operation::put, 3), MessageKind::request);
  bed.run_for(Time::us(1));
  EXPECT_THAT(sizes_on_wire(bed), ElementsAre(1, 2));
  transmitter.leave_gates(first);
  bed.run_for(Time::us(1));
  EXPECT_THAT(sizes_on_wire(bed), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace heddle::nic
