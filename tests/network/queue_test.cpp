#include <gtest/gtest.h>

#include "network/support.hpp"

namespace heddle::network {
namespace {

// The instants of one idle message of 1,000 B over two 100 Gb/s links (100 ns, then 50 + 100 ns):
// injected when its 80 ns have left, head after the latencies, tail 80 ns behind the head.
TEST(Queue, ReportsTheThreeInstants) {
  const platform::Platform platform = star(2);
  Bed bed("queue", platform);
  bed.send(0, 0, 1, 1'000, kAllInstants);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0, Instant::injected), Time::ns(80));
  EXPECT_EQ(bed.recorder.at(0, Instant::head), Time::ns(250));
  EXPECT_EQ(bed.recorder.at(0, Instant::tail), Time::ns(330));
}

// Storing and forwarding pays the 80 ns of 1,000 B on each of the two links.
TEST(Queue, StoreAndForwardPaysTheSizeOnEveryLink) {
  const platform::Platform platform = star(2);
  Bed bed("queue", platform, {"queue.forwarding=store-and-forward"});
  bed.send(0, 0, 1, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(250 + 2 * 80));
}

// Two messages from different nodes meet at the receiver's link: the one whose head arrives first
// is served first, here the one that started 10 ns earlier, and the other waits for its whole
// length.
TEST(Queue, ServesInOrderOfArrival) {
  const platform::Platform platform = star(3);
  Bed bed("queue", platform);
  bed.send(0, 0, 2, 1'000);
  bed.simulation.run_until(Time::ns(10));
  bed.send(1, 1, 2, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(330));
  EXPECT_EQ(bed.recorder.at(1), Time::ns(330 + 80));
}

// A message that comes in slowly does not hold the fast link: two messages capped at 25 Gb/s each
// pass a 100 Gb/s link side by side, each in the 320 ns that its own rate takes for 1,000 B. (The
// link works 80 ns for the first, so the second's head leaves 80 ns after the first's.)
TEST(Queue, SlowMessagesShareAFastLink) {
  MachineParams params;
  const platform::Platform platform = star(3, params);
  Bed bed("queue", platform);
  for (std::uint32_t i = 0; i < 2; ++i) {
    Transfer transfer = bed.transfer(i, i, 2, 1'000);
    transfer.rate_cap = Bandwidth::gbps(25);
    bed.network->start(transfer);
  }
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(250 + 320));
  EXPECT_EQ(bed.recorder.at(1), Time::ns(250 + 80 + 320));
}

// Memory to memory, a message crosses both buses as well: 250 ns of fabric and 2 * 300 ns of PCIe,
// at the rate of the narrowest, 50 Gb/s: 160 ns for 1,000 B.
TEST(Queue, MemoryEndpointsCrossTheBus) {
  MachineParams params;
  params.node.pcie_bandwidth = Bandwidth::gbps(126);
  params.node.pcie_flow_cap = Bandwidth::gbps(50);
  params.node.pcie_latency = Time::ns(300);
  const platform::Platform platform = star(2, params);
  Bed bed("queue", platform);
  bed.send_between_memories(0, 0, 1, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(250 + 600 + 160));
}

// A message to the own node crosses the loopback and nothing else.
TEST(Queue, ANodeReachesItselfByItsLoopback) {
  MachineParams params;
  params.node.loopback_bandwidth = Bandwidth::gbps(8);
  params.node.loopback_latency = Time::ns(40);
  const platform::Platform platform = star(2, params);
  Bed bed("queue", platform);
  bed.send(0, 1, 1, 1'000);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(40 + 1'000));
}

// Every link knows the bytes that crossed it: 300 B up from node 0, 300 B down to node 1, nothing
// else.
TEST(Queue, CountsTheBytesOfEachLink) {
  const platform::Platform platform = star(2);
  Bed bed("queue", platform);
  bed.send(0, 0, 1, 100);
  bed.send(1, 0, 1, 200);
  bed.simulation.run();
  const LinkBytes bytes = bed.network->carried();
  EXPECT_EQ((std::vector<std::int64_t>(bytes.begin(), bytes.begin() + 4)),
            (std::vector<std::int64_t>{300, 0, 0, 300}));
}

}  // namespace
}  // namespace heddle::network
