// Room in input buffers that lanes of a link, or all links into a switch, share.
#include "network/packet/buffer_pool.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

/// Packets of two flits, buffers of four per lane.
PacketBed bed_with(const char* sharing, const char* lanes) {
  return PacketBed({"packet.max_packet=128B", "packet.buffer=4",
                    std::string("packet.lanes=") + lanes,
                    std::string("packet.buffer_sharing=") + sharing});
}

void offer(PacketBed& bed, OutputPort& port, std::uint8_t lane, int packets) {
  for (int i = 0; i < packets; ++i) {
    Packet& packet = bed.packet(128);
    packet.lane = lane;
    port.enter(packet);
  }
}

/// How many packets have passed a lane of the port when nothing happens any more.
std::int64_t passed(PacketBed& bed, const OutputPort& port, std::size_t lane = 0) {
  bed.simulation.run();
  return port.lanes()[lane].packets;
}

// Of two lanes with four flits each, two are each lane's own and 2 * (4 - 2) are shared: one lane
// alone puts three packets of two flits there, and still the other one has room for one.
TEST(BufferPool, ALaneTakesWhatOthersLeave) {
  PacketBed bed = bed_with("port", "2");
  BufferPools pools(bed.context);
  OutputPort& port = bed.port(0, true);
  pools.add(port);
  offer(bed, port, 0, 5);
  EXPECT_EQ(passed(bed, port, 0), 3);
  offer(bed, port, 1, 2);
  EXPECT_EQ(passed(bed, port, 1), 1);
  EXPECT_EQ(passed(bed, port, 0), 3);
}

// Room that lane 0 leaves at 300 ns is heard of at 400 ns, and taken by whichever lane waits.
TEST(BufferPool, RoomOfOneLaneIsRoomForAnother) {
  PacketBed bed = bed_with("port", "2");
  BufferPools pools(bed.context);
  OutputPort& port = bed.port(0, true);
  pools.add(port);
  offer(bed, port, 0, 3);
  EXPECT_EQ(passed(bed, port, 0), 3);
  offer(bed, port, 1, 2);
  EXPECT_EQ(passed(bed, port, 1), 1);
  port.free_at(0, Time::ns(300), 2);
  EXPECT_EQ(passed(bed, port, 1), 2);
  EXPECT_EQ(bed.around.sent_packets.back().there, Time::ns(400 + 100));
}

// Without sharing each lane has its four flits.
TEST(BufferPool, LanesShareNothingByThemselves) {
  PacketBed bed = bed_with("lane", "2");
  OutputPort& port = bed.port(0, true);
  offer(bed, port, 0, 5);
  offer(bed, port, 1, 5);
  EXPECT_EQ(passed(bed, port, 0), 2);
  EXPECT_EQ(passed(bed, port, 1), 2);
}

// Three links into a switch have two flits each and 3 * (4 - 2) together. Node 0 alone puts four
// packets there; node 1 then has room for its own one, and for another when one of node 0's has
// left at 300 ns, of which node 0 hears, and with it all, at 400 ns.
TEST(BufferPool, LinksIntoASwitchShareItsMemory) {
  PacketBed bed = bed_with("switch", "1");
  BufferPools pools(bed.context);
  OutputPort& one = bed.port(0, true);
  OutputPort& other = bed.port(1, true);
  pools.add(one);
  pools.add(other);
  offer(bed, one, 0, 4);
  EXPECT_EQ(passed(bed, one), 4);
  offer(bed, other, 0, 3);
  EXPECT_EQ(passed(bed, other), 1);
  one.free_at(0, Time::ns(300), 2);
  EXPECT_EQ(passed(bed, other), 2);
  EXPECT_EQ(bed.around.sent_packets.back().there, Time::ns(400 + 100));
}

}  // namespace
}  // namespace heddle::network
