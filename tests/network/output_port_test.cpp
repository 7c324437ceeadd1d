#include "network/packet/output_port.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

// 100 B from an idle host are two flits: the first keeps the wire for 5.12 ns, the second, of 36 B,
// until 8 ns. The head is at the other end of the cable after its 100 ns.
TEST(OutputPort, AnIdleOnePassesAPacketAtOnce) {
  PacketBed bed;
  OutputPort& port = bed.port(0, true);
  port.enter(bed.packet(100));
  bed.simulation.run();
  ASSERT_EQ(bed.around.sent_packets.size(), 1U);
  EXPECT_EQ(bed.around.sent_packets[0].there, Time::ns(100));
  ASSERT_EQ(bed.around.left.size(), 1U);
  EXPECT_EQ(bed.around.left[0].begin, Time::zero());
  EXPECT_EQ(bed.around.left[0].end, Time::ns(8));
  EXPECT_EQ(port.lanes()[0].bytes, 100);
}

// Of a switch's output, the half of its 50 ns behind the arbiter and the cable's 100 ns make
// 125 ns. Two packets of one flit from each of two inputs come at once. The first keeps the arbiter
// for the 0.64 ns of its 64 B; then the inputs take turns, on the wire 5.12 ns behind each other.
TEST(OutputPort, InputsTakeTurns) {
  PacketBed bed({"packet.crossbar=0.01ns/B"});
  OutputPort& one = bed.port(0, true);
  OutputPort& other = bed.port(1, true);
  OutputPort& port = bed.port(2, false);
  std::vector<Packet*> packets;
  for (OutputPort* input : {&one, &one, &other, &other}) {
    port.enter(*packets.emplace_back(&bed.packet(64, input)));
  }
  bed.simulation.run();
  ASSERT_EQ(bed.around.sent_packets.size(), 4U);
  const Packet* const order[] = {packets[0], packets[2], packets[1], packets[3]};
  for (int i = 0; i < 4; ++i) {
    const NotingSurroundings::Sent& sent = bed.around.sent_packets[static_cast<std::size_t>(i)];
    EXPECT_EQ(sent.packet, order[i]) << i;
    EXPECT_EQ(sent.there, Time::ns(125) + Time::ps(5'120) * i) << i;
  }
  EXPECT_EQ(bed.around.freed.size(), 4U) << "each leaves the buffer that it came to";
}

// The far buffer holds one packet of two flits. A second one waits from the beginning; room from
// 300 ns on is heard of 100 ns later, when it passes: its head is there at 500 ns.
TEST(OutputPort, APacketWaitsForCredits) {
  PacketBed bed({"packet.max_packet=128B", "packet.buffer=2"});
  OutputPort& port = bed.port(0, true);
  port.enter(bed.packet(128));
  port.enter(bed.packet(128));
  bed.simulation.run();
  ASSERT_EQ(bed.around.sent_packets.size(), 1U);
  EXPECT_EQ(port.lanes()[0].queues.packets(), 1U);
  port.free_at(0, Time::ns(300), 2);
  bed.simulation.run();
  ASSERT_EQ(bed.around.sent_packets.size(), 2U);
  EXPECT_EQ(bed.around.sent_packets[1].there, Time::ns(500));
  EXPECT_EQ(port.lanes()[0].credits.stalls(), 1);
  EXPECT_EQ(port.lanes()[0].credits.stalled(), Time::ns(400));
}

// Both directions of a half-duplex cable have one wire: a flit from the node keeps it for 5.12 ns,
// so one to the node, at the wire 25 ns after its arbiter, finds it free at 25 ns, but behind ten
// flits, 51.2 ns.
TEST(OutputPort, HalfDuplexDirectionsShareTheWire) {
  PacketBed bed;
  OutputPort& there = bed.port(0, true);
  OutputPort& back = bed.port(0, false);
  OutputPort::join(there, back, platform::Duplex::half);
  there.enter(bed.packet(640));
  bed.simulation.run();
  back.enter(bed.packet(64, &bed.port(1, true)));
  bed.simulation.run();
  EXPECT_EQ(bed.around.sent_packets.at(1).there, Time::ps(51'200) + Time::ns(100));
}

/// Sends two packets out of one buffer, the first to an output whose far buffer is full.
std::size_t passed_behind_a_blocked_one(const char* input_queue) {
  PacketBed bed({"packet.max_packet=128B", "packet.buffer=2",
                 std::string("packet.input_queue=") + input_queue});
  OutputPort& input = bed.port(0, true);
  OutputPort& blocked = bed.port(1, false);
  OutputPort& open = bed.port(2, false);
  blocked.enter(bed.packet(128, &bed.port(2, true)));
  bed.simulation.run();
  blocked.enter(bed.packet(128, &input));
  open.enter(bed.packet(128, &input));
  bed.simulation.run();
  return bed.around.sent_packets.size() - 1;
}

// A packet whose output is open passes one that waits for credits of another, unless buffers are
// left in order.
TEST(OutputPort, ABufferInOrderHoldsPacketsUp) {
  EXPECT_EQ(passed_behind_a_blocked_one("voq"), 1U);
  EXPECT_EQ(passed_behind_a_blocked_one("fifo"), 0U);
}

// Two packets of ten flits have come in at 5.12 ns a flit, one behind the other's back, to a
// crossbar that passes one in 2.56 ns. The first goes on as it comes, its last flit at 46.08 ns,
// and has passed at 48.64 ns. The second is all there by then: its last flit leaves the buffer nine
// flits of the crossbar after that, at 71.68 ns.
TEST(OutputPort, PacketsThatHaveWaitedPassAsFastAsTheCrossbar) {
  PacketBed bed({"packet.max_packet=640B", "packet.input_queue=fifo", "packet.speed_up=2"});
  OutputPort& input = bed.port(0, true);
  OutputPort& first = bed.port(1, false);
  OutputPort& second = bed.port(2, false);
  for (OutputPort* const output : {&first, &second}) {
    Packet& packet = bed.packet(640, &input);
    packet.spacing = Time::ps(5'120);
    output->enter(packet);
  }
  bed.simulation.run();
  ASSERT_EQ(bed.around.freed.size(), 2U);
  EXPECT_EQ(bed.around.freed[0].when, Time::ps(46'080));
  EXPECT_EQ(bed.around.freed[1].when, Time::ps(71'680));
}

// The route of the first packet is found in 30 ns, then it passes, 4 flits of 5.12 ns; that of the
// second when it has passed, at 50.48 ns, again.
TEST(OutputPort, RoutesAreFoundForOnePacketOfALaneAfterTheOther) {
  PacketBed bed({"packet.max_packet=256B", "packet.input_queue=fifo", "packet.speed_up=1",
                 "packet.route_time=30ns"});
  OutputPort& input = bed.port(0, true);
  bed.port(1, false).enter(bed.packet(256, &input));
  bed.port(2, false).enter(bed.packet(256, &input));
  bed.simulation.run();
  ASSERT_EQ(bed.around.freed.size(), 2U);
  EXPECT_EQ(bed.around.freed[0].when, Time::ps(30'000 + 3 * 5'120));
  EXPECT_EQ(bed.around.freed[1].when, Time::ps(2 * 30'000 + 7 * 5'120));
}

// An arbiter looks once, at the earliest time that it has been asked for, and not again unless
// somebody asks it.
TEST(OutputArbiter, LooksAtTheEarliestTimeThatItIsAskedFor) {
  PacketBed bed;
  OutputArbiter& arbiter = bed.port(0, true).arbiter();
  EXPECT_FALSE(arbiter.is_going_to_look());
  arbiter.look_at(Time::ns(50));
  arbiter.look_at(Time::ns(20));
  arbiter.look_at(Time::ns(30));
  EXPECT_TRUE(arbiter.is_going_to_look());
  EXPECT_EQ(bed.simulation.next_time(), Time::ns(20));
  bed.simulation.run();
  EXPECT_EQ(bed.simulation.now(), Time::ns(20));
  EXPECT_FALSE(arbiter.is_going_to_look());
}

/// Serves lane 1 before lane 0.
class UpperFirst final : public LaneArbitration, public LaneArbiter {
 public:
  bool serves(std::size_t) const override { return true; }
  std::unique_ptr<LaneArbiter> new_arbiter() const override {
    return std::make_unique<UpperFirst>();
  }
  int choose(std::uint64_t ready) const override { return ready >= 2 ? 1 : ready == 1 ? 0 : -1; }
  void served(int, std::uint32_t) override {}
};

// Whoever is made the arbiter of lanes decides: of two packets before it, that of lane 1 goes
// first.
TEST(OutputPort, ItsArbiterChoosesTheLane) {
  PacketBed bed({"packet.lanes=2"});
  bed.plan.lane_arbitration = std::make_unique<UpperFirst>();
  OutputPort& port = bed.port(0, true);
  Packet& lower = bed.packet(64);
  Packet& upper = bed.packet(64);
  upper.lane = 1;
  port.enter(lower);
  port.enter(upper);
  bed.simulation.run();
  ASSERT_EQ(bed.around.sent_packets.size(), 2U);
  EXPECT_EQ(bed.around.sent_packets[0].packet, &upper);
}

/// Marks where more than three flits have waited.
class MarksFour final : public CongestionControl, public CongestionPoint {
 public:
  std::unique_ptr<CongestionPoint> new_point(const CongestedOutput&) const override {
    return std::make_unique<MarksFour>();
  }
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath&) const override { return nullptr; }
  bool marks(const QueueSight& queue) override { return queue.waiting > 3; }
};

// Five packets of one flit come together. The first passes a switch's output without waiting, and
// keeps its arbiter; when each of the others passes, 4, 3, 2 and 1 flits have waited, so one is
// marked. A host's output marks none.
TEST(OutputPort, ASwitchMarksByWhatHasWaited) {
  for (const bool from_node : {false, true}) {
    PacketBed bed({"packet.crossbar=0.01ns/B"});
    bed.plan.congestion = std::make_unique<MarksFour>();
    OutputPort& input = bed.port(1, true);
    OutputPort& port = bed.port(0, from_node);
    for (int i = 0; i < 5; ++i) port.enter(bed.packet(64, &input));
    bed.simulation.run();
    EXPECT_EQ(bed.around.sent_packets.size(), 5U);
    EXPECT_EQ(port.marker().marked(), from_node ? 0 : 1);
  }
}

}  // namespace
}  // namespace heddle::network
