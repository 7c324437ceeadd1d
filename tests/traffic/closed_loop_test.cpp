// Patterns of messages with a window: each begins when an earlier one has ended.
#include <gtest/gtest.h>

#include "traffic/open_phases.hpp"
#include "traffic/support.hpp"

namespace heddle::traffic {
namespace {

// Tornado on a torus of 8 x 8 goes three switches further in both dimensions: nobody is nearer than
// six links between switches. Node 0 sends to 3 + 3 * 8 = 27; as a ring of 64 nodes, if that is
// asked for, to 31.
TEST(ClosedLoop, PatternsStandOnTheGridOfTheMachine) {
  const platform::Platform torus = torus_8x8();
  for (const auto& [grid, expected] : {std::pair{"auto", 27U}, std::pair{"1d", 31U}}) {
    TrafficConfig c = closed("tornado", 1, 1);
    c.grid = grid;
    Collected sink;
    run(c, torus, {.messages = &sink});
    for (const MessageRecord& record : sink.records) {
      if (record.source == NodeId{0}) {
        EXPECT_EQ(record.destination, NodeId{expected});
      }
    }
  }
}

// One message at a time, three of 400 ns each: 1200 ns. All three at once: the first arrives after
// 400 ns, the others 100 ns behind each other: 600 ns. Two at a time: the third is created when the
// first has arrived, at 400 ns: 800 ns.
TEST(ClosedLoop, WindowDecidesTheMakespan) {
  const auto platform = star(4);
  EXPECT_EQ(run(closed("shift", 3, 1), *platform).last_finish, Time::ns(1200));
  EXPECT_EQ(run(closed("shift", 3, 3), *platform).last_finish, Time::ns(600));
  EXPECT_EQ(run(closed("shift", 3, 2), *platform).last_finish, Time::ns(800));
}

// Four nodes send 1250 B to one at once: its cable passes them one after the other, so that they
// arrive 400, 500, 600 and 700 ns after the start: 550 ns in the mean. 5000 bytes in 700 ns are
// 4/7 of the 12.5 GB/s of the busiest link, the target's.
TEST(ClosedLoop, IncastQueuesAtTheTarget) {
  const TrafficResult result = run(closed("incast", 1, 1), *star(5));
  EXPECT_EQ(result.messages, 4U);
  EXPECT_EQ(result.senders, 4U);
  EXPECT_EQ(result.bytes, Bytes(5000));
  EXPECT_EQ(result.last_finish, Time::ns(700));
  EXPECT_EQ(result.latency.mean, Time::ns(550));
  EXPECT_EQ(result.latency.min, Time::ns(400));
  EXPECT_EQ(result.latency.p50, Time::ns(500));
  EXPECT_EQ(result.latency.max, Time::ns(700));
  ASSERT_FALSE(result.busiest.empty());
  EXPECT_EQ(result.busiest[0].link, LinkId{1});
  EXPECT_EQ(result.busiest[0].bytes, Bytes(5000));
  EXPECT_DOUBLE_EQ(result.busiest[0].utilisation, 4.0 / 7);
  EXPECT_DOUBLE_EQ(result.accepted_per_second(), 5000 / 700e-9);
}

// All-to-all of n nodes at full window without conflicts: the n-1 messages of a node leave back to
// back; the k-th messages are a permutation, so that nothing waits: 400 + (n-2) * 100 ns.
TEST(ClosedLoop, AllToAllRunsWithoutConflicts) {
  TrafficConfig c = closed("all-to-all", 1, 100);
  c.messages.reset();
  const TrafficResult result = run(c, *star(6));
  EXPECT_EQ(result.messages, 30U);
  EXPECT_EQ(result.last_finish, Time::ns(800));
}

// 50 ns to send, 30 ns to receive: 480 ns a message, three in turn 1440 ns. At once, 200 ns apart
// because of the gap: the last starts at 50 + 2 * 200 ns and is known 400 + 30 ns later: 880 ns.
TEST(ClosedLoop, AdapterCostsApply) {
  const auto platform = star(2, adapter(Time::ns(50), Time::ns(30), Time::ns(200)));
  EXPECT_EQ(run(closed("shift", 3, 1), *platform).last_finish, Time::ns(1440));
  EXPECT_EQ(run(closed("shift", 3, 3), *platform).last_finish, Time::ns(880));
}

// With a bus of 50 Gb/s and 10 ns on both sides, a message from memory to memory takes 200 ns of
// transmission (the bus is the bottleneck) and 300 + 20 ns of latency; between adapters 400 ns.
TEST(ClosedLoop, EndsAreMemoryOrAdapter) {
  auto platform = star(2);
  platform::NodeParams node = platform::node_table().defaults();
  node.pcie_bandwidth = Bandwidth::gbps(50);
  node.pcie_latency = Time::ns(10);
  platform->set_node(NodeId{0}, node);
  platform->set_node(NodeId{1}, node);
  TrafficConfig c = closed("shift", 1, 1);
  EXPECT_EQ(run(c, *platform).last_finish, Time::ns(520));
  EXPECT_EQ(injection_bandwidth(*platform, NodeId{0}, From::memory), Bandwidth::gbps(50));
  c.from = From::nic;
  EXPECT_EQ(run(c, *platform).last_finish, Time::ns(400));
  EXPECT_EQ(injection_bandwidth(*platform, NodeId{0}, From::nic), Bandwidth::gbps(100));
}

// Without a topology the messages of one node, one at a time, cost three times one of them.
TEST(ClosedLoop, RunsOnLogGops) {
  const TrafficResult result = run_all(closed("shift", 3, 1), *star(4), {}, "loggops").front();
  EXPECT_EQ(result.last_finish, result.latency.max * 3);
  EXPECT_TRUE(result.busiest.empty());
}

}  // namespace
}  // namespace heddle::traffic
