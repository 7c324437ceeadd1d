#include "network/packet/packet_records.hpp"

#include <gtest/gtest.h>

#include "network/packet/arrival_counts.hpp"
#include "network/packet/packet_marker.hpp"
#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

struct RecordsBed : PacketBed {
  using PacketBed::PacketBed;
  Transfer transfer(std::int64_t bytes) const {
    Transfer result;
    result.source = {NodeId{0}};
    result.destination = {NodeId{2}};
    result.size = Bytes(bytes);
    return result;
  }
  PacketRecords records{nullptr, plan, 7};
};

// Packets carry 1,000 B each: 2,001 B are three, and nothing is one, too.
TEST(PacketRecords, AMessageKnowsItsPackets) {
  RecordsBed bed({"packet.max_packet=1000B", "packet.header=0B"});
  EXPECT_EQ(bed.records.new_message(bed.transfer(2001), Time::zero()).packets_left, 3);
  EXPECT_EQ(bed.records.new_message(bed.transfer(0), Time::zero()).packets_left, 1);
  EXPECT_EQ(bed.records.messages(), 2U);
}

// Packets are numbered from the first salt on, and begin at their source. One that is given back is
// used again, as a new one.
TEST(PacketRecords, PacketsAreNumberedAndUsedAgain) {
  RecordsBed bed;
  const Message& message = bed.records.new_message(bed.transfer(10), Time::zero());
  Packet& first = bed.records.new_packet(message);
  EXPECT_EQ(first.walk.hop.salt, 7U);
  EXPECT_EQ(first.walk.destination.node, NodeId{2});
  first.lost = true;
  bed.records.give_back(first);
  EXPECT_EQ(bed.records.packets(), 0U);
  Packet& second = bed.records.new_packet(message);
  EXPECT_EQ(&second, &first);
  EXPECT_EQ(second.walk.hop.salt, 8U);
  EXPECT_FALSE(second.lost);
  TrackedPacket& tracked = bed.records.new_tracked_packet({NodeId{0}}, {NodeId{1}});
  EXPECT_EQ(tracked.order, 9U);
  EXPECT_EQ(bed.records.packets(), 2U);
  bed.records.give_back(tracked);
  EXPECT_EQ(bed.records.packets(), 1U);
}

// A notification goes back to where the packet came from, and belongs to no client.
TEST(PacketRecords, NotificationsGoToTheSource) {
  RecordsBed bed;
  const Message& message = bed.records.new_message(bed.transfer(10), Time::zero());
  const Message& told = bed.records.new_notification(bed.records.new_packet(message));
  EXPECT_TRUE(told.notification);
  EXPECT_EQ(told.transfer.source.node, NodeId{2});
  EXPECT_EQ(told.transfer.destination.node, NodeId{0});
  EXPECT_EQ(told.transfer.wants, 0);
  EXPECT_TRUE(bed.records.new_packet(told).told);
}

// Of packets 5, 4 and 6 of one flow, 5 has overtaken 4.
TEST(ArrivalCounts, CountPacketsThatOthersHaveOvertaken) {
  PacketBed bed;
  ReceivingHost host(bed.context, bed.simulation.new_source());
  ArrivalCounts arrivals;
  for (const std::uint32_t number : {5U, 4U, 6U}) {
    Packet& packet = bed.packet(64);
    packet.walk = platform::Routes::walk({NodeId{0}}, {NodeId{2}}, number);
    arrivals.add();
    arrivals.note_order(packet, host);
  }
  EXPECT_EQ(arrivals.counts().arrived, 3U);
  EXPECT_EQ(arrivals.counts().out_of_order, 1U);
}

/// Marks all.
class MarksAll final : public CongestionPoint {
 public:
  bool marks(const QueueSight&) override { return true; }
};

// Without a congestion point no packet is looked at; with one, none that adapters tell each other.
TEST(PacketMarker, LooksAtDataOnly) {
  PacketBed bed;
  Packet& packet = bed.packet(64);
  EXPECT_FALSE(PacketMarker(nullptr).looks_at(packet));
  PacketMarker marker(std::make_unique<MarksAll>());
  ASSERT_TRUE(marker.looks_at(packet));
  marker.look_at(packet, {});
  EXPECT_TRUE(packet.marked);
  EXPECT_EQ(marker.marked(), 1);
  packet.told = true;
  EXPECT_FALSE(marker.looks_at(packet));
}

}  // namespace
}  // namespace heddle::network
