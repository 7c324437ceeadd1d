#include "network/packet/packet_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/support.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/torus.hpp"

namespace heddle::network {
namespace {

const PacketNetwork& packet_network(const Bed& bed) {
  return dynamic_cast<const PacketNetwork&>(*bed.network);
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
  EXPECT_EQ(packet_network(bed).packet_hops(), 2);
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
  const std::vector<PortStats> ports = packet_network(bed).port_stats();
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].credit_stalls, 1);
  EXPECT_EQ(ports[1].credit_stalls, 1);
  EXPECT_EQ(ports[1].credit_stalled, Time::ps(524'080 - 518'960));
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

/// Four switches in a ring, every node sends to the one opposite: each packet takes two of the four
/// links, all in the same direction.
void send_around_a_ring(Bed& bed) {
  for (std::uint32_t n = 0; n < 4; ++n) bed.send(n, n, (n + 2) % 4, 20 * 2'156);
  bed.simulation.run();
}
platform::Platform ring() {
  return machine(std::make_unique<platform::Torus>(std::vector<std::int64_t>{4}, 1,
                                                   platform::Torus::Edges::wrapped));
}

// With room for one packet in each buffer and one lane, each of the four links' buffers holds a
// packet that waits for the next link's buffer: nothing moves any more, and the network says so.
TEST(Packet, OneLaneDeadlocksInARing) {
  const platform::Platform platform = ring();
  Bed bed("packet", platform, {"packet.buffer=34"});
  send_around_a_ring(bed);
  EXPECT_GE(packet_network(bed).packets_in_flight(), 4u);
  EXPECT_EQ(bed.recorder.count(), 0u);
  EXPECT_THAT(bed.network->stuck(),
              testing::AllOf(testing::HasSubstr("deadlock"), testing::HasSubstr("for credits of")));
}

// Where every hop has a lane of its own, a packet waits only for packets that are further on.
TEST(Packet, ALanePerHopKeepsARingFromDeadlock) {
  const platform::Platform platform = ring();
  Bed bed("packet", platform, {"packet.buffer=34", "packet.lanes=4", "packet.lane_by=hop"});
  send_around_a_ring(bed);
  EXPECT_EQ(packet_network(bed).packets_in_flight(), 0u);
  EXPECT_EQ(bed.recorder.count(), 4u);
  EXPECT_EQ(bed.network->stuck(), "");
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
  EXPECT_EQ(packet_network(bed).packet_hops(), 4);
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
  for (std::uint32_t leaf = 1; leaf < 7; ++leaf)
    bed.send(leaf, 8 * leaf + 2, 8 * leaf + 8, 150 * 16'384);
  bed.simulation.run();
  Victims victims;
  for (std::uint64_t leaf = 1; leaf < 7; ++leaf)
    victims.done = std::max(victims.done, bed.recorder.at(leaf) - Time::us(500));
  for (std::uint64_t c = 100; c < cookie; ++c)
    victims.all_done = std::max(victims.all_done, bed.recorder.at(c));
  for (const PortStats& port : packet_network(bed).port_stats()) victims.marked += port.marked;
  return victims;
}

// Seven nodes of seven leaves fill the link to node 0; from 500 us on, six of their neighbours send
// 2.4 MB (197 us at 100 Gb/s) to other leaves over the same links up. Without congestion control
// the buffers at the spine are full of packets for node 0, which leave at a seventh of the
// bandwidth, and the victims' packets take turns with them: seven times as long, about 1,390 us.
// With it, the incast's sources are throttled to about what node 0 takes, and the victims need less
// than 1.5 times their own time; the incast, 2,780 us at the best, ends less than 20 % later.
TEST(Packet, CongestionControlFreesTheVictimsOfAnIncast) {
  const Victims without = incast_with_victims("packet.congestion_control=no");
  const Victims with = incast_with_victims("packet.congestion_control=yes");
  EXPECT_EQ(without.marked, 0);
  EXPECT_GT(without.done, Time::us(1'300));
  EXPECT_GT(with.marked, 0);
  EXPECT_LT(with.done, Time::us(296));
  EXPECT_LT(with.all_done, Time::us(3'336));
}

}  // namespace
}  // namespace heddle::network
