#include "platform/topology/several_adapters.hpp"

#include <gmock/gmock.h>

#include <set>

#include "machine_support.hpp"
#include "platform/node_names.hpp"
#include "topology_checks.hpp"

namespace heddle::platform {
namespace {

const std::string kTree = "topology: {kind: fat-tree}\nfat-tree: {arity: 4, levels: 2}\n";

std::set<std::string> links_of_route(const Platform& platform, Endpoint from, Endpoint to) {
  std::set<std::string> names;
  Walk walk = platform.routes().walk(from, to, 0);
  for (LinkId link; (link = platform.routes().next(walk, NoLoads{})) != kNoLink;) {
    names.insert(platform.links().name(link));
  }
  return names;
}

// One adapter is what every machine has: nothing is wrapped.
TEST(SeveralAdapters, AreNotThereUnlessAskedFor) {
  const auto platform = platform_of(kTree);
  EXPECT_EQ(platform->adapters(), 1U);
  EXPECT_EQ(platform->topology().describe().find("adapter"), std::string::npos);
}

// Two planes of 16 nodes: as many nodes, twice the switches and cables; every node has a cable into
// either plane, and a message of adapter 1 meets switches of plane 1 only.
TEST(SeveralAdapters, OfPlanesLeadToOneFabricEach) {
  const auto one = platform_of(kTree);
  const auto two = platform_of(kTree, {"node.adapters=2"});
  EXPECT_EQ(two->nodes(), one->nodes());
  EXPECT_EQ(two->topology().switches(), 2 * one->topology().switches());
  EXPECT_EQ(two->topology().cables(), 2 * one->topology().cables());
  check_structure(two->topology());
  for (const std::uint8_t adapter : {0, 1}) {
    const auto links =
        links_of_route(*two, {NodeId{0}, Port::nic, adapter}, {NodeId{15}, Port::nic, adapter});
    EXPECT_EQ(links.size(), 4U);
    for (const std::string& link : links) {
      EXPECT_NE(link.find(adapter == 0 ? "p0.L" : "p1.L"), std::string::npos) << link;
    }
  }
}

// A tree with 4 places on each of its leaves, and 4 adapters to a node: nodes 0 to 3 share leaves 0
// to 3, adapter a of each on leaf a. So adapters of one number of these nodes are two links apart,
// and adapters of different numbers as far as leaves are, four.
TEST(SeveralAdapters, OnRailsShareALeafByTheirNumber) {
  const auto platform = platform_of(kTree, {"node.adapters=4", "node.adapter_map=rails"});
  ASSERT_EQ(platform->nodes(), 4U);
  check_structure(platform->topology());
  for (std::uint8_t a = 0; a < 4; ++a) {
    for (std::uint8_t b = 0; b < 4; ++b) {
      const auto links =
          links_of_route(*platform, {NodeId{0}, Port::nic, a}, {NodeId{3}, Port::nic, b});
      EXPECT_EQ(links.size(), a == b ? 2U : 4U) << int{a} << " to " << int{b};
    }
  }
}

// Adapters that are neighbours hang on one leaf: their cables are twins, with names of their own.
TEST(SeveralAdapters, SideBySideHaveTwinCables) {
  const auto platform = platform_of(kTree, {"node.adapters=2", "node.adapter_map=neighbours"});
  ASSERT_EQ(platform->nodes(), 8U);
  EXPECT_EQ(links_of_route(*platform, {NodeId{0}, Port::nic, 0}, {NodeId{1}, Port::nic, 0}),
            (std::set<std::string>{"n0->L1.0", "L1.0->n1"}));
  EXPECT_EQ(links_of_route(*platform, {NodeId{0}, Port::nic, 1}, {NodeId{1}, Port::nic, 1}),
            (std::set<std::string>{"n0->L1.0#1", "L1.0->n1#1"}));
}

// Devices 0 and 1 of a node are joined by the switch inside it, each by a cable of its own; a
// message that stays at its device takes the loopback, as does one of a node without such cables.
TEST(SeveralAdapters, InsideTheNodeHaveASwitch) {
  const auto platform = platform_of(
      kTree, {"node.adapters=2", "node.inner_bandwidth=1Tbps", "node.loopback_latency=1us"});
  const NodeId node{3};
  const Endpoint first{node, Port::memory, 0};
  const Endpoint second{node, Port::memory, 1};
  EXPECT_EQ(links_of_route(*platform, first, second),
            (std::set<std::string>{"n3 inner 0 out", "n3 inner 1 in"}));
  EXPECT_EQ(links_of_route(*platform, second, first),
            (std::set<std::string>{"n3 inner 1 out", "n3 inner 0 in"}));
  EXPECT_EQ(links_of_route(*platform, first, first), (std::set<std::string>{"n3 loopback"}));
  const auto without = platform_of(kTree, {"node.adapters=2", "node.loopback_latency=1us"});
  EXPECT_EQ(links_of_route(*without, first, second), (std::set<std::string>{"n3 loopback"}));
}

// What goes to that switch, as it reduces, takes the device's cable alone, and what comes from it
// as well. Nodes without cables inside have no switch that could.
TEST(SeveralAdapters, TheSwitchInsideMayReduce) {
  const auto platform =
      platform_of(kTree, {"node.adapters=2", "node.inner_latency=1us", "node.inner_reduction=yes"});
  const NodeId node{3};
  const Endpoint inside{node, Port::inner, 0};
  EXPECT_EQ(links_of_route(*platform, {node, Port::memory, 0}, inside),
            (std::set<std::string>{"n3 inner 0 out"}));
  EXPECT_EQ(links_of_route(*platform, inside, {node, Port::memory, 1}),
            (std::set<std::string>{"n3 inner 1 in"}));
  EXPECT_THAT(error_of([] { platform_of(kTree, {"node.inner_reduction=yes"}); }),
              testing::HasSubstr("no switch inside nodes"));
  EXPECT_THAT(error_of([] {
                platform_of(kTree, {"node.adapters=2", "node.inner_reduction=yes"});
              }),
              testing::HasSubstr("node.inner_bandwidth"));
}

// Numbers of links are those of the fabric, then six of each node and two for each adapter.
TEST(SeveralAdapters, CountTheCablesOfNodes) {
  const auto platform = platform_of(kTree, {"node.adapters=2", "node.inner_latency=1ns"});
  EXPECT_EQ(platform->links().ids(), platform->topology().links() + 16 * (6 + 4));
  std::set<std::string> names;
  for (std::uint32_t id = 0; id < platform->links().ids(); ++id) {
    if (platform->links()[LinkId{id}].duplex == Duplex::half && id % 2 == 1) continue;
    EXPECT_TRUE(names.insert(platform->links().name(LinkId{id})).second)
        << platform->links().name(LinkId{id});
  }
}

TEST(SeveralAdapters, ThatDoNotFitAreRefused) {
  const auto three = complaint_about(kTree, {"node.adapters=3", "node.adapter_map=neighbours"});
  EXPECT_NE(three.find("16 places of the fabric cannot be shared out to nodes of 3 adapters: "
                       "accepted is a fabric with a multiple of 3 places"),
            std::string::npos)
      << three;
  const auto direct =
      complaint_about("topology: {kind: graph}\ngraph: {edges: \"a b\"}\n", {"node.adapters=2"});
  EXPECT_NE(direct.find("has no single cable to a switch"), std::string::npos) << direct;
  const auto own = complaint_about(kTree + "overrides: [{nodes: n0, adapters: 2}]\n");
  EXPECT_NE(own.find("'adapters' is the same for all nodes"), std::string::npos) << own;
}

}  // namespace
}  // namespace heddle::platform
