#include "network/packet/output_stage.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

/// Links 0 and 1 are those from node 0 to the switch and back.
struct StageBed : PacketBed {
  using PacketBed::PacketBed;
  Passage take(OutputStage& stage, const PortKind& kind, std::int64_t bytes, Time now) {
    return stage.take(kind, LinkId{0}, packet(bytes), now, clock);
  }
  PortKind from_node{context, LinkId{0}};
  PortKind to_node{context, LinkId{1}};
  CreditClock clock{Time::zero(), Time::zero()};
};

// 100 B are two flits: the wire takes 5.12 ns for the first and 2.88 ns for the 36 B of the second,
// the crossbar 0.64 ns and 0.36 ns. Until it has begun, all of that is before the wire.
TEST(OutputStage, APacketKeepsCrossbarAndWire) {
  StageBed bed({"packet.crossbar=0.01ns/B"});
  OutputStage stage;
  const Passage passage = bed.take(stage, bed.from_node, 100, Time::zero());
  EXPECT_EQ(passage.begin, Time::zero());
  EXPECT_EQ(passage.end, Time::ns(8));
  EXPECT_EQ(passage.lost, Time::never());
  EXPECT_EQ(passage.last_passed, Time::ps(640));
  EXPECT_EQ(stage.wire_free(), Time::ns(8));
  EXPECT_EQ(stage.crossbar_free(), Time::ns(1));
  EXPECT_EQ(stage.queued(bed.from_node, Time::zero()), Bytes(100));
  EXPECT_EQ(stage.queued(bed.from_node, Time::ns(4)), Bytes(50));
}

// One that is let through at once behind it is on the wire when the first has left it.
TEST(OutputStage, PacketsFollowEachOtherOnTheWire) {
  StageBed bed;
  OutputStage stage;
  bed.take(stage, bed.from_node, 100, Time::zero());
  const Passage second = bed.take(stage, bed.from_node, 64, Time::ns(1));
  EXPECT_EQ(second.begin, Time::ns(8));
  EXPECT_EQ(second.end, Time::ps(8'000 + 5'120));
}

// Behind the arbiter of a switch 25 ns pass before the wire.
TEST(OutputStage, ASwitchTakesTimeBeforeTheWire) {
  StageBed bed;
  OutputStage stage;
  EXPECT_EQ(bed.take(stage, bed.to_node, 64, Time::ns(10)).begin, Time::ns(35));
}

// Flits that come 20 ns behind each other leave so, too: the wire, which could be faster, waits.
TEST(OutputStage, FlitsLeaveNoFasterThanTheyCome) {
  StageBed bed;
  OutputStage stage;
  Packet& packet = bed.packet(3 * 64);
  packet.spacing = Time::ns(20);
  const Passage passage = stage.take(bed.from_node, LinkId{0}, packet, Time::zero(), bed.clock);
  EXPECT_EQ(passage.last_passed, Time::ns(40));
  EXPECT_EQ(passage.spacing, Time::ns(20));
  EXPECT_EQ(passage.end, Time::ps(40'000 + 5'120));
}

// An output buffer of 4 flits has room for a packet of one flit, and one flit more, when 2 flits
// are before the wire: 10.24 ns before it is free.
TEST(OutputStage, PacketsWaitForRoomBeforeTheWire) {
  StageBed bed({"packet.max_packet=128B", "packet.switch_output=4", "packet.host_output=4"});
  OutputStage stage;
  bed.take(stage, bed.from_node, 640, Time::zero());
  ASSERT_EQ(stage.wire_free(), Time::ps(51'200));
  EXPECT_EQ(stage.room_at(bed.from_node, bed.packet(64)), Time::ps(51'200 - 10'240));
}

// Of a half-duplex cable both directions keep one wire.
TEST(OutputStage, DirectionsCanShareAWire) {
  StageBed bed;
  OutputStage there;
  OutputStage back;
  back.share_wire(there);
  bed.take(there, bed.from_node, 100, Time::zero());
  EXPECT_EQ(back.wire_free(), Time::ns(8));
  EXPECT_EQ(back.crossbar_free(), Time::zero());
}

}  // namespace
}  // namespace heddle::network
