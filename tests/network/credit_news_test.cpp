#include "network/packet/credit_news.hpp"

#include <gtest/gtest.h>

#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

/// A link of 100 ns, with a buffer of 40 flits at its end.
struct NewsBed : PacketBed {
  NewsBed() : PacketBed({"packet.buffer=40"}) {}
  PortKind kind{context, LinkId{0}};
  PortLanes lanes{kind};
  CreditNews news{CreditClock(Time::zero(), Time::zero())};
};

// Without flow-control packets news is as old as the wire is long.
TEST(CreditNews, IsAsOldAsTheWireIsLong) {
  NewsBed bed;
  EXPECT_EQ(bed.news.known(bed.kind, Time::ns(250)), Time::ns(150));
  EXPECT_EQ(bed.news.hears_of(bed.kind, Time::ns(300)), Time::ns(400));
}

// 3 flits are beyond the link. Two of them leave the buffer there at 300 ns, as is known at 400 ns:
// one is left. Nothing else is known to leave.
TEST(CreditNews, TellsOfFlitsThatHaveLeft) {
  NewsBed bed;
  EXPECT_EQ(bed.news.next(bed.lanes), Time::never());
  bed.lanes.sent(bed.packet(3 * 64));
  bed.lanes[0].credits.free_at(Time::ns(300), 2);
  EXPECT_EQ(bed.news.flits_beyond(bed.lanes), 3);
  EXPECT_EQ(bed.news.next(bed.lanes), Time::ns(400));
  bed.simulation.run_until(Time::ns(399));
  EXPECT_EQ(bed.news.flits_beyond(bed.lanes), 3);
  bed.simulation.run_until(Time::ns(400));
  EXPECT_EQ(bed.news.flits_beyond(bed.lanes), 1);
  EXPECT_EQ(bed.news.flits_beyond(bed.lanes, 0), 1);
  EXPECT_EQ(bed.news.next(bed.lanes), Time::never());
}

}  // namespace
}  // namespace heddle::network
