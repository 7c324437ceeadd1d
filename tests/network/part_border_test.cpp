#include "network/packet/part_border.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

/// Even links belong to part 0, odd ones to part 1; node 0 to part 0 and nodes 1 and 2 to part 1.
struct Places {
  explicit Places(const platform::Platform& platform) {
    for (std::uint32_t l = 0; l < platform.links().ids(); ++l) of_link.push_back(l % 2);
  }
  PacketPlaces places() const { return {of_link, of_vertex, 2}; }
  std::vector<std::uint16_t> of_link;
  std::vector<std::uint16_t> of_vertex = {0, 1, 1, 0};
};

// Part 0 keeps packets that go on over its own links or end at its nodes; others are in the mail to
// part 1 from when the window is over until the next one is.
TEST(PartBorder, SendsPacketsToThePartThatGoesOnWithThem) {
  PacketBed bed;
  const Places places(bed.platform);
  PartBorder border(places.places(), 0);
  Packet& packet = bed.packet(64);
  packet.coming = LinkId{2};
  EXPECT_FALSE(border.takes(packet, Time::ns(5)));
  packet.coming = kNoLink;
  packet.walk.destination.node = NodeId{0};
  EXPECT_FALSE(border.takes(packet, Time::ns(5)));
  packet.walk.destination.node = NodeId{2};
  EXPECT_TRUE(border.takes(packet, Time::ns(7)));
  EXPECT_TRUE(border.sent_to(1).packets.empty()) << "not before the window is over";
  EXPECT_EQ(border.turn_over(), Time::ns(7));
  ASSERT_EQ(border.sent_to(1).packets.size(), 1U);
  EXPECT_EQ(border.sent_to(1).packets[0].packet, &packet);
  EXPECT_EQ(border.turn_over(), Time::never());
  EXPECT_TRUE(border.sent_to(1).packets.empty());
}

// Room that is free at 50 ns in the buffer behind a cable of 100 ns is heard of at 150 ns.
TEST(PartBorder, SendsRoomToThePartOfThePortBefore) {
  PacketBed bed;
  const Places places(bed.platform);
  OutputPort& port = bed.port(0, true);
  const std::uint32_t part = places.of_link[index(port.link())];
  Packet& packet = bed.packet(128, &port);
  EXPECT_FALSE(PartBorder(places.places(), part).takes_room(packet, Time::ns(50)));
  PartBorder border(places.places(), 1 - part);
  EXPECT_TRUE(border.takes_room(packet, Time::ns(50)));
  EXPECT_EQ(border.turn_over(), Time::ns(150));
  ASSERT_EQ(border.sent_to(part).credits.size(), 1U);
  EXPECT_EQ(border.sent_to(part).credits[0].flits, 2U);
}

}  // namespace
}  // namespace heddle::network
