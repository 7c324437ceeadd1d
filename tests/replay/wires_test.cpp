// Wires by themselves: when a message that is sent has an entry of its arrival, and where.
#include <gmock/gmock.h>

#include "goal/parse.hpp"
#include "network/network.hpp"
#include "network/queue/queue_network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "replay/engine/wires/link_wire.hpp"
#include "replay/engine/wires/loggops_wire.hpp"
#include "replay/engine/wires/network_wire.hpp"

namespace heddle::replay {
namespace {

/// Rank 0 sends 1000 bytes to rank 1, which receives them.
goal::Schedule one_message() {
  return goal::parse(
      "num_ranks 2\n"
      "rank 0 {\nl1: send 1000b to 1 tag 4\n}\n"
      "rank 1 {\nl1: recv 1000b from 0 tag 4\n}\n");
}

Message message_of(Time since, std::uint64_t sequence) {
  return {sequence, Bytes(1000), since, OpId{0}, RankId{0}, Tag{4}, PairId{0}};
}

/// What a wire works with, without an engine.
struct Bed {
  explicit Bed(const EngineInput& input, WindowedPart of)
      : part(std::move(of)), events(part.make_queue()), wire_bed{input, events, deliveries, part} {}
  QueueEntry pop() {
    BucketQueue::Entry entry;
    EXPECT_TRUE(events.entries().pop(entry));
    return QueueEntry::unpack(entry);
  }
  WindowedPart part;
  EventQueue events;
  Deliveries deliveries;
  WireBed wire_bed;
};

TEST(LogGopsWire, AMessageArrivesWhenItWasSaidTo) {
  const goal::Schedule schedule = one_message();
  const ReplayOptions options;
  const EngineInput input{schedule, options, UnitPairs::of(schedule)};
  Bed bed(input, WindowedPart(2, Time::ps(1000)));
  LogGopsWire wire(bed.wire_bed);
  const MessageId number = wire.launch(message_of(Time::ps(4000), 9), RankId{1});
  const QueueEntry entry = bed.pop();
  EXPECT_EQ(entry.time.ps(), 4000);
  EXPECT_EQ(entry.sequence, 9U);
  EXPECT_EQ(entry.kind, EntryKind::message);
  EXPECT_EQ(entry.rank, RankId{1});
  EXPECT_EQ(entry.message(), number);
  EXPECT_EQ(bed.deliveries[number].tag, Tag{4});
}

// Rank 1 belongs to part 1: the message is in that part's box, and takes no record here.
TEST(LogGopsWire, AMessageForAnotherPartGoesIntoItsBox) {
  const goal::Schedule schedule = one_message();
  const ReplayOptions options;
  const Parts parts({RankId{0}, RankId{1}, RankId{2}});
  const EngineInput input{schedule, options, UnitPairs::of(schedule), &parts, 0};
  Bed bed(input, WindowedPart(parts, 0, Time::ps(1000), 0));
  LogGopsWire wire(bed.wire_bed);
  EXPECT_EQ(wire.launch(message_of(Time::ps(4000), 9), RankId{1}), kNoMessage);
  EXPECT_EQ(bed.events.entries().size(), 0U);
  Numbers numbers;
  EXPECT_EQ(bed.part.settle(numbers).ps(), 4000);
  ASSERT_EQ(bed.part.messages().to(1).size(), 1U);
  EXPECT_EQ(bed.part.messages().to(1)[0].receiver, RankId{1});
  EXPECT_EQ(bed.part.messages().to(1)[0].size, Bytes(1000));
}

/// Two nodes of a fat tree.
class WireOverNetwork : public testing::Test {
 protected:
  WireOverNetwork()
      : settings_(network::fabric_sections()),
        platform_(
            platform::build_platform(platform::read_machine("fat-tree-64", settings_), settings_)),
        network_(network::make_network("queue", simulation_, *platform_, settings_)),
        nodes_{NodeId{0}, NodeId{1}} {}

  /// When the network alone says that a transfer of the message, which enters at `since`, is there.
  Time arrival_of_transfer(Time since) {
    Simulation simulation;
    const auto network = network::make_network("queue", simulation, *platform_, settings_);
    struct Client : network::TransferClient {
      void transfer_reached(network::Instant /*instant*/, std::uint64_t /*cookie*/) override {
        at = simulation->now();
      }
      Simulation* simulation = nullptr;
      Time at = Time::never();
    } client;
    client.simulation = &simulation;
    simulation.run_until(since);
    network::Transfer transfer;
    transfer.source = {nodes_[0], platform::Port::memory};
    transfer.destination = {nodes_[1], platform::Port::memory};
    transfer.size = Bytes(1000);
    transfer.client = &client;
    network->start(transfer);
    simulation.run();
    return client.at;
  }

  Settings settings_;
  std::unique_ptr<platform::Platform> platform_;
  Simulation simulation_;
  std::unique_ptr<network::Network> network_;
  std::vector<NodeId> nodes_;
};

// It enters the network at 5 us, as an event of its sender, and arrives when the network says.
TEST_F(WireOverNetwork, ANetworkCarriesAMessageFromItsDeparture) {
  const goal::Schedule schedule = one_message();
  const ReplayOptions options;
  Carrier carrier{simulation_, *network_, nodes_};
  EngineInput input{schedule, options, UnitPairs::of(schedule)};
  input.carrier = &carrier;
  Bed bed(input, WindowedPart(2, Time::ps(1000)));
  NetworkWire wire(bed.wire_bed);
  const Time since = Time::us(5);
  const MessageId number = wire.launch(message_of(since, 9), RankId{1});
  EXPECT_TRUE(bed.deliveries[number].departing);
  BucketQueue::Entry packed;
  ASSERT_TRUE(wire.next(packed, [] {}));
  EXPECT_EQ(QueueEntry::unpack(packed).rank, RankId{0});
  EXPECT_EQ(packed.time, since.ps());
  bed.events.set_now(Time::ps(packed.time));
  wire.depart(number);
  EXPECT_FALSE(bed.deliveries[number].departing);
  ASSERT_TRUE(wire.next(packed, [] {}));
  EXPECT_EQ(QueueEntry::unpack(packed).rank, RankId{1});
  EXPECT_EQ(Time::ps(packed.time), arrival_of_transfer(since));
  EXPECT_FALSE(wire.next(packed, [] {}));
}

// The same by hops over the links, which are events of the queue: at the same time, after one hop
// for each link that follows the first and one for the last byte.
TEST_F(WireOverNetwork, HopsOverLinksTakeAsLongAsTheNetwork) {
  const goal::Schedule schedule = one_message();
  const ReplayOptions options;
  const Parts parts({RankId{0}, RankId{2}});
  const network::FabricCut cut(*platform_, std::vector<std::uint16_t>(platform_->nodes(), 0), 1);
  const SharedFabric fabric{*network::queue_links_of(*network_), cut, nodes_};
  EngineInput input{schedule, options, UnitPairs::of(schedule), &parts, 0};
  input.fabric = &fabric;
  Bed bed(input, WindowedPart(parts, 0, Time::ps(1000), Sequences::kBehind));
  LinkWire wire(bed.wire_bed);
  const Time since = Time::us(5);
  const MessageId number = wire.launch(message_of(since, 9 | Sequences::kBehind), RankId{1});
  EXPECT_EQ(bed.pop().rank, RankId{0});
  bed.events.set_now(since);
  wire.depart(number);
  QueueEntry entry = bed.pop();
  for (; entry.kind == EntryKind::hop; entry = bed.pop()) {
    bed.events.set_now(entry.time);
    wire.hop(entry.link_message());
  }
  EXPECT_EQ(entry.kind, EntryKind::message);
  EXPECT_EQ(entry.rank, RankId{1});
  EXPECT_EQ(entry.time, arrival_of_transfer(since));
  EXPECT_GE(wire.hops(), 2U);
  EXPECT_NE(wire.fingerprint(), 0U);
}

}  // namespace
}  // namespace heddle::replay
