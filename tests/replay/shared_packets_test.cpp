// Replays over the packet model by several threads: every bit is that of one thread.
#include <gmock/gmock.h>

#include "goal/formats/formats.hpp"
#include "goal/schedule_builder.hpp"
#include "replay/engine/fabric_parts.hpp"
#include "replay/shared_fabric.hpp"

namespace heddle::replay {
namespace {

using testing::HasSubstr;

class SharedPacketReplay : public SharedFabricReplay {};

Fabric packets_over(const char* machine, std::vector<std::string> settings = {}) {
  return {machine, std::move(settings), "packet"};
}

/// With lanes by hop and by class, little and much room, buses and loopbacks.
const std::vector<Fabric>& divisible_packet_fabrics() {
  static const std::vector<Fabric> fabrics = {
      packets_over("fat-tree-64"),
      packets_over("torus-512"),
      packets_over("dragonfly-72"),
      packets_over("hyperx-256"),
      packets_over("fat-tree-64", {"packet.buffer=34", "packet.switch_output=40"}),
      packets_over("torus-512", {"packet.buffer=40", "link.latency=37ns"}),
      packets_over("dragonfly-72", {"packet.buffer=70", "switch.latency=0ns"}),
      packets_over("fat-tree-64", {"packet.lanes=3", "packet.high_table=2:4",
                                   "packet.low_table=0:1,1:3", "packet.buffer=50"}),
      packets_over("fat-tree-64", {"link.duplex=half", "packet.buffer=60"}),
      packets_over("fat-tree-64", {"packet.congestion=ib", "packet.buffer=60",
                                   "packet.mark_threshold=0.1", "packet.marking_rate=2"}),
      packets_over("fat-tree-64", {"packet.sink=0.5ns/B", "packet.buffer=40"}),
      packets_over("fat-tree-64", {"packet.speed_up=1.5"}),
      packets_over("fat-tree-64", {"packet.allocation=islip", "packet.buffer=40"}),
      packets_over("torus-512", {"packet.allocation=separable-input-first", "packet.buffer=36",
                                 "packet.allocation_rounds=2"}),
      packets_over("dragonfly-72",
                   {"packet.allocation=oldest-first", "packet.speed_up=2", "packet.buffer=70"}),
      packets_over("hyperx-256", {"packet.allocation=separable-output-first", "packet.buffer=40",
                                  "packet.forwarding=store-and-forward"}),
      packets_over("dragonfly-72",
                   {"packet.allocation=pim", "packet.buffer=80", "packet.buffer_sharing=port"}),
      packets_over("dragonfly-72", {"packet.buffer=80", "packet.forwarding=store-and-forward",
                                    "packet.buffer_sharing=port"}),
      packets_over("dragonfly-72", {"packet.crossbar=0.01ns/B", "node.pcie_bandwidth=50Gbps",
                                    "node.limiter_bandwidth=60Gbps", "node.pcie_duplex=half"}),
      packets_over("dragonfly-72", {"node.loopback_bandwidth=10Gbps", "node.loopback_latency=5ns"}),
  };
  return fabrics;
}

// In these nearly everything is simultaneous, or nearly nothing is, and credits run out where
// messages meet: who gets a link first, and when, decides everything behind it.
TEST_F(SharedPacketReplay, ThreadsGiveTheBitsOfOne) {
  constexpr const char* kPatterns[] = {"dissemination", "nearest-neighbour", "random-dag"};
  std::size_t turn = 0;
  for (const Fabric& fabric : divisible_packet_fabrics()) {
    const char* const pattern = kPatterns[turn++ % 3];
    const goal::Schedule schedule = pattern_over_fabric(pattern, 64);
    EXPECT_GT(expect_same(schedule, fabric), 2U)
        << turn << ": " << run(schedule, fabric, 8).why_fewer << run(schedule, fabric, 8).text;
  }
  expect_same(pattern_over_fabric("linear-alltoall", 33), packets_over("hyperx-256"));
}

// All to one: its queues reach back through the whole fabric, over every cut.
TEST_F(SharedPacketReplay, ACrowdedReceiverGivesTheBitsOfOneThread) {
  constexpr std::uint32_t kRanks = 40;
  goal::ScheduleBuilder builder(kRanks);
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    builder.begin_rank(r);
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (r != 20) builder.send(3000 + 700 * (r % 3) * k, 20, k);
      for (std::uint32_t from = 0; r == 20 && from < kRanks; ++from) {
        if (from != 20) builder.recv(3000 + 700 * (from % 3) * k, from, k);
      }
    }
    builder.end_rank();
  }
  const goal::Schedule schedule = builder.finish();
  for (const Fabric& fabric : divisible_packet_fabrics()) expect_same(schedule, fabric);
}

// Ends that cost nothing: a message enters the network, arrives and sets off the next in the same
// instant. Ranks of one node stay together, and their messages take no time at all.
TEST_F(SharedPacketReplay, ThreadsGiveTheBitsOfOneWhereTheEndsCostNothing) {
  overhead_ = Time::zero();
  for (const char* pattern : {"dissemination", "linear-alltoall", "binomial-bcast"}) {
    expect_same(pattern_over_fabric(pattern, 61, 8), packets_over("fat-tree-64"));
    expect_same(pattern_over_fabric(pattern, 70, 8), packets_over("torus-512"));
  }
  replay_.ranks_per_node = 3;
  EXPECT_EQ(
      expect_same(pattern_over_fabric("linear-alltoall", 60, 100), packets_over("fat-tree-64")),
      8U);
}

TEST_F(SharedPacketReplay, RandomSchedulesGiveTheBitsOfOneThread) {
  for (std::uint64_t seed = 0; seed < 26; ++seed) {
    overhead_ = Time::ns(static_cast<std::int64_t>(seed % 3) * 50);
    gap_ = Time::ns(static_cast<std::int64_t>(seed % 2) * 70);
    const auto& fabrics = divisible_packet_fabrics();
    expect_same(random_over_fabric(seed, 48), fabrics[seed % fabrics.size()]);
  }
}

// A ring of eight switches with one lane and room for one packet each: every node sends to the one
// three further on, and all wait for each other. It is told of in the same words.
TEST_F(SharedPacketReplay, ADeadlockIsToldInTheSameWords) {
  goal::ScheduleBuilder builder(8);
  for (std::uint32_t r = 0; r < 8; ++r) {
    builder.begin_rank(r);
    builder.send(40'000, (r + 3) % 8, 0);
    builder.recv(40'000, (r + 5) % 8, 0);
    builder.end_rank();
  }
  const goal::Schedule schedule = builder.finish();
  const Fabric ring = packets_over(
      "torus-512", {"torus.dims=8", "packet.lanes=1", "packet.lane_by=class", "packet.buffer=34"});
  EXPECT_THAT(run(schedule, ring, 1).text, HasSubstr("deadlock: "));
  expect_same(schedule, ring);
}

// One thread where the state of a buffer is needed at once on its other side.
TEST_F(SharedPacketReplay, WhatNeedsOneThreadIsSaid) {
  const goal::Schedule schedule = pattern_over_fabric("dissemination", 64);
  const auto why = [&](const char* machine, std::vector<std::string> settings) {
    const FabricOutcome outcome = run(schedule, packets_over(machine, std::move(settings)), 4);
    return std::to_string(outcome.threads) + ": " + outcome.why_fewer;
  };
  EXPECT_EQ(why("fat-tree-64", {}), "4: ");
  EXPECT_THAT(why("fat-tree-64", {"packet.input_queue=fifo"}), HasSubstr("1: buffers that"));
  EXPECT_THAT(why("fat-tree-64", {"packet.credit_period=100ns"}), HasSubstr("1: credits that"));
  EXPECT_THAT(why("fat-tree-64", {"packet.buffer_sharing=switch"}), HasSubstr("1: buffers that"));
  EXPECT_THAT(why("fat-tree-64", {"topology.routing=adaptive"}), HasSubstr("1: routes that"));
  EXPECT_EQ(why("fat-tree-64", {"packet.allocation=islip"}), "4: ");
  EXPECT_THAT(why("fat-tree-64", {"link.latency=0ns"}),
              HasSubstr("1: cables between parts have no latency"));
}

// Credits go back over the cable alone: of cables of 70 ns behind switches of 9 ns the window
// is 70.
TEST_F(SharedPacketReplay, TheLookaheadIsThatOfTheCablesWithoutTheirSwitches) {
  const goal::Schedule schedule = pattern_over_fabric("dissemination", 64);
  Settings settings(network::fabric_sections());
  const auto description = platform::read_machine("fat-tree-64", settings);
  for (const char* set : {"link.latency=70ns", "switch.latency=9ns"}) {
    settings.assign(set, {"test"});
  }
  const auto platform = platform::build_platform(description, settings);
  const auto nodes = place_ranks(64, platform->nodes(), replay_);
  const FabricParts parts = divide_fabric(schedule, *platform, nodes, {4, 1, Bytes(65535), true});
  ASSERT_TRUE(parts.cut);
  EXPECT_EQ(parts.cut->lookahead(), Time::ns(70));
}

}  // namespace
}  // namespace heddle::replay
