// Where theory says that the models agree, they do.
#include <gtest/gtest.h>

#include "network/support.hpp"
#include "platform/topology/fat_tree.hpp"

namespace heddle::network {
namespace {

class EveryModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::Values("loggops", "queue", "fluid", "packet"),
                         [](const auto& model) { return model.param; });

// An idle message of s bytes takes the latency of its route plus s at the bandwidth of the
// narrowest link. Two links at 100 ns, one switch at 50 ns, 100 Gb/s = 80 ps per byte:
//   1 B: 250 ns + 80 ps; 1,000 B: 250 ns + 80 ns; 1 MB: 250 ns + 80 us.
// (Packets without headers, so that they carry the payload only.)
// In LogGOPS terms L is the latency of the first byte with its own 80 ps, and G = 80 ps covers the
// others.
TEST_P(EveryModel, AnIdleMessageCostsLatencyPlusSizeOverBandwidth) {
  const platform::Platform platform = star(4);
  for (const std::int64_t bytes : {1, 1'000, 1'000'000}) {
    Bed bed(GetParam(), platform, {"packet.header=0B"});
    bed.send(0, 0, 1, bytes, kAllInstants);
    bed.simulation.run();
    EXPECT_EQ(bed.recorder.at(0), Time::ns(250) + Time::ps(80) * bytes) << bytes << " bytes";
  }
}

// Between memories two buses come to it, of 1 us each and, with 10 Gb/s, the narrowest links: 2,250
// ns + 1,000 B at 800 ps.
TEST_P(EveryModel, AnIdleMessageCostsTheSameOverBuses) {
  MachineParams params;
  params.node.pcie_bandwidth = Bandwidth::gbps(10);
  params.node.pcie_latency = Time::us(1);
  const platform::Platform platform = star(4, params);
  Bed bed(GetParam(), platform, {"packet.header=0B"});
  bed.send_between_memories(0, 0, 1, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(2'250 + 800));
}

// Where the cables differ, the narrowest counts, be it the first or the last: 40 Gb/s are 200 ps
// per byte. So 1 MB takes 250 ns + 200 us both ways; packets of 2176 bytes without headers pass the
// narrow cable one behind the other, and the last one's flits on the wide cable come no faster.
TEST_P(EveryModel, TheNarrowestCableDecides) {
  platform::Platform platform = star(2);
  platform.set_cable(0, {Bandwidth::gbps(40), {}, Time::ns(100), platform::Duplex::full});
  for (const std::uint32_t from : {0U, 1U}) {
    Bed bed(GetParam(), platform, {"packet.header=0B"});
    bed.send(0, from, 1 - from, 1'000'000);
    bed.simulation.run();
    EXPECT_NEAR(static_cast<double>(bed.recorder.at(0).ps()), 200'250'000, 1) << "from " << from;
  }
}

// With store-and-forward every link costs its own time: on those two cables 1 MB takes 250 ns of
// latency, 200 us on one and 80 us on the other.
TEST(QueueModel, StoreAndForwardAddsUpTheLinks) {
  platform::Platform platform = star(2);
  platform.set_cable(0, {Bandwidth::gbps(40), {}, Time::ns(100), platform::Duplex::full});
  Bed bed("queue", platform, {"queue.forwarding=store-and-forward"});
  bed.send(0, 0, 1, 1'000'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(250) + Time::us(280));
}

// Half duplex, the way back over a cable has its switch's latency as well: 100 + 50 + 100 ns.
TEST_P(EveryModel, AnIdleMessageCostsTheSameOnHalfDuplexCables) {
  MachineParams params;
  params.link.duplex = platform::Duplex::half;
  const platform::Platform platform = star(4, params);
  Bed bed(GetParam(), platform, {"packet.header=0B"});
  bed.send(0, 0, 1, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(250 + 80));
}

// The same on long cables: two of 1 us and a switch of 50 ns. Buffers hold what is on the way there
// while the credits are on the way back, with flow-control packets as well: those, empty here, hold
// up data by a nanosecond where it would begin just then.
TEST_P(EveryModel, AnIdleMessageCostsTheSameOnLongCables) {
  MachineParams params;
  params.link.latency = Time::us(1);
  const platform::Platform platform = star(2, params);
  const Time expected = Time::ns(2'050) + Time::us(80);
  const auto took = [&](const char* period) {
    Bed bed(GetParam(), platform, {"packet.header=0B", "packet.credit_packet=0B", period});
    bed.simulation.run_until(Time::us(10));  // The first credits have come.
    bed.send(0, 0, 1, 1'000'000);
    bed.simulation.run();
    return bed.recorder.at(0) - Time::us(10);
  };
  EXPECT_EQ(took("packet.credit_period=0ns"), expected);
  EXPECT_LE(took("packet.credit_period=256ns"), expected + Time::ns(2));
}

// Three messages of 1 MB from different nodes to one pass its cable at 80 ps per byte, 240 us in
// all. Half way, at 120 us, half of the bytes are there: 1.5 MB, and no more than the latency of
// 250 ns (3125 B) more or less than that; where messages pass one after another and count when
// they are complete, up to one message less. In the end all 3 MB are.
TEST_P(EveryModel, WhatIsDeliveredIsKnownWhileMessagesAreUnderWay) {
  const platform::Platform platform = star(4);
  Bed bed(GetParam(), platform, {"packet.header=0B"});
  for (std::uint32_t i = 0; i < 3; ++i) bed.send(i, i + 1, 0, 1'000'000);
  bed.simulation.run_until(Time::us(120));
  const bool in_parts = GetParam() == "fluid" || GetParam() == "packet";
  EXPECT_LE(bed.network->delivered().count(), 1'503'125);
  EXPECT_GE(bed.network->delivered().count(), in_parts ? 1'490'000 : 1'000'000);
  bed.simulation.run();
  EXPECT_EQ(bed.network->delivered(), Bytes(3'000'000));
}

// The instants of a transfer come in order: injected and head no later than tail.
TEST_P(EveryModel, InjectedAndHeadComeNoLaterThanTail) {
  const platform::Platform platform = star(4);
  Bed bed(GetParam(), platform);
  for (std::uint64_t i = 0; i < 12; ++i) {
    bed.send(i, i % 3, 3, 500 * static_cast<std::int64_t>(i), kAllInstants);
  }
  bed.simulation.run();
  ASSERT_EQ(bed.recorder.count(), 36u);
  for (std::uint64_t i = 0; i < 12; ++i) {
    EXPECT_LE(bed.recorder.at(i, Instant::injected), bed.recorder.at(i)) << i;
    EXPECT_LE(bed.recorder.at(i, Instant::head), bed.recorder.at(i)) << i;
  }
}

class ContendedModel : public EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, ContendedModel, testing::Values("queue", "fluid"),
                         [](const auto& model) { return model.param; });

// D-mod-K sends messages to nodes 4 and 8 of a 4-ary tree (both 0 modulo 4) up the same link of
// their leaf: four links of 100 ns, three switches of 50 ns, and twice 80 us for 1 MB each. Routed
// by load the second takes another link up, and neither waits; both rules give the same in every
// run.
TEST_P(ContendedModel, AdaptiveRoutingTakesTheFreeLink) {
  const auto last_of_two = [](const char* routing_name) {
    auto topology = std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(4, 2));
    auto routing = platform::make_routing(routing_name, *topology);
    const MachineParams params;
    const platform::Platform platform("tree", std::move(topology), std::move(routing), params.link,
                                      params.switches, params.node, {});
    Bed bed(GetParam(), platform);
    bed.send(0, 0, 4, 1'000'000);
    bed.send(1, 1, 8, 1'000'000);
    bed.simulation.run();
    return bed.simulation.now();
  };
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(last_of_two("minimal"), Time::ns(550) + Time::us(160));
    EXPECT_EQ(last_of_two("adaptive"), Time::ns(550) + Time::us(80));
  }
}

// n equal messages into one node share its one down link, whoever sends them: the last ends when
// the link has passed n messages, n * 80 us after the first head got there. Serving them one by one
// (queue) or all at a rate of 1/n (fluid) makes no difference to the end.
TEST_P(ContendedModel, AnIncastOfNEndsAtNTimesOne) {
  const platform::Platform platform = star(9);
  for (const std::uint32_t n : {1U, 2U, 5U, 8U}) {
    Bed bed(GetParam(), platform);
    for (std::uint32_t i = 0; i < n; ++i) bed.send(i, i + 1, 0, 1'000'000);
    bed.simulation.run();
    EXPECT_EQ(bed.simulation.now(), Time::ns(250) + Time::us(80) * n) << n << " senders";
  }
}

// The reverse, one sender to n receivers, is limited by its one up link in the same way.
TEST_P(ContendedModel, AnOutcastOfNEndsAtNTimesOne) {
  const platform::Platform platform = star(9);
  Bed bed(GetParam(), platform);
  for (std::uint32_t i = 0; i < 8; ++i) bed.send(i, 0, i + 1, 1'000'000);
  bed.simulation.run();
  EXPECT_EQ(bed.simulation.now(), Time::ns(250) + Time::us(80) * 8);
}

// A permutation on a switch without conflicts runs as if each message were alone.
TEST_P(ContendedModel, APermutationOnASwitchDoesNotContend) {
  const platform::Platform platform = star(8);
  Bed bed(GetParam(), platform);
  for (std::uint32_t i = 0; i < 8; ++i) bed.send(i, i, (i + 3) % 8, 125'000);
  bed.simulation.run();
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(bed.recorder.at(i), Time::ns(250) + Time::us(10));
}

// On a full-duplex cable both directions have 100 Gb/s; on a half-duplex one they share it: 1 MB
// each way takes 80 us in the first case and 160 us in the second.
TEST_P(ContendedModel, HalfDuplexSharesOneCapacity) {
  EXPECT_NEAR(exchange(GetParam(), platform::Duplex::full).seconds(), 80e-6, 0.5e-6);
  EXPECT_NEAR(exchange(GetParam(), platform::Duplex::half).seconds(), 160e-6, 0.5e-6);
}

// A node whose limiter passes 1.5 times the cable's bandwidth: sending and receiving 1.5 MB at once
// moves 3 MB through 150 Gb/s, 160 us, where the cables alone would take 120 us.
TEST_P(ContendedModel, ALimiterIsSharedByBothDirections) {
  MachineParams params;
  params.node.limiter_bandwidth = Bandwidth::gbps(150);
  const platform::Platform platform = star(2, params);
  Bed bed(GetParam(), platform);
  bed.send(0, 0, 1, 1'500'000);
  bed.send(1, 1, 0, 1'500'000);
  bed.simulation.run();
  EXPECT_NEAR(bed.simulation.now().seconds(), 160e-6, 0.5e-6);
}

}  // namespace
}  // namespace heddle::network
