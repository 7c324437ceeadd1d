#include "platform/failures/failures.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "core/random.hpp"
#include "platform/failures/degraded_fabric.hpp"
#include "platform/figures/metrics.hpp"
#include "platform/loads/static_loads.hpp"
#include "platform/machine_support.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// The neighbours of each vertex over the cables that are left.
std::vector<std::vector<std::uint32_t>> neighbours_in(const Topology& fabric) {
  std::vector<std::vector<std::uint32_t>> neighbours(fabric.vertices());
  for (std::uint32_t link = 0; link < fabric.links(); ++link) {
    const LinkEnds ends = fabric.ends(LinkId{link});
    neighbours[index(ends.from)].push_back(static_cast<std::uint32_t>(index(ends.to)));
  }
  return neighbours;
}

/// Links of the shortest paths from `start`, by brute force; -1 if there is none.
std::vector<int> distances_from(const std::vector<std::vector<std::uint32_t>>& neighbours,
                                std::uint32_t start) {
  std::vector<int> distance(neighbours.size(), -1);
  std::vector<std::uint32_t> order = {start};
  distance[start] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t next : neighbours[order[i]]) {
      if (distance[next] >= 0) continue;
      distance[next] = distance[order[i]] + 1;
      order.push_back(next);
    }
  }
  return distance;
}

std::vector<LinkId> route_links(const Topology& fabric, std::uint32_t from, std::uint32_t to) {
  LinkSet links;
  fabric.find_route(VertexId{from}, VertexId{to}, links);
  return {links.begin(), links.end()};
}

std::vector<bool> some_down(const Topology& topology, std::uint64_t seed, double share) {
  RandomStream random(seed);
  std::vector<bool> down(topology.cables());
  for (std::uint32_t c = 0; c < topology.cables(); ++c) {
    const LinkEnds ends = topology.ends(LinkId{2 * c});
    down[c] =
        topology.is_switch(ends.from) && topology.is_switch(ends.to) && random.uniform() < share;
  }
  return down;
}

class FailuresOfEveryKind : public testing::TestWithParam<std::string> {};

// With a sixth of the cables between switches down, routes are as long as a brute-force search
// says, cross the cables that are left only, and exist exactly where the search finds one. Fat
// trees, which have no way down and up again, may lack some and be longer.
TEST_P(FailuresOfEveryKind, RoutesGoRoundThem) {
  const Settings settings(topology_sections());
  for (const std::uint64_t seed : {1, 2, 3}) {
    auto whole = make_topology(GetParam(), settings);
    const std::vector<bool> down = some_down(*whole, seed, 1.0 / 6);
    const auto gone = static_cast<std::uint32_t>(std::ranges::count(down, true));
    const std::uint32_t cables = whole->cables();
    const DegradedFabric fabric(std::move(whole), down);
    EXPECT_EQ(fabric.cables(), cables - gone);
    const bool tree = GetParam() == "fat-tree";
    const auto neighbours = neighbours_in(fabric);
    for (std::uint32_t to = 0; to < fabric.nodes(); to += 7) {
      const std::vector<int> distance = distances_from(neighbours, to);
      for (std::uint32_t from = 0; from < fabric.nodes(); ++from) {
        if (from == to) continue;
        const bool has = fabric.has_route(VertexId{from}, VertexId{to});
        EXPECT_TRUE(tree || has == (distance[from] >= 0));
        if (!has) continue;
        const auto links = static_cast<int>(route_links(fabric, from, to).size());
        EXPECT_GE(links, distance[from]);
        EXPECT_TRUE(tree || links == distance[from]);
      }
    }
  }
}

std::vector<std::string> all_kinds() {
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) names.emplace_back(kind.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Failures, FailuresOfEveryKind, testing::ValuesIn(all_kinds()),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Without failures D-mod-K over what is left is D-mod-K, link by link, with any number of parents
// and parallel cables.
TEST(Failures, DModKWithoutFaultsIsDModK) {
  const FatTreeShape shapes[] = {FatTreeShape::k_ary_n_tree(4, 3),
                                 {{4, 3, 2}, {1, 2, 3}, {1, 2, 2}},
                                 {{6, 4}, {1, 3}, {1, 4}},
                                 {{3, 3}, {2, 2}, {1, 3}}};
  for (const FatTreeShape& shape : shapes) {
    const FatTree tree(shape);
    const DegradedFabric same(std::make_unique<FatTree>(shape), std::vector<bool>(tree.cables()));
    for (std::uint32_t from = 0; from < tree.nodes(); ++from) {
      for (std::uint32_t to = 0; to < tree.nodes(); ++to) {
        if (from == to) continue;
        ASSERT_EQ(route_links(same, from, to), route_links(tree, from, to))
            << tree.describe() << ": " << from << " to " << to;
      }
    }
  }
}

// In a tree with a quarter of the cables down every route climbs first and descends then: even
// links, then odd ones.
TEST(Failures, RoutesOfATreeGoUpThenDown) {
  auto tree = std::make_unique<FatTree>(FatTreeShape::k_ary_n_tree(4, 3));
  const std::vector<bool> down = some_down(*tree, 7, 0.25);
  const DegradedFabric fabric(std::move(tree), down);
  std::size_t routes = 0;
  for (std::uint32_t from = 0; from < fabric.nodes(); ++from) {
    for (std::uint32_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to || !fabric.has_route(VertexId{from}, VertexId{to})) continue;
      ++routes;
      const auto links = route_links(fabric, from, to);
      EXPECT_TRUE(std::ranges::is_partitioned(links, [](LinkId l) { return index(l) % 2 == 0; }));
    }
  }
  EXPECT_GT(routes, 3000U);
  EXPECT_FALSE(fabric.can_wait_in_circles(RouteChoice::fixed));
}

std::vector<std::string> missing(const std::string& section) {
  const std::string tree = "topology: {kind: fat-tree, arity: 4, levels: 2}\n";
  const auto whole = platform_of(tree);
  const auto left = platform_of(tree + section);
  std::set<std::string> names;
  for (std::uint32_t c = 0; c < left->topology().cables(); ++c) {
    names.insert(left->topology().link_name(LinkId{2 * c}));
  }
  std::vector<std::string> gone;
  for (std::uint32_t c = 0; c < whole->topology().cables(); ++c) {
    const std::string name = whole->topology().link_name(LinkId{2 * c});
    if (!names.contains(name)) gone.push_back(name);
  }
  return gone;
}

// A 4-ary 2-tree has 16 cables to nodes and 16 between its switches. Names take what they name; a
// share is drawn of those between switches, the same for the same seed, and a larger one has the
// smaller one in it. A switch takes its cables with it, an adapter its own.
// A tree of 32 places with 18 nodes has leaves without nodes, and parents of such beside those of
// others: with a cable between switches down all nodes still reach each other.
TEST(Failures, TreesWithEmptyPlacesAreWhole) {
  const auto platform = platform_of(
      "topology: {kind: fat-tree, down: [4, 4, 2], up: [1, 2, 2], nodes: 18}\n"
      "failures: {cables: L1.0->L2.0}\n");
  const Topology& fabric = platform->topology();
  for (std::uint32_t a = 0; a < fabric.nodes(); ++a) {
    for (std::uint32_t b = 0; b < fabric.nodes(); ++b) {
      if (a == b) continue;
      EXPECT_LE(route_links(fabric, a, b).size(), 6U) << a << " to " << b;
    }
  }
}

TEST(Failures, WhatIsDownIsNamedOrDrawn) {
  EXPECT_THAT(missing("failures: {cables: \"L1.0->L2.1, L2.3->L1.2\"}\n"),
              ElementsAre("L1.0->L2.1", "L1.2->L2.3"));
  EXPECT_THAT(missing("failures: {cables: \"L1.3->L2.*\"}\n"), SizeIs(4));
  EXPECT_THAT(missing("failures: {switches: L2.0}\n"), SizeIs(4));
  EXPECT_THAT(missing("failures: {switches: L1.0}\n"), SizeIs(8));
  EXPECT_THAT(missing("failures: {adapters: n3}\n"), ElementsAre("n3->L1.0"));
  const auto some = missing("failures: {cables: 12.5%}\n");
  EXPECT_THAT(some, SizeIs(2));
  EXPECT_EQ(some, missing("failures: {cables: 12.5%, seed: 1}\n"));
  EXPECT_NE(some, missing("failures: {cables: 12.5%, seed: 5}\n"));
  const auto more = missing("failures: {cables: 50%}\n");
  EXPECT_THAT(more, SizeIs(8));
  for (const std::string& name : some) EXPECT_THAT(more, testing::Contains(name));
  EXPECT_THAT(missing("failures: {cables: 0.1%}\n"), SizeIs(1));
  EXPECT_THAT(missing("failures: {cables: 0%}\n"), SizeIs(0));
}

// A quarter of 100 Gb/s is left of the one cable that is slow, and an override of another one that
// is down is no mistake.
TEST(Failures, CablesMayBeSlow) {
  const auto machine = platform_of(
      "topology: {kind: fat-tree, arity: 4, levels: 2}\n"
      "overrides: [{links: \"L1.1->L2.0\", latency: 7ns}]\n"
      "failures: {cables: \"L1.1->L2.0\", degraded: \"L1.0->L2.1\"}\n");
  for (std::uint32_t c = 0; c < machine->topology().cables(); ++c) {
    const bool slow = machine->topology().link_name(LinkId{2 * c}) == "L1.0->L2.1";
    EXPECT_EQ(machine->cable(c).bandwidth, Bandwidth::gbps(slow ? 25 : 100));
  }
}

// Values of an edge list stay with their cables when one before them is gone.
TEST(Failures, CablesOfAListKeepTheirValues) {
  const auto machine = platform_of(
      "topology:\n  kind: graph\n  edges: |\n    node a b\n    a s 1Gbps\n    s t 2Gbps\n"
      "    s t 3Gbps\n    t b 4Gbps\n    s u 5Gbps\n    u t 6Gbps\n    route a b : s u t\n",
      {"failures.cables=s->t"});
  const Topology& fabric = machine->topology();
  ASSERT_EQ(fabric.cables(), 5U);
  EXPECT_EQ(fabric.link_name(LinkId{2}), "s->t#1");
  EXPECT_EQ(machine->cable(1).bandwidth, Bandwidth::gbps(3));
  // The route that is given has lost nothing and is kept, though a shorter one is left.
  EXPECT_THAT(route_links(fabric, 0, 1), SizeIs(4));
  const auto cut = platform_of(
      "topology:\n  kind: graph\n  edges: |\n    node a b\n    a s\n    s t\n    t b\n    s u\n"
      "    u t\n    route a b : s u t\n",
      {"failures.cables=u->t"});
  EXPECT_THAT(route_links(cut->topology(), 0, 1), SizeIs(3));
}

// Four nodes on two switches with one cable between: without it 2 * 2 * 2 pairs have no way.
TEST(Failures, PairsWithoutAWayAreAWarning) {
  const auto machine = platform_of("topology: {kind: chain, switches: 2, nodes_per_switch: 2}\n",
                                   {"failures.cables=s0->s1"});
  ASSERT_THAT(machine->warnings(), SizeIs(1));
  EXPECT_THAT(machine->warnings()[0], HasSubstr("failures leave 8 of 12 pairs of nodes without a "
                                                "way, such as n0 to n2"));
  EXPECT_FALSE(machine->topology().has_route(VertexId{0}, VertexId{2}));
  EXPECT_THAT(error_of([&] { route_links(machine->topology(), 0, 2); }),
              HasSubstr("failures leave no way from n0 to n2"));
  EXPECT_THAT(route_links(machine->topology(), 0, 1), SizeIs(2));
}

TEST(Failures, WrongNamesSayWhatIsAccepted) {
  const auto complaint = [](const std::string& section) {
    return complaint_about("topology: {kind: fat-tree}\nfailures: {" + section + "}\n");
  };
  EXPECT_THAT(complaint("cables: x"), HasSubstr("m.yaml:2:20: no cable is called 'x'"));
  EXPECT_THAT(complaint("switches: n0"), HasSubstr("no switch is called 'n0': accepted are names "
                                                   "and globs such as 'L1.0'"));
  EXPECT_THAT(complaint("adapters: L1.0"), HasSubstr("no node is called 'L1.0'"));
  EXPECT_THAT(complaint("cables: 120%"), HasSubstr("accepted is 0% to 100%"));
}

// Valiant routing by way of switches that are left: every message arrives.
TEST(Failures, DetoursAvoidSwitchesThatAreDown) {
  const auto machine = platform_of("topology: {kind: hyperx, dims: 4x4, routing: valiant}\n",
                                   {"failures.switches=s1.1,s2.1", "failures.cables=20%"});
  const NoLoads loads;
  for (std::uint32_t salt = 0; salt < 200; ++salt) {
    Walk walk = machine->routes().walk({NodeId{0}}, {NodeId{machine->nodes() - 1}}, salt);
    std::size_t links = 0;
    while (machine->routes().next(walk, loads) != kNoLink) ASSERT_LT(++links, 40U);
  }
}

// By hand. D-mod-K: no shift has two flows on a link of a k-ary n-tree. A dragonfly with 4
// switches of 2 nodes in a group has one cable from a group to the next, so a shift by 8 puts 8
// flows on it: an eighth of the injection. Round a ring of 8 switches, 3 steps one way: 3 flows on
// every link.
TEST(StaticLoads, ShiftsOfKnownFabrics) {
  const auto tree = platform_of("topology: {kind: fat-tree, arity: 4, levels: 3}\n");
  EXPECT_EQ(worst_shift(*tree).load.flows, 1U);
  EXPECT_DOUBLE_EQ(worst_shift(*tree).load.saturation, 1);
  const auto dragonfly = platform_of(
      "topology: {kind: dragonfly, groups: 9, switches_per_group: 4, nodes_per_switch: 2, "
      "global_per_switch: 2}\n");
  EXPECT_EQ(shift_load(*dragonfly, 8).flows, 8U);
  EXPECT_DOUBLE_EQ(shift_load(*dragonfly, 8).saturation, 0.125);
  EXPECT_GE(worst_shift(*dragonfly).load.flows, 8U);
  const auto ring = platform_of("topology: {kind: torus, dims: \"8\", nodes_per_switch: 1}\n");
  EXPECT_EQ(shift_load(*ring, 3).flows, 3U);
}

// All shifts counted together find what one after the other does, the first of the worst: where
// routes depend on the destination only, in a torus of classes of sources, in a random graph on the
// pair, and with cables down.
TEST(StaticLoads, TheWorstShiftIsTheWorstOfAll) {
  for (const char* topology :
       {"topology: {kind: dragonfly, groups: 5, switches_per_group: 2, nodes_per_switch: 2, "
        "global_per_switch: 2}\n",
        "topology: {kind: torus, dims: \"4x4\", nodes_per_switch: 2}\n",
        "topology: {kind: jellyfish, switches: 12, ports: 4, nodes_per_switch: 2}\n",
        "topology: {kind: fat-tree, arity: 3, levels: 3}\nfailures: {cables: 5%}\n"}) {
    SCOPED_TRACE(topology);
    const auto platform = platform_of(topology);
    std::uint32_t worst = 1;
    for (std::uint32_t shift = 2; shift < platform->nodes(); ++shift) {
      if (shift_load(*platform, shift).flows > shift_load(*platform, worst).flows) worst = shift;
    }
    const WorstShift found = worst_shift(*platform);
    EXPECT_EQ(found.shift, worst);
    EXPECT_EQ(found.load.flows, shift_load(*platform, worst).flows);
    EXPECT_TRUE(found.all);
  }
}

// Everybody to everybody: the access links of a switch of 4 nodes bear all that is injected. In a
// chain of two switches with two nodes each, 2 * 2 of the 3 flows of 4 nodes cross the cable one
// way, each a third of a node's injection: 4/3 of it, so 3/4 is what it bears.
TEST(StaticLoads, UniformTraffic) {
  EXPECT_DOUBLE_EQ(uniform_load(*platform_of(kFour)).load.saturation, 1);
  const auto chain = platform_of("topology: {kind: chain, switches: 2, nodes_per_switch: 2}\n");
  EXPECT_EQ(uniform_load(*chain).load.flows, 4U);
  EXPECT_DOUBLE_EQ(uniform_load(*chain).load.inner, 0.75);
  EXPECT_EQ(uniform_load(*chain).load.longest, 3U);
  EXPECT_DOUBLE_EQ(uniform_load(*chain).load.saturation, 0.75);
  const auto slow = platform_of(
      "topology: {kind: chain, switches: 2, nodes_per_switch: 2}\n"
      "overrides: [{links: \"s0->s1\", bandwidth: 50Gbps}]\n");
  EXPECT_DOUBLE_EQ(uniform_load(*slow).load.saturation, 0.375);
  // In a 4 x 4 HyperX with two nodes to a switch a cable has the flows of 2 nodes to the 8 nodes of
  // a column, a 31st of a node's injection each. Between switches 31/16 of the injection would fit.
  const auto hyperx = platform_of("topology: {kind: hyperx, dims: 4x4, nodes_per_switch: 2}\n");
  EXPECT_DOUBLE_EQ(uniform_load(*hyperx).load.inner, 31.0 / 16);
  EXPECT_DOUBLE_EQ(uniform_load(*hyperx).load.saturation, 1);
}

// Every cut of what is left of a fabric is one of the whole: the narrowest that is found, from the
// halves that a dragonfly proposes, is no wider than before.
TEST(Failures, LeaveNoWiderCut) {
  const std::string dragonfly = "topology: {kind: dragonfly, nodes_per_switch: 2}\n";
  const Bandwidth whole = measure(*platform_of(dragonfly)).bisection->bandwidth;
  for (const char* seed : {"1", "2", "3", "4"}) {
    const auto left =
        platform_of(dragonfly, {"failures.cables=1%", std::string("failures.seed=") + seed});
    EXPECT_LE(measure(*left).bisection->bandwidth, whole) << seed;
  }
}

}  // namespace
}  // namespace heddle::platform
