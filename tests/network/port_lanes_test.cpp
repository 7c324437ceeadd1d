#include "network/packet/port_lanes.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

/// The lanes of the first link, which leads from a node to the switch.
struct LanesBed : PacketBed {
  using PacketBed::PacketBed;
  Packet& in_lane(std::uint8_t lane, std::int64_t flits) {
    Packet& made = packet(64 * flits);
    made.lane = lane;
    return made;
  }
  PortKind kind{context, LinkId{0}};
  PortLanes lanes{kind};
};

// Packets of 2 and 3 flits wait for lanes 0 and 2: bits 0 and 2, 5 flits. When the first has its
// turn, lane 2 alone is waited for.
TEST(PortLanes, KnowForWhichOfThemPacketsWait) {
  LanesBed bed({"packet.lanes=3"});
  Packet& first = bed.in_lane(0, 2);
  Packet& last = bed.in_lane(2, 3);
  EXPECT_FALSE(bed.lanes.anyone_waits());
  bed.lanes.append(first);
  EXPECT_FALSE(bed.lanes.further_waits());
  bed.lanes.append(last);
  EXPECT_EQ(bed.lanes.waiting(), 0b101U);
  EXPECT_TRUE(bed.lanes.further_waits());
  EXPECT_EQ(bed.lanes.flits_waiting(), 5);
  std::vector<const PortLane*> visited;
  bed.lanes.for_waiting([&](const PortLane& lane) { visited.push_back(&lane); });
  EXPECT_EQ(visited, (std::vector<const PortLane*>{&bed.lanes[0], &bed.lanes[2]}));
  bed.lanes.remove_first(first);
  EXPECT_EQ(bed.lanes.waiting(), 0b100U);
  EXPECT_EQ(bed.lanes.flits_waiting(), 3);
  bed.lanes.remove(last);
  EXPECT_FALSE(bed.lanes.anyone_waits());
}

// Two packets of one input wait for a lane: when the second one leaves, the lane is waited for
// still.
TEST(PortLanes, ALaneIsWaitedForUntilItsLastPacketLeaves) {
  LanesBed bed;
  Packet& first = bed.in_lane(0, 1);
  Packet& second = bed.in_lane(0, 1);
  bed.lanes.append(first);
  bed.lanes.append(second);
  bed.lanes.remove(second);
  EXPECT_EQ(bed.lanes.waiting(), 1U);
  EXPECT_EQ(bed.lanes.flits_waiting(), 1);
}

// Two flits of lane 1 have left and are free again from 100 ns on: until then two flits are beyond
// the link, and then no lane lacks any.
TEST(PortLanes, CountFlitsBeyondTheLink) {
  LanesBed bed({"packet.lanes=2", "packet.buffer=40"});
  EXPECT_FALSE(bed.lanes.may_lack_credits());
  bed.lanes.sent(bed.in_lane(1, 2));
  bed.lanes[1].credits.free_at(Time::ns(100), 2);
  EXPECT_TRUE(bed.lanes.may_lack_credits());
  EXPECT_EQ(bed.lanes.flits_out(Time::ns(99)), 2);
  EXPECT_EQ(bed.lanes.flits_out(1, Time::ns(99)), 2);
  EXPECT_EQ(bed.lanes.flits_out(0, Time::ns(99)), 0);
  EXPECT_EQ(bed.lanes.next_freed(Time::ns(99)), Time::ns(100));
  EXPECT_EQ(bed.lanes.flits_out(Time::ns(100)), 0);
  EXPECT_FALSE(bed.lanes.may_lack_credits());
  EXPECT_EQ(bed.lanes.next_freed(Time::ns(100)), Time::never());
}

// A lane that is paused has no credits for anything; afterwards it has all of them again. The other
// lane has its own.
TEST(PortLanes, APausedOneHasNoCredits) {
  LanesBed bed({"packet.lanes=2", "packet.buffer=40"});
  const Time now = Time::us(1);
  bed.lanes.pause(0);
  EXPECT_FALSE(bed.lanes[0].credits.allow(1, now, now));
  EXPECT_TRUE(bed.lanes[1].credits.allow(40, now, now));
  bed.lanes.end_pause(0);
  EXPECT_TRUE(bed.lanes[0].credits.allow(40, now, now));
}

// Without several lanes for data there is nothing to arbitrate: lane 0, if it is ready.
TEST(PortLanes, OneNeedsNoArbiter) {
  LanesBed bed;
  EXPECT_EQ(bed.lanes.choose(1), 0);
  EXPECT_EQ(bed.lanes.choose(0), -1);
}

}  // namespace
}  // namespace heddle::network
