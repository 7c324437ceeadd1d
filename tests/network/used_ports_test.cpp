#include "network/packet/used_ports.hpp"

#include <gtest/gtest.h>

#include "network/packet/port_loads.hpp"
#include "network/packet/used_hosts.hpp"
#include "network/packet_bed.hpp"

namespace heddle::network {
namespace {

struct UsedPortsBed : PacketBed {
  using PacketBed::PacketBed;
  UsedCrossbars crossbars{context};
  UsedPorts ports{context, crossbars};
  UsedHosts hosts{context};
};

// A port is made when it is asked for, together with that of the other direction, and stays where
// it is; others are not made. They are visited in the order of their links, not of their making.
TEST(UsedPorts, AreMadeWhenFirstUsed) {
  UsedPortsBed bed;
  EXPECT_EQ(bed.ports.find(LinkId{3}), nullptr);
  OutputPort& port = bed.ports[LinkId{3}];
  EXPECT_EQ(port.link(), LinkId{3});
  EXPECT_EQ(bed.ports.find(LinkId{3}), &port);
  EXPECT_NE(bed.ports.find(LinkId{2}), nullptr);
  EXPECT_EQ(bed.ports.find(LinkId{0}), nullptr);
  EXPECT_EQ(&bed.ports[LinkId{3}], &port);
  bed.ports[LinkId{0}];
  std::vector<LinkId> visited;
  bed.ports.for_each([&](const OutputPort& used) { visited.push_back(used.link()); });
  EXPECT_EQ(visited, (std::vector{LinkId{0}, LinkId{1}, LinkId{2}, LinkId{3}}));
}

// Links of one kind have what they have in common once.
TEST(UsedPorts, ShareTheirKinds) {
  UsedPortsBed bed;
  EXPECT_EQ(&bed.ports[LinkId{0}].kind(), &bed.ports[LinkId{2}].kind());
  EXPECT_NE(&bed.ports[LinkId{0}].kind(), &bed.ports[LinkId{1}].kind());
}

// A host is its adapter's, whoever asks: an endpoint that leaves the adapter open means the first.
TEST(UsedHosts, AreThoseOfAdapters) {
  UsedPortsBed bed;
  const platform::Endpoint memory{NodeId{1}, platform::Port::memory};
  EXPECT_EQ(bed.hosts.find(memory), nullptr);
  PacketHost& host = bed.hosts[memory];
  const platform::Endpoint first{NodeId{1}, platform::Port::nic, 0};
  EXPECT_EQ(&bed.hosts[first], &host);
  EXPECT_EQ(bed.hosts.find({NodeId{2}}), nullptr);
  int visited = 0;
  bed.hosts.for_each([&](const PacketHost& used) { visited += &used == &host; });
  EXPECT_EQ(visited, 1);
}

// A link that nobody has used has no load. Ten flits that wait for it are worth 51.2 ns, as are
// those that its wire is busy with. When they are sent, their credits are out: the backlog is twice
// that.
TEST(PortLoads, AreTheTimeThatAPacketWouldWait) {
  UsedPortsBed bed;
  const PortLoads loads(bed.context, bed.ports);
  const LinkId link{0};
  EXPECT_EQ(loads.load(link), 0);
  EXPECT_EQ(loads.backlog(link), 0);
  bed.ports[link].enter(bed.packet(640));
  EXPECT_EQ(loads.load(link), 51'200);
  EXPECT_EQ(loads.backlog(link), 51'200);
  bed.simulation.run();
  ASSERT_EQ(bed.simulation.now(), Time::zero());
  EXPECT_EQ(loads.load(link), 51'200);
  EXPECT_EQ(loads.backlog(link), 2 * 51'200);
}

}  // namespace
}  // namespace heddle::network
