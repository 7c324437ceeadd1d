#include "network/packet/sending_host.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

/// A host whose packets leave over a port of its own, with nothing behind that.
struct Sender : PacketBed {
  explicit Sender(const std::vector<std::string>& assignments = {"packet.max_packet=128B",
                                                                 "packet.header=0B"})
      : PacketBed(assignments), source(simulation.new_source()), host(context, source) {
    around.output = &port(0, true);
    around.sender = &host;
  }
  Message& new_message(std::int64_t bytes) {
    Message& made = messages.emplace_back();
    made.transfer.size = Bytes(bytes);
    made.transfer.destination.node = NodeId{1};
    made.transfer.client = &recorder;
    made.transfer.wants = static_cast<std::uint8_t>(Instant::injected);
    made.transfer.cookie = messages.size() - 1;
    made.unsent = bytes;
    return made;
  }

  std::deque<Message> messages;
  Recorder recorder{simulation};
  EventSource source;
  SendingHost host;
};

// 300 B in packets of up to 128 B are 128, 128 and 44 B; they leave one behind the other at 80 ps
// per byte, at 0, 10.24 and 20.48 ns. The last byte has left at 24 ns.
TEST(SendingHost, CutsMessagesIntoPackets) {
  Sender bed;
  bed.host.send(bed.new_message(300), 0);
  bed.simulation.run();
  ASSERT_EQ(bed.around.left.size(), 3U);
  const std::uint32_t flits[] = {2, 2, 1};
  const std::uint32_t last_bytes[] = {64, 64, 44};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bed.around.left[i].packet->flits, flits[i]);
    EXPECT_EQ(bed.around.left[i].packet->last_bytes, last_bytes[i]);
    EXPECT_EQ(bed.around.left[i].begin, Time::ps(10'240) * static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(bed.recorder.at(0, Instant::injected), Time::ns(24));
}

// At 10 Gb/s, 800 ps per byte, 128 B come together in 102.4 ns: three packets leave at 102.4 ns,
// 204.8 ns and, with the last 44 B, 35.2 ns later.
TEST(SendingHost, AMessageKeepsToItsOwnRate) {
  Sender bed;
  Message& message = bed.new_message(300);
  message.transfer.rate_cap = Bandwidth::gbps(10);
  message.ready = message.own_pace(bed.plan.max_payload());
  bed.host.send(message, 0);
  bed.simulation.run();
  ASSERT_EQ(bed.around.left.size(), 3U);
  EXPECT_EQ(bed.around.left[0].begin, Time::ps(102'400));
  EXPECT_EQ(bed.around.left[1].begin, Time::ps(204'800));
  EXPECT_EQ(bed.around.left[2].begin, Time::ns(240));
}

// One packet stands before the arbiter already. The notification goes next, then the rest of the
// message, then the other message.
TEST(SendingHost, ANotificationOvertakesMessages) {
  Sender bed;
  Message& first = bed.new_message(256);
  Message& second = bed.new_message(10);
  Message& notification = bed.new_message(0);
  notification.notification = true;
  bed.host.send(first, 0);
  bed.host.send(second, 0);
  bed.host.notify(notification);
  bed.simulation.run();
  ASSERT_EQ(bed.around.left.size(), 4U);
  const Message* const order[] = {&first, &notification, &first, &second};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(bed.around.left[i].packet->message, order[i]) << i;
}

/// Lets a flow send a packet each microsecond, and after a notification each ten.
class Metronome final : public CongestionControl, public ReactionPoint {
 public:
  std::unique_ptr<CongestionPoint> new_point(const CongestedOutput&) const override {
    return nullptr;
  }
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath&) const override {
    return std::make_unique<Metronome>();
  }
  Time allowed() const override { return allowed_; }
  void sent(const Departure& packet) override { allowed_ = packet.now + period_; }
  void notified(Time) override { period_ = Time::us(10); }

 private:
  Time allowed_;
  Time period_ = Time::us(1);
};

// Packets of a flow leave when its reaction point allows it: at 0, 1 and 2 us, and after a
// notification at 12 us. A message to another destination, behind it, does not wait.
TEST(SendingHost, AFlowPausesAsItsReactionPointSays) {
  Sender bed;
  bed.plan.congestion = std::make_unique<Metronome>();
  Message& elsewhere = bed.new_message(64);
  elsewhere.transfer.destination.node = NodeId{2};
  bed.host.send(bed.new_message(4 * 128), 0);
  bed.host.send(elsewhere, 0);
  bed.simulation.run_until(Time::us(1));
  bed.host.notified(NodeId{1});
  bed.simulation.run();
  ASSERT_EQ(bed.around.left.size(), 5U);
  EXPECT_EQ(bed.around.left[1].packet->message, &elsewhere);
  EXPECT_EQ(bed.around.left[1].begin, Time::ps(10'240));
  EXPECT_EQ(bed.around.left[2].begin, Time::us(1));
  EXPECT_EQ(bed.around.left[3].begin, Time::us(2));
  EXPECT_EQ(bed.around.left[4].begin, Time::us(12));
}

// To itself without a loopback, a packet crosses no link: it ends in the instant in which it is
// sent.
TEST(SendingHost, WithoutALinkAPacketIsThere) {
  Sender bed;
  bed.around.output = nullptr;
  bed.host.send(bed.new_message(10), 0);
  ASSERT_EQ(bed.around.packets.size(), 1U);
  EXPECT_TRUE(bed.around.packets[0].at_end);
  EXPECT_TRUE(bed.around.packets[0].scheduled());
  EXPECT_EQ(bed.simulation.next_time(), Time::zero());
}

}  // namespace
}  // namespace heddle::network
