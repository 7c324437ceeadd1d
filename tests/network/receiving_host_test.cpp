#include "network/packet/receiving_host.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

struct Receiver : PacketBed {
  explicit Receiver(const std::vector<std::string>& assignments = {})
      : PacketBed(assignments), source(simulation.new_source()), host(context, source) {
    message.head_reported = true;
  }
  /// The head of a packet of full flits comes in now, 5.12 ns before each further flit.
  Packet& arrive(OutputPort& over, std::int64_t flits) {
    Packet& arrived = packet(64 * flits, &over);
    arrived.spacing = Time::ps(5'120);
    over.lanes()[0].credits.sent(flits);
    host.enter(arrived);
    return arrived;
  }

  EventSource source;
  ReceivingHost host;
};

// Taken as they come, two flits end with the second's last byte, 10.24 ns after the first began.
// The room that they had in the buffer is free from then on.
TEST(ReceivingHost, TakesFlitsAsTheyCome) {
  Receiver bed;
  const Packet& packet = bed.arrive(bed.port(0, false), 2);
  EXPECT_TRUE(packet.at_end);
  EXPECT_EQ(bed.simulation.next_time(), Time::ps(10'240));
  ASSERT_EQ(bed.around.freed.size(), 1U);
  EXPECT_EQ(bed.around.freed[0].when, Time::ps(10'240));
}

// A sink of 0.1 ns/B drains a flit in 6.4 ns, so two of them, of which the second comes at 5.12 ns,
// by 12.8 ns. The port's buffer of 200 flits is full but for them until then, and empty after.
TEST(ReceivingHost, ASinkDrainsAndGivesCredits) {
  Receiver bed({"packet.sink=0.1ns/B", "packet.buffer=200"});
  OutputPort& port = bed.port(0, false);
  bed.arrive(port, 2);
  bed.simulation.run();
  ASSERT_EQ(bed.around.ends.size(), 1U);
  EXPECT_EQ(bed.around.ends[0].when, Time::ps(12'800));
  LaneCredits& credits = port.lanes()[0].credits;
  EXPECT_EQ(credits.end_host(), &bed.host);
  EXPECT_FALSE(credits.allow(200, Time::ps(12'799), Time::ps(12'800)));
  EXPECT_TRUE(credits.allow(200, Time::ps(12'800), Time::ps(12'800)));
}

// Over two cables at once come two packets of three flits. The sink drains one after the
// other, 19.2 ns each, and each port gets back what it sent.
TEST(ReceivingHost, OneSinkServesSeveralLinks) {
  Receiver bed({"packet.sink=0.1ns/B", "packet.buffer=200"});
  OutputPort& one = bed.port(0, false);
  OutputPort& other = bed.port(1, false);
  const Packet& first = bed.arrive(one, 3);
  const Packet& second = bed.arrive(other, 3);
  bed.simulation.run();
  ASSERT_EQ(bed.around.ends.size(), 2U);
  EXPECT_EQ(bed.around.ends[0].packet, &first);
  EXPECT_EQ(bed.around.ends[0].when, Time::ps(19'200));
  EXPECT_EQ(bed.around.ends[1].packet, &second);
  EXPECT_EQ(bed.around.ends[1].when, Time::ps(38'400));
  const Time end = bed.simulation.now();
  EXPECT_TRUE(one.lanes()[0].credits.allow(200, end, end));
  EXPECT_TRUE(other.lanes()[0].credits.allow(200, end, end));
}

}  // namespace
}  // namespace heddle::network
