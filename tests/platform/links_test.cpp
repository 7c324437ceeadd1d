#include "platform/links.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "platform/topology/single_switch.hpp"

namespace heddle::platform {
namespace {

const LinkParams kCable{Bandwidth::gbps(100), {}, Time::ns(10), Duplex::full};
const SwitchParams kSwitch{Time::ns(300)};

/// With a bus that holds messages up, and nothing else.
NodeParams with_bus(std::int64_t adapters = 1) {
  NodeParams node;
  node.pcie_bandwidth = Bandwidth::gbps(64);
  node.pcie_latency = Time::ns(200);
  node.adapters = adapters;
  return node;
}

LinkId id(std::uint32_t number) {
  return LinkId{number};
}

// A cable of 10 ns between a node and a switch of 300 ns: 10 ns towards the switch, and 310 ns out
// of it, as the switch counts with the link that leaves it. Links of another cable stay as they
// are when one gets other values; both of its own change.
TEST(FabricCables, LinksOutOfSwitchesHaveTheirLatency) {
  const SingleSwitch star(3);
  FabricCables cables(star, kCable, kSwitch, star.links());
  const auto latency = [&](std::uint32_t link) { return cables.find(id(link)).latency; };
  ASSERT_FALSE(star.is_switch(star.ends(id(2)).from));
  EXPECT_EQ(latency(2), Time::ns(10));
  EXPECT_EQ(latency(3), Time::ns(310));
  cables.set(1, {Bandwidth::gbps(10), {}, Time::ns(50), Duplex::half});
  EXPECT_EQ(latency(2), Time::ns(50));
  EXPECT_EQ(latency(3), Time::ns(350));
  EXPECT_EQ(latency(4), Time::ns(10));
  EXPECT_EQ(cables.params(1).bandwidth, Bandwidth::gbps(10));
  EXPECT_EQ(cables.params(2), kCable);
}

// What a link is like is worked out when somebody asks, and known then until its cable gets other
// values; where it leads stays. Of a link that is not the fabric's nothing is ever known.
TEST(FabricCables, KnowWhatWasAskedFor) {
  const SingleSwitch star(5);
  FabricCables cables(star, kCable, kSwitch, star.links() + 1);
  for (std::uint32_t l = 0; l < star.links(); ++l) {
    EXPECT_EQ(cables.known(id(l)), 0U);
    const Link found = cables.find(id(l));
    ASSERT_NE(cables.known(id(l)), 0U);
    EXPECT_EQ(cables.numbered(cables.known(id(l))), found);
    for (int times = 0; times < 2; ++times) {
      EXPECT_EQ(cables.end_of(id(l)), star.ends(id(l)).to);
    }
  }
  cables.set(3, {Bandwidth::gbps(1), {}, Time::ns(1), Duplex::full});
  EXPECT_EQ(cables.known(id(6)), 0U);
  EXPECT_EQ(cables.known(id(7)), 0U);
  EXPECT_NE(cables.known(id(8)), 0U);
  EXPECT_EQ(cables.find(id(6)).bandwidth, Bandwidth::gbps(1));
  EXPECT_EQ(cables.known(id(star.links())), 0U);
}

// Only the bus has a bandwidth and a latency: only it can hold messages up. A node that gets a
// loopback of its own has it, and its neighbour does not.
TEST(NodeCables, KnowWhichCablesMatter) {
  NodeCables cables(100, 2, with_bus());
  EXPECT_TRUE(cables.has(NodeId{0}, NodeCable::pcie));
  EXPECT_FALSE(cables.has(NodeId{0}, NodeCable::limiter));
  EXPECT_FALSE(cables.has(NodeId{0}, NodeCable::loopback));
  NodeParams other = with_bus();
  other.loopback_latency = Time::ns(5);
  cables.set(NodeId{1}, other);
  EXPECT_TRUE(cables.has(NodeId{1}, NodeCable::loopback));
  EXPECT_FALSE(cables.has(NodeId{0}, NodeCable::loopback));
  EXPECT_EQ(cables[cables.link(NodeId{1}, NodeCable::loopback, true)].latency, Time::ns(5));
  EXPECT_EQ(cables.params(NodeId{1}), other);
}

// Ids begin where those of the fabric end. With one adapter each node has three cables of two links
// each; with four it has four more, one for each device. All are told apart, and lead back to their
// node and kind.
TEST(NodeCables, EveryLinkHasAnIdOfItsOwn) {
  EXPECT_EQ(NodeCables(100, 5, with_bus()).end(), 100U + 5 * 6);
  const NodeCables cables(100, 5, with_bus(4));
  EXPECT_EQ(cables.end(), 100U + 5 * (6 + 8));
  std::set<LinkId> ids;
  for (std::uint32_t n = 0; n < 5; ++n) {
    const NodeId node{n};
    for (const bool inward : {false, true}) {
      for (const NodeCable cable : {NodeCable::pcie, NodeCable::limiter, NodeCable::loopback}) {
        const LinkId link = cables.link(node, cable, inward);
        EXPECT_TRUE(ids.insert(link).second);
        EXPECT_EQ(cables.node_of(link), node);
        EXPECT_EQ(cables.cable_of(link), cable);
      }
      for (std::uint8_t adapter = 0; adapter < 4; ++adapter) {
        const LinkId link = cables.inner_link({node, Port::nic, adapter}, inward);
        EXPECT_TRUE(ids.insert(link).second);
        EXPECT_EQ(cables.node_of(link), node);
        EXPECT_EQ(cables.cable_of(link), NodeCable::inner);
      }
    }
  }
  EXPECT_EQ(*ids.begin(), id(100));
  EXPECT_EQ(*ids.rbegin(), id(cables.end() - 1));
  EXPECT_EQ(ids.size(), 5U * 14);
}

// A full-duplex link has its capacity to itself; of a half-duplex cable both directions use that of
// the even one. Names say which is which.
TEST(Links, ShareTheCapacityOfHalfDuplexCables) {
  const SingleSwitch star(2);
  Links links(star, kCable, kSwitch, with_bus());
  EXPECT_EQ(links.capacity(id(1)), id(1));
  EXPECT_EQ(links.name(id(0)), "n0->s0");
  LinkParams half = kCable;
  half.duplex = Duplex::half;
  links.fabric().set(0, half);
  EXPECT_EQ(links.capacity(id(1)), id(0));
  EXPECT_EQ(links.capacity(id(0)), id(0));
  EXPECT_EQ(links.capacity(id(3)), id(3));
  EXPECT_EQ(links.name(id(0)), "n0<->s0");
}

// The fabric's links come first: 2 cables are 4 links; then each node has 6. Those inside nodes
// join no vertices, and are called after their node.
TEST(Links, ThoseInsideNodesFollowTheFabrics) {
  const SingleSwitch star(2);
  const Links links(star, kCable, kSwitch, with_bus());
  EXPECT_EQ(links.ids(), 4U + 2 * 6);
  EXPECT_TRUE(links.is_of_fabric(id(3)));
  EXPECT_FALSE(links.is_of_fabric(id(4)));
  EXPECT_EQ(links.ends(id(3)).from, VertexId{2});
  EXPECT_EQ(links.ends(id(4)).from, kNoVertex);
  const LinkId bus = links.nodes().link(NodeId{1}, NodeCable::pcie, true);
  EXPECT_EQ(links.name(bus), "n1 pcie in");
  EXPECT_EQ(links[bus].latency, Time::ns(200));
  EXPECT_FALSE(links.is_loopback(bus));
  EXPECT_TRUE(links.is_loopback(links.nodes().link(NodeId{0}, NodeCable::loopback, false)));
  EXPECT_FALSE(links.is_loopback(id(0)));
}

}  // namespace
}  // namespace heddle::platform
