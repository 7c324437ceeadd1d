// Messages to several nodes that share their sender's cable.
#include "network/packet/send_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "network/support.hpp"

namespace heddle::network {
namespace {

constexpr std::int64_t kPayload = 2'156;  ///< Of a packet, which is 2,176 B on the wire.

/// When the n-th packet that leaves a node is at another one: packets of 174.08 ns, behind each
/// other, 250 ns of latency.
Time packet_end(int n) {
  return Time::ns(250) + Time::ps(174'080) * n;
}

struct Ends {
  Time first;
  Time second;
};

/// Node 0 sends four packets to node 1 and, at the same time, four to node 2.
Ends two_messages(const std::vector<std::string>& assignments) {
  const platform::Platform platform = star(3);
  Bed bed("packet", platform, assignments);
  bed.send(1, 0, 1, 4 * kPayload);
  bed.send(2, 0, 2, 4 * kPayload);
  bed.simulation.run();
  return {bed.recorder.at(1), bed.recorder.at(2)};
}

// By default all packets of the first message leave before those of the second: numbers 4 and 8 are
// the last ones.
TEST(SendLine, WithoutAWindowMessagesGoOneAfterAnother) {
  const Ends ends = two_messages({});
  EXPECT_EQ(ends.first, packet_end(4));
  EXPECT_EQ(ends.second, packet_end(8));
}

// With one packet of each in line they alternate: 1 2 1 2 1 2 1 2. Number 7 is the last one of the
// first message.
TEST(SendLine, WithOnePacketInLineTheyAlternate) {
  const Ends ends = two_messages({"packet.send_window=2156B"});
  EXPECT_EQ(ends.first, packet_end(7));
  EXPECT_EQ(ends.second, packet_end(8));
}

// With two of each: 1 1 2 2 1 1 2 2.
TEST(SendLine, WindowsFollowOneAnother) {
  const Ends ends = two_messages({"packet.send_window=4312B"});
  EXPECT_EQ(ends.first, packet_end(6));
  EXPECT_EQ(ends.second, packet_end(8));
}

// All of a message that is no longer than the window is in line when the other one comes.
TEST(SendLine, MessagesWithinTheWindowGoOneAfterAnother) {
  const Ends ends = two_messages({"packet.send_window=8624B"});
  EXPECT_EQ(ends.first, packet_end(4));
  EXPECT_EQ(ends.second, packet_end(8));
}

// To one node, messages follow one another whatever the window is, and the cable is never idle.
TEST(SendLine, MessagesToOneNodeKeepTheirOrder) {
  const platform::Platform platform = star(2);
  Bed bed("packet", platform, {"packet.send_window=2156B", "packet.unevenness=1"});
  bed.send(1, 0, 1, 3 * kPayload);
  bed.send(2, 0, 1, 0);
  bed.send(3, 0, 1, 2 * kPayload);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(1), packet_end(3));
  EXPECT_LT(bed.recorder.at(2), bed.recorder.at(3));
  // The empty message is a header of 20 B, 1.6 ns.
  EXPECT_EQ(bed.recorder.at(3), packet_end(5) + Time::ps(1'600));
}

// However the windows are drawn, the cable is full until the last packet has left.
TEST(SendLine, UnevenWindowsDivideTheCableOnly) {
  const platform::Platform platform = star(9);
  Bed bed("packet", platform, {"packet.send_window=8624B", "packet.unevenness=1"});
  for (std::uint32_t to = 1; to < 9; ++to) bed.send(to, 0, to, 100 * kPayload);
  bed.simulation.run();
  Time last;
  Time first = Time::never();
  for (std::uint32_t to = 1; to < 9; ++to) {
    last = std::max(last, bed.recorder.at(to));
    first = std::min(first, bed.recorder.at(to));
  }
  EXPECT_EQ(last, packet_end(800));
  EXPECT_LT(first, packet_end(600));
}

// The logarithms of windows of many destinations have the mean and the standard deviation that were
// asked for, to three standard errors of 2,000 draws.
TEST(SendLine, DrawsWindows) {
  const SendLine::Windows windows{Bytes(1'000'000), 1, 0.3, RandomStream(7)};
  constexpr std::uint32_t kDraws = 2'000;
  double sum = 0;
  double squares = 0;
  for (std::uint32_t to = 0; to < kDraws; ++to) {
    const double log = std::log(static_cast<double>(windows.towards(NodeId{to})) / 1e6);
    sum += log;
    squares += log * log;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(std::sqrt(squares / kDraws), 0.3, 0.015);
  EXPECT_EQ(windows.towards(NodeId{5}), windows.towards(NodeId{5}));
  EXPECT_NE(windows.towards(NodeId{5}), windows.towards(NodeId{6}));
}

// Less than half a packet is one, and 2.5 packets are three.
TEST(SendLine, AWindowIsWholePackets) {
  const auto packets = [](std::int64_t bytes) {
    return SendLine::Windows{Bytes(bytes), 1'000, 0, RandomStream(1)}.towards(NodeId{0});
  };
  EXPECT_EQ(packets(1), 1);
  EXPECT_EQ(packets(2'499), 2);
  EXPECT_EQ(packets(2'500), 3);
}

}  // namespace
}  // namespace heddle::network
