#include "network/packet/packet_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "network/support.hpp"
#include "platform/simgrid_xml.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/torus.hpp"

namespace heddle::network {
namespace {

/// What the network says of a link, by the statistic's name.
std::int64_t statistic(const Bed& bed, LinkId link, std::string_view name) {
  for (const LinkStatistic& statistic : bed.network->link_statistics(link)) {
    if (statistic.name == name) return statistic.value;
  }
  throw std::invalid_argument(std::string(name));
}

/// The same, of all links together.
std::int64_t sum(const Bed& bed, const platform::Platform& platform, std::string_view name) {
  std::int64_t sum = 0;
  for (std::uint32_t link = 0; link < platform.links().ids(); ++link) {
    sum += statistic(bed, LinkId{link}, name);
  }
  return sum;
}

platform::Platform machine(std::unique_ptr<platform::Topology> topology,
                           const char* routing_name = "minimal") {
  const MachineParams params;
  auto routing = platform::make_routing(routing_name, *topology);
  return {"machine",   std::move(topology), std::move(routing),
          params.link, params.switches,     params.node,
          {}};
}

// 1,000 B and a header of 20 B are 15 flits of 64 B and one of 60 B, at 80 ps per byte 81.6 ns on
// each wire. The flits follow one another through the switch, so the length is paid once: head
// after 100 + 50 + 100 ns, tail 81.6 ns later.
TEST(Packet, FlitsFollowOneAnother) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform);
  bed.send(0, 0, 1, 1'000, kAllInstants);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0, Instant::injected), Time::ps(81'600));
  EXPECT_EQ(bed.recorder.at(0, Instant::head), Time::ns(250));
  EXPECT_EQ(bed.recorder.at(0, Instant::tail), Time::ps(331'600));
  EXPECT_EQ(sum(bed, platform, "packets"), 2);
}

// With store-and-forward the same packet is at the switch when its tail is, after 100 + 81.6 ns,
// and pays its length again: the head is there at 181.6 + 50 + 100 ns and the tail 81.6 ns later.
TEST(Packet, StoredPacketsPayTheirLengthOnEveryLink) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform, {"packet.forwarding=store-and-forward"});
  bed.send(0, 0, 1, 1'000, kAllInstants);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0, Instant::injected), Time::ps(81'600));
  EXPECT_EQ(bed.recorder.at(0, Instant::head), Time::ps(331'600));
  EXPECT_EQ(bed.recorder.at(0, Instant::tail), Time::ps(413'200));
}

// Packets of 2,176 B (174.08 ns) and 864 B (69.12 ns). The first has its tail at the switch at
// 274.08 ns and keeps the second wire from 324.08 to 498.16 ns; the second one is there at 343.2 ns
// and follows it: 498.16 + 69.12 + 100 ns.
TEST(Packet, StoredPacketsFollowOneAnother) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform, {"packet.forwarding=store-and-forward"});
  bed.send(0, 0, 1, 3'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ps(667'280));
}

// 3,000 B are cut into 2,156 B and 844 B, on the wire 2,176 B and 864 B, one behind the other:
// 250 ns + 3,040 * 80 ps = 493.2 ns.
TEST(Packet, MessagesAreCutIntoPacketsWithHeaders) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform);
  bed.send(0, 0, 1, 3'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ps(493'200));
}

// Two full packets of 174.08 ns meet at the receiver's link: they are not interleaved, so the first
// is there as if it were alone and the second one packet later.
TEST(Packet, PacketsAreNotInterleaved) {
  const platform::Platform platform = star(3);
  Bed bed("packet", platform);
  bed.send(0, 0, 2, 2'156);
  bed.send(1, 1, 2, 2'156);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ps(250'000 + 174'080));
  EXPECT_EQ(bed.recorder.at(1), Time::ps(250'000 + 2 * 174'080));
}

// Buffers that hold just one packet of 34 flits. The first packet has left the switch's input, flit
// by flit, 125 + 33 * 5.12 = 293.96 ns after the start; the source knows 100 ns later and starts
// the second at 393.96, which is before the arbiter at 518.96. The first has left the receiver's
// buffer with its tail at 424.08, which the switch knows at 524.08: the second passes then and has
// its tail 25 + 100 + 174.08 ns later.
TEST(Packet, PacketsWaitForCredits) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform, {"packet.buffer=34"});
  bed.send(0, 0, 1, 2 * 2'156);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ps(524'080 + 25'000 + 100'000 + 174'080));
  const LinkId up{0};
  const LinkId down{3};
  EXPECT_EQ(statistic(bed, up, "credit_stalls"), 1);
  EXPECT_EQ(statistic(bed, down, "credit_stalls"), 1);
  EXPECT_EQ(statistic(bed, down, "credit_stalled_ps"), 524'080 - 518'960);
}

// Nodes 0 and 1 send 20 packets each to node 2, which takes them in turns: those of node 0 wait in
// the switch's buffer of 200 flits, four of which are still to leave, one every 2 x 174 ns. The
// message behind them to node 3, which nobody else sends to, passes them if packets wait only for
// their output, and waits until all four have left (1.4 us) if they leave in the order they came.
TEST(Packet, PacketsOfAFifoWaitForThoseBeforeThem) {
  const auto times = [](const char* order) {
    const platform::Platform platform = star(4);
    Bed bed("packet", platform, {std::string("packet.input_queue=") + order});
    bed.send(0, 0, 2, 20 * 2'156);
    bed.send(1, 1, 2, 20 * 2'156);
    bed.send(3, 0, 3, 1'000);
    bed.simulation.run();
    return std::pair(bed.recorder.at(0), bed.recorder.at(3));
  };
  const auto [voq_others, voq] = times("voq");
  const auto [fifo_others, fifo] = times("fifo");
  EXPECT_GT(fifo - voq, Time::ns(1'300));
  EXPECT_LT(fifo - voq, Time::ns(1'400));
  EXPECT_EQ(fifo_others, voq_others);
}

/// How long a message of class 1 from node 1 takes while node 1 and three others fill node 5.
Time beside_an_incast(const std::vector<std::string>& settings) {
  const platform::Platform platform = star(7);
  Bed bed("packet", platform, settings);
  for (std::uint32_t source = 1; source <= 4; ++source) bed.send(source, source, 5, 50 * 2'156);
  bed.simulation.run_until(Time::us(5));
  Transfer transfer = bed.transfer(9, 1, 6, 1'000);
  transfer.traffic_class = 1;
  bed.network->start(transfer);
  bed.simulation.run();
  return bed.recorder.at(9) - Time::us(5);
}

// With one lane the message queues behind what its source still has to send to the full node: some
// 40 packets at a quarter of the bandwidth, about 27 us. On a lane of its own it waits for no more
// than the packets in the output buffer of its source, and needs its 332 ns.
TEST(Packet, ABlockedLaneDoesNotStopAnother) {
  EXPECT_GT(beside_an_incast({"packet.buffer=34"}), Time::us(20));
  EXPECT_LT(beside_an_incast({"packet.buffer=34", "packet.lanes=2", "packet.low_table=0:1,1:1"}),
            Time::us(1));
}

/// Sends `bytes` of a class from node 0 to node 1.
void send_class(Bed& bed, std::uint64_t cookie, std::uint8_t traffic_class, std::int64_t bytes) {
  Transfer transfer;
  transfer.source.node = NodeId{0};
  transfer.destination.node = NodeId{1};
  transfer.size = Bytes(bytes);
  transfer.traffic_class = traffic_class;
  transfer.client = &bed.recorder;
  transfer.cookie = cookie;
  bed.network->start(transfer);
}

/// How long the last of ten messages of 64 B in class 1 takes that start 5 us after 200 full
/// packets of class 0 between the same nodes.
Time last_of_ten_small(const std::vector<std::string>& settings) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform, settings);
  send_class(bed, 100, 0, 200 * 2'156);
  bed.simulation.run_until(Time::us(5));
  for (std::uint64_t i = 0; i < 10; ++i) send_class(bed, i, 1, 64);
  bed.simulation.run();
  return bed.recorder.at(9) - Time::us(5);
}

// The bulk ends at 200 * 174.08 ns = 34.8 us. On its lane the small ones come behind it: after 30
// us. On a lane of the same priority they take turns with its packets: ten of 174.08 ns, 1.7 us,
// and 0.26 us for the route and their own length. With high priority they wait for the packet on
// the wire at most: 174 + 250 ns, and ten times 84 B at 80 ps per byte, 67 ns.
TEST(Packet, AHighPriorityClassPassesBulk) {
  EXPECT_GT(last_of_ten_small({}), Time::us(29));
  const Time in_turn = last_of_ten_small({"packet.lanes=2"});
  EXPECT_GT(in_turn, Time::ns(1'700));
  EXPECT_LT(in_turn, Time::ns(2'200));
  const Time first =
      last_of_ten_small({"packet.lanes=2", "packet.high_table=1:1", "packet.low_table=0:1"});
  EXPECT_LT(first, Time::ps(174'080 + 250'000 + 10 * 84 * 80 + 1));
}

// A turn ends when more than its weight in flits has passed. With full packets of 34 flits a weight
// of 33 lets one pass and one of 101 three. Of two streams of 300 packets the second has 3 of 4
// packets: it ends with packet 400 of the cable, at 250 ns + 400 * 174.08 ns (or a packet earlier,
// as the first turn falls), and the first with packet 600.
TEST(Packet, WeightsShareTheBandwidth) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform, {"packet.lanes=2", "packet.low_table=0:33,1:101"});
  send_class(bed, 0, 0, 300 * 2'156);
  send_class(bed, 1, 1, 300 * 2'156);
  bed.simulation.run();
  const Time packet = Time::ps(174'080);
  EXPECT_NEAR((bed.recorder.at(1) - Time::ns(250)).seconds(), (packet * 400).seconds(),
              packet.seconds());
  EXPECT_EQ(bed.recorder.at(0), Time::ns(250) + packet * 600);
}

// With the map 0,1,0 classes 0 and 2 have lane 0 and class 1 lane 1, so there are two lanes; class
// 3 has none. A lane that no table names would never be served: using it is an error.
TEST(Packet, ClassesAreMappedToLanes) {
  const platform::Platform platform = star(2);
  Bed mapped("packet", platform, {"packet.class_lanes=0,1,0", "packet.low_table=0:1,1:1"});
  for (const std::uint8_t c : {0, 1, 2}) EXPECT_NO_THROW(send_class(mapped, c, c, 64));
  EXPECT_THROW(send_class(mapped, 3, 3, 64), InputError);
  EXPECT_THROW(Bed("packet", platform, {"packet.class_lanes=0,2", "packet.lanes=2"}), InputError);
  Bed unserved("packet", platform, {"packet.lanes=2", "packet.low_table=0:1"});
  EXPECT_NO_THROW(send_class(unserved, 0, 0, 64));
  EXPECT_THROW(send_class(unserved, 1, 1, 64), InputError);
  EXPECT_THROW(
      Bed("packet", platform, {"packet.lanes=2", "packet.lane_by=hop", "packet.low_table=0:1"}),
      InputError);
}

/// Every node sends 20 packets to every other.
void send_all_to_all(Bed& bed, std::uint32_t nodes) {
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      if (from != to) bed.send(from * nodes + to, from, to, 20 * 2'156);
    }
  }
  bed.simulation.run();
}

/// Five switches in a ring, every node sends to the second further: each packet takes two of the
/// five links, all in the same direction.
void send_around_a_ring(Bed& bed) {
  for (std::uint32_t n = 0; n < 5; ++n) bed.send(n, n, (n + 2) % 5, 20 * 2'156);
  bed.simulation.run();
}
platform::Platform ring() {
  return machine(std::make_unique<platform::Torus>(std::vector<std::int64_t>{5}, 1,
                                                   platform::Torus::Edges::wrapped));
}

// With room for one packet in each buffer and one lane, each of the five links' buffers holds a
// packet that waits for the next link's buffer: nothing moves any more, and the network says so.
// The longest route has four links, one from and one to a node and two of the ring: so many lanes
// do.
TEST(Packet, OneLaneDeadlocksInARing) {
  const platform::Platform platform = ring();
  Bed bed("packet", platform, {"packet.buffer=34", "packet.lane_by=class"});
  send_around_a_ring(bed);
  EXPECT_EQ(bed.recorder.count(), 0u);
  EXPECT_THAT(bed.network->stuck(),
              testing::AllOf(testing::HasSubstr("deadlock"),
                             testing::HasSubstr("packets of 5 messages wait"),
                             testing::HasSubstr("for credits of"),
                             testing::HasSubstr("packet.lane_by=hop with packet.lanes=4")));
}

// Where every hop has a lane of its own, a packet waits only for packets that are further on. That
// is what a ring gets if nothing is said of lanes.
TEST(Packet, ALanePerHopKeepsARingFromDeadlock) {
  const platform::Platform platform = ring();
  using Assignments = std::vector<std::string>;
  for (const Assignments& lanes :
       {Assignments{"packet.buffer=34", "packet.lanes=4", "packet.lane_by=hop"},
        Assignments{"packet.buffer=34"}}) {
    Bed bed("packet", platform, lanes);
    send_around_a_ring(bed);
    EXPECT_EQ(bed.recorder.count(), 5u);
    EXPECT_EQ(bed.network->stuck(), "");
  }
}

// Eight nodes of a 4 x 2 x 1 torus, all to all with room for one packet per buffer, on any minimal
// route and by way of random switches: all 56 messages arrive.
TEST(Packet, FreeRoutesDoNotDeadlockByThemselves) {
  for (const char* routing : {"minimal", "adaptive", "valiant"}) {
    const platform::Platform platform =
        machine(std::make_unique<platform::Torus>(std::vector<std::int64_t>{4, 2, 1}, 1,
                                                  platform::Torus::Edges::wrapped),
                routing);
    Bed bed("packet", platform, {"packet.buffer=34"});
    send_all_to_all(bed, 8);
    EXPECT_EQ(bed.recorder.count(), 56u) << routing;
  }
}

// Four nodes with half-duplex cables on one switch, all to all: the two directions of a cable share
// its time, but each has buffers of its own, so what waits to go up does not stop what comes down.
TEST(Packet, DirectionsOfAHalfDuplexCableDoNotDeadlock) {
  MachineParams params;
  params.link.duplex = platform::Duplex::half;
  params.node.limiter_bandwidth = Bandwidth::gbps(150);
  const platform::Platform platform = star(4, params);
  Bed bed("packet", platform, {"packet.buffer=34"});
  send_all_to_all(bed, 4);
  EXPECT_EQ(bed.recorder.count(), 12u);
}

/// Two messages of 100 packets from one leaf whose deterministic routes share a link upwards.
Time two_up(const char* routing) {
  const platform::Platform platform = machine(
      std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(4, 2)), routing);
  Bed bed("packet", platform);
  bed.send(0, 0, 4, 100 * 2'156);
  bed.send(1, 1, 8, 100 * 2'156);
  bed.simulation.run();
  return bed.simulation.now();
}

// To nodes 4 and 8 (both 0 modulo 4) D-mod-K takes the same link up: 200 packets of 174.08 ns.
// Routed by load, they use the four links up: each message takes the time of its own 100 packets.
TEST(Packet, AdaptiveRoutingSeesLoads) {
  EXPECT_GT(two_up("minimal"), Time::ps(174'080) * 200);
  EXPECT_LT(two_up("adaptive"), Time::ps(174'080) * 110);
}

// A message's own cap of 10 Gb/s, 800 ps per byte, brings a packet of 2,156 B together every
// 1,724.8 ns, so the last of ten leaves at 17,248 ns and takes its 174.08 ns on the wire and the
// 250 ns of the route. A message without a cap, behind it in the same queue, does not wait for it.
TEST(Packet, AMessageKeepsToItsOwnRate) {
  const platform::Platform platform = star(3);
  Bed bed("packet", platform);
  Transfer capped = bed.transfer(0, 0, 1, 10 * 2'156);
  capped.rate_cap = Bandwidth::gbps(10);
  bed.network->start(capped);
  bed.send(1, 0, 2, 2'156);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ps(17'248'000 + 174'080 + 250'000));
  EXPECT_EQ(bed.recorder.at(1), Time::ps(174'080 + 250'000));
}

// A cable of 25 Gb/s, 320 ps per byte, before or behind one of 100 Gb/s: 1,020 B take 326.4 ns on
// it, and the fast one adds nothing.
TEST(Packet, TheSlowestLinkSetsThePace) {
  platform::Platform platform = star(2);
  platform.set_cable(0, {Bandwidth::gbps(25), {}, Time::ns(100), platform::Duplex::full});
  for (const std::uint32_t source : {0U, 1U}) {
    Bed bed("packet", platform);
    bed.send(0, source, 1 - source, 1'000);
    bed.simulation.run();
    EXPECT_EQ(bed.recorder.at(0), Time::ps(250'000 + 326'400)) << "from node " << source;
  }
}

// On a half-duplex cable both directions share 100 Gb/s: 1 MB each way takes 160 us instead of 80.
TEST(Packet, HalfDuplexSharesOneCapacity) {
  const auto time = [](platform::Duplex duplex) {
    return exchange("packet", duplex, {"packet.header=0B"}).seconds();
  };
  EXPECT_NEAR(time(platform::Duplex::full), 80e-6, 1e-6);
  EXPECT_NEAR(time(platform::Duplex::half), 160e-6, 1e-6);
}

// A node's messages to itself wait for no credits: over a loopback of 100 Gb/s and 1 us, 1 MB takes
// 81 us, whatever the buffers hold.
TEST(Packet, ALoopbackHasNoBuffers) {
  MachineParams params;
  params.node.loopback_bandwidth = Bandwidth::gbps(100);
  params.node.loopback_latency = Time::us(1);
  const platform::Platform platform = star(2, params);
  Bed bed("packet", platform, {"packet.header=0B", "packet.buffer=34"});
  bed.send(0, 0, 0, 1'000'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::us(81));
}

// From memory to memory over buses of 250 ns and 200 Gb/s: two more links on the way, 250 + 250 +
// 250 ns, and the length paid once, on the cables.
TEST(Packet, TransfersBetweenMemoriesCrossTheBuses) {
  MachineParams params;
  params.node.pcie_bandwidth = Bandwidth::gbps(200);
  params.node.pcie_latency = Time::ns(250);
  const platform::Platform platform = star(2, params);
  Bed bed("packet", platform, {"packet.header=0B"});
  bed.send_between_memories(0, 0, 1, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ps(750'000 + 80'000));
  EXPECT_EQ(sum(bed, platform, "packets"), 4);
}

// A sink of 1 ns per byte behind a wire of 80 ps per byte: 1 MB takes the sink's 1 ms (and headers:
// 20 B of each 2,176), whether credits come back at once or every 256 ns.
TEST(Packet, ASlowSinkHoldsTheSenderBack) {
  const platform::Platform platform = star(2);
  for (const char* period : {"packet.credit_period=0ns", "packet.credit_period=256ns"}) {
    Bed bed("packet", platform, {"packet.sink=1ns/B", period});
    bed.send(0, 0, 1, 1'000'000);
    bed.simulation.run();
    EXPECT_NEAR(bed.recorder.at(0).seconds(), 1.0093e-3, 2e-6) << period;
    EXPECT_LT(bed.simulation.events_fired(), 10'000u) << period;
  }
}

// Packets larger than the buffers are an error before anything runs.
TEST(Packet, RefusesPacketsThatDoNotFit) {
  const platform::Platform platform = star(2);
  EXPECT_THROW(Bed("packet", platform, {"packet.buffer=33"}), InputError);
  EXPECT_THROW(Bed("packet", platform, {"packet.max_packet=20B"}), InputError);
}

// What is between peers of SimGrid's is no link's: a packet would be there at once.
TEST(Packet, RefusesMachinesWithDistances) {
  const auto peers = platform::read_simgrid_platform(HEDDLE_TEST_DATA "/simgrid/vivaldi.xml");
  EXPECT_THROW(Bed("packet", *peers, {}), InputError);
  EXPECT_NO_THROW(Bed("queue", *peers, {}));
}

/// What became of an incast and of those who share its links.
struct Victims {
  Time done;      ///< When the last message of a victim was there, from 500 us on.
  Time all_done;  ///< The incast's end.
  std::int64_t marked = 0;
};
Victims incast_with_victims(const char* control) {
  const platform::Platform platform =
      machine(std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(8, 2)));
  Bed bed("packet", platform, {control});
  std::uint64_t cookie = 100;
  for (std::uint32_t leaf = 1; leaf < 8; ++leaf) {
    for (int i = 0; i < 300; ++i) bed.send(cookie++, 8 * leaf + 1, 0, 16'384);
  }
  bed.simulation.run_until(Time::us(500));
  for (std::uint32_t leaf = 1; leaf < 7; ++leaf) {
    bed.send(leaf, 8 * leaf + 2, 8 * leaf + 8, 150 * 16'384);
  }
  bed.simulation.run();
  Victims victims;
  for (std::uint64_t leaf = 1; leaf < 7; ++leaf) {
    victims.done = std::max(victims.done, bed.recorder.at(leaf) - Time::us(500));
  }
  for (std::uint64_t c = 100; c < cookie; ++c) {
    victims.all_done = std::max(victims.all_done, bed.recorder.at(c));
  }
  victims.marked = sum(bed, platform, "marked");
  return victims;
}

// Seven nodes of seven leaves fill the link to node 0; from 500 us on, six of their neighbours send
// 2.4 MB (197 us at 100 Gb/s) to other leaves over the same links up. Without congestion control
// the buffers at the spine are full of packets for node 0, which leave at a seventh of the
// bandwidth, and the victims' packets take turns with them: seven times as long, about 1,390 us.
// With it, the incast's sources are throttled to about what node 0 takes, and the victims need less
// than 1.5 times their own time; the incast, 2,780 us at the best, ends less than 20 % later.
TEST(Packet, CongestionControlFreesTheVictimsOfAnIncast) {
  const Victims without = incast_with_victims("packet.congestion=none");
  const Victims with = incast_with_victims("packet.congestion=ib");
  EXPECT_EQ(without.marked, 0);
  EXPECT_GT(without.done, Time::us(1'300));
  EXPECT_GT(with.marked, 0);
  EXPECT_LT(with.done, Time::us(296));
  EXPECT_LT(with.all_done, Time::us(3'336));
}

}  // namespace
}  // namespace heddle::network
