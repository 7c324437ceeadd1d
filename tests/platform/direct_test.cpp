// Torus, mesh, chain, HyperX and dragonfly: every switch has nodes of its own.
#include <gtest/gtest.h>

#include <map>

#include "core/error.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/hyperx.hpp"
#include "platform/topology/single_switch.hpp"
#include "platform/topology_checks.hpp"
#include "platform/torus_edges.hpp"

namespace heddle::platform {
namespace {

const std::vector<List>& grids() {
  static const std::vector<List> grids = {{1},       {2},    {5},       {6},         {4, 4},
                                          {3, 5},    {1, 4}, {4, 1, 2}, {2, 2, 2},   {4, 3, 2},
                                          {5, 2, 3}, {7, 2}, {3, 3, 3}, {2, 3, 2, 3}};
  return grids;
}

std::uint64_t product(const List& dims) {
  std::uint64_t n = 1;
  for (const std::int64_t k : dims) n *= static_cast<std::uint64_t>(k);
  return n;
}

// One switch: two links between any two nodes, half the nodes' cables across the middle.
TEST(SingleSwitch, IsAStar) {
  for (const std::uint32_t nodes : {1U, 2U, 7U, 16U}) {
    const SingleSwitch t(nodes);
    check_structure(t);
    check_minimal_routes(t);
  }
  EXPECT_EQ(way(SingleSwitch(4), VertexId{0}, VertexId{3}), "n0 s0 n3");
}

// Who is on a cable of a ring, on the way to a node, comes by the cable that closes the ring if
// that is among the links of the route from there on in the ring's dimension.
TEST(Torus, KnowsWhetherAWayClosesARing) {
  for (const List& dims : {List{8}, List{5, 4}, List{3, 2, 6}}) {
    const Torus t(dims, 1, kWrapped);
    std::size_t closed = 0;
    for (std::uint32_t pair = 0; pair < t.nodes() * t.nodes(); ++pair) {
      const VertexId to{pair % t.nodes()};
      LinkSet route;
      t.find_route(VertexId{pair / t.nodes()}, to, route);
      for (std::size_t i = 0; i < route.size(); ++i) {
        const Ringed::Step here = t.ring_step(route[i]);
        if (!here.in_ring) continue;
        bool closes = false;
        for (std::size_t k = i; k < route.size(); ++k) {
          const Ringed::Step step = t.ring_step(route[k]);
          closes = closes || (step.in_ring && step.dimension == here.dimension && step.wraps);
        }
        EXPECT_EQ(t.will_wrap(route[i], to), closes);
        closed += closes ? 1U : 0U;
      }
    }
    EXPECT_GT(closed, t.nodes());
  }
}

// Over many shapes, routes of torus and mesh are as short as the graph allows, whatever output an
// adaptive routing picks; Valiant arrives.
TEST(Torus, RoutesAreMinimalOnEveryShape) {
  for (const List& dims : grids()) {
    for (const auto edges : {kWrapped, kOpen}) {
      for (const std::int64_t per_switch : {1, 3}) {
        const Torus t(dims, per_switch, edges);
        check_structure(t);
        check_minimal_routes(t);
        check_adaptive(t);
        check_valiant(t, longest_route(t));
      }
    }
  }
}

// A dimension of k > 2 has k cables per line in a torus and k-1 in a mesh; one of 2 has one cable
// in both. The longest route crosses floor(k/2), or k-1, switches' cables per dimension, and the
// two access cables.
TEST(Torus, CountsFollowTheClosedForms) {
  for (const List& dims : grids()) {
    for (const auto edges : {kWrapped, kOpen}) {
      const Torus t(dims, 2, edges);
      const std::uint64_t switches = product(dims);
      std::uint64_t cables = 2 * switches;
      std::uint64_t longest = 2;
      for (const std::int64_t k : dims) {
        const auto size = static_cast<std::uint64_t>(k);
        const bool ring = edges == kWrapped && size > 2;
        cables += switches / size * (ring ? size : size - 1);
        longest += ring ? size / 2 : size - 1;
      }
      EXPECT_EQ(t.switches(), switches);
      EXPECT_EQ(t.nodes(), 2 * switches);
      EXPECT_EQ(t.cables(), cables) << t.describe();
      EXPECT_EQ(longest_route(t), longest) << t.describe();
    }
  }
}

// In a 4x4x4 torus, node 0 reaches node 63 = (3,3,3) by one wrap step per dimension, x first. Two
// steps are as long both ways round a ring of 4: from an even switch of the line the route goes
// upwards, from an odd one downwards, if all else is 0.
TEST(Torus, GoesTheShorterWayRoundInTheOrderOfTheDimensions) {
  const Torus t({4, 4, 4}, 1, kWrapped);
  EXPECT_EQ(way(t, VertexId{0}, VertexId{63}), "n0 s0.0.0 s3.0.0 s3.3.0 s3.3.3 n63");
  EXPECT_EQ(way(t, VertexId{0}, VertexId{2}), "n0 s0.0.0 s1.0.0 s2.0.0 n2");
  EXPECT_EQ(way(t, VertexId{3}, VertexId{1}), "n3 s3.0.0 s2.0.0 s1.0.0 n1");
  EXPECT_EQ(t.cable_group(0), "access");
  EXPECT_EQ(t.cable_group(64), "x");
  EXPECT_EQ(t.cable_group(64 + 64), "y");
  EXPECT_EQ(t.cable_group(64 + 128), "z");
}

/// Routes of all ordered pairs of nodes over each link between switches: the fewest and the most.
std::pair<int, int> least_and_most_used(const Torus& t) {
  std::vector<int> used(t.links());
  for (std::uint32_t from = 0; from < t.nodes(); ++from) {
    for (std::uint32_t to = 0; to < t.nodes(); ++to) {
      if (from == to) continue;
      for (const LinkId link : minimal_route(t, VertexId{from}, VertexId{to})) ++used[index(link)];
    }
  }
  const auto first = used.begin() + 2 * t.nodes();
  const auto [least, most] = std::minmax_element(first, used.end());
  return {*least, *most};
}

// Around a ring of 8, of the ways from a switch 1, 2 and 3 lead upwards and so does half of those
// of 4: (1 + 2 + 3 + 4 / 2) / 8 = 1 per message and ring of 8 sources. In an 8x8 torus a link
// between switches so has 8 * 8 = 64 of the routes, upwards and downwards alike; always upwards, it
// would have 80 and 48. A ring of 6 in two dimensions, or with two nodes per switch, is as even.
TEST(Torus, TiesGoBothWaysAlike) {
  EXPECT_EQ(least_and_most_used(Torus({8, 8}, 1, kWrapped)), std::pair(64, 64));
  EXPECT_EQ(least_and_most_used(Torus({4, 4, 4}, 1, kWrapped)), std::pair(32, 32));
  const auto [least, most] = least_and_most_used(Torus({6, 6}, 1, kWrapped));
  EXPECT_EQ(least, most);
  const auto [one, other] = least_and_most_used(Torus({6}, 2, kWrapped));
  EXPECT_EQ(one, other);
}

// A plane through the middle of an 8x4x4 torus cuts 16 rings twice each; of the mesh, once. Where
// the longest dimension is odd there is no such plane, and where switches have many nodes the
// cables of half the nodes are never fewer than that.
/// How many of 10,000 messages between two nodes take each of the links out of the first switch.
std::map<LinkId, int> first_links(const Torus& t, std::uint32_t from, std::uint32_t to) {
  const auto drawn = make_routing("minimal-drawn", t);
  const std::size_t length = minimal_route(t, VertexId{from}, VertexId{to}).size();
  std::map<LinkId, int> count;
  for (std::uint32_t message = 0; message < 10'000; ++message) {
    const auto links =
        route_of(t, *drawn, VertexId{from}, VertexId{to}, t.vertices(), NoLoads(), message);
    EXPECT_EQ(links.size(), length);
    ++count[links[1]];
  }
  return count;
}

// Half-way round a ring of 8, 10,000 messages draw their ways: 5,000 go up and 5,000 down, with a
// standard deviation of 50; five of them are the bound. Not half-way, all go the same way.
TEST(Torus, MessagesMayDrawTheirWays) {
  const Torus ring({8}, 1, kWrapped);
  for (const std::uint32_t from : {0U, 3U, 6U}) {
    const auto count = first_links(ring, from, (from + 4) % 8);
    ASSERT_EQ(count.size(), 2U);
    EXPECT_NEAR(count.begin()->second, 5000, 250);
  }
  EXPECT_EQ(first_links(ring, 0, 3).size(), 1U);
  EXPECT_EQ(first_links(Torus({5, 5}, 1, kWrapped), 0, 12).size(), 1U);
}

// In a torus of 8 x 8 a message to the other end of both rings draws twice: 2,500 of 10,000 take
// each of the four ways, with a standard deviation of 43.
TEST(Torus, EachRingIsDrawnForItself) {
  const Torus t({8, 8}, 1, kWrapped);
  const auto drawn = make_routing("minimal-drawn", t);
  std::map<std::pair<LinkId, LinkId>, int> ways;
  for (std::uint32_t message = 0; message < 10'000; ++message) {
    const auto links = route_of(t, *drawn, VertexId{0}, VertexId{36}, 20, NoLoads(), message);
    ASSERT_EQ(links.size(), 10U);
    ++ways[{links[1], links[5]}];
  }
  ASSERT_EQ(ways.size(), 8U / 2U);
  for (const auto& [way, count] : ways) EXPECT_NEAR(count, 2500, 217);
}

TEST(Torus, BisectionIsAPlaneAcrossTheLongestDimension) {
  EXPECT_EQ(bisection_cables(Torus({8, 4, 4}, 1, kWrapped)), 32U);
  EXPECT_EQ(bisection_cables(Torus({8, 4, 4}, 1, kOpen)), 16U);
  EXPECT_EQ(bisection_cables(Torus({2, 2, 2}, 1, kWrapped)), 4U);
  EXPECT_EQ(bisection_cables(Torus({5, 4}, 1, kWrapped)), std::nullopt);
  EXPECT_EQ(bisection_cables(Torus({2}, 4, kOpen)), 1U);
}

TEST(HyperX, RoutesAreMinimalOnEveryShape) {
  for (const List& dims : grids()) {
    for (const std::int64_t multiplicity : {1, 3}) {
      const HyperX t(dims, 2, {multiplicity});
      check_structure(t);
      check_minimal_routes(t);
      check_adaptive(t);
      check_valiant(t, longest_route(t));
    }
  }
}

// Each line of k switches has k(k-1)/2 pairs; a route changes each coordinate at most once.
TEST(HyperX, CountsFollowTheClosedForms) {
  for (const List& dims : grids()) {
    const HyperX t(dims, 1, {2});
    const std::uint64_t switches = product(dims);
    std::uint64_t cables = switches;
    std::uint32_t longest = 2;
    for (const std::int64_t k : dims) {
      cables += switches * static_cast<std::uint64_t>(k - 1);  // Twice, for the multiplicity.
      longest += k > 1 ? 1 : 0;
    }
    EXPECT_EQ(t.cables(), cables) << t.describe();
    EXPECT_EQ(longest_route(t), product(dims) == 1 ? 0 : longest) << t.describe();
  }
}

// 2 of 4 switches on each side of a full mesh: 2 x 2 cables cross, but with 3 cables each that is
// 12 and the 8 access cables of half the nodes are fewer. In a 4x4 HyperX, 4 lines have 4 crossing
// cables each. A line of 3 has no halves.
TEST(HyperX, BisectionIsASquareOfHalves) {
  EXPECT_EQ(bisection_cables(HyperX({4}, 4)), 4U);
  EXPECT_EQ(bisection_cables(HyperX({4}, 4, {3})), 8U);
  EXPECT_EQ(bisection_cables(HyperX({4, 4}, 4)), 16U);
  EXPECT_EQ(bisection_cables(HyperX({3, 3}, 4)), std::nullopt);
}

// Twin cables between two switches: destinations alternate between them.
TEST(HyperX, DestinationsShareTwinCables) {
  const HyperX t({2}, 4, {2});
  std::map<std::string, int> uses;
  for (std::uint32_t to = 4; to < 8; ++to) {
    ++uses[t.link_name(minimal_route(t, VertexId{0}, VertexId{to})[1])];
  }
  EXPECT_EQ(uses, (std::map<std::string, int>{{"s0->s1", 2}, {"s0->s1#1", 2}}));
}

/// Links between switches on the shortest local-global-local route, found by trying all global
/// cables; 0 for the same switch.
std::uint32_t dragonfly_distance(const Topology& t, std::uint32_t in_group, VertexId from,
                                 VertexId to) {
  const auto group = [&](VertexId v) { return (index(v) - t.nodes()) / in_group; };
  if (from == to) return 0;
  if (group(from) == group(to)) return 1;
  std::uint32_t best = kUnreached;
  for (std::uint32_t l = 0; l < t.links(); ++l) {
    const LinkEnds e = t.ends(LinkId{l});
    if (t.cable_group(l / 2) != "global" || group(e.from) != group(from) ||
        group(e.to) != group(to)) {
      continue;
    }
    best = std::min(best, 1U + (e.from != from) + (e.to != to));
  }
  return best;
}

const std::vector<DragonflyShape>& dragonflies() {
  static const std::vector<DragonflyShape> shapes = {
      {3, 2, 1, 1}, {9, 4, 2, 2}, {2, 2, 2, 3}, {4, 2, 1, 3}, {5, 4, 1, 2},
      {6, 4, 1, 2}, {7, 4, 1, 2}, {8, 4, 1, 2}, {1, 4, 2, 0}, {1, 4, 2, 1},
      {4, 3, 1, 1}, {5, 3, 1, 3}, {6, 1, 2, 5}, {4, 1, 1, 5},
  };
  return shapes;
}

// Every output leads nearer in the dragonfly's own sense (at most one global cable), so routes
// arrive in at most local, global, local; adaptive ones in as many links; Valiant ones in twice.
TEST(Dragonfly, RoutesAreMinimalOnEveryShape) {
  for (const DragonflyShape& shape : dragonflies()) {
    const Dragonfly t(shape);
    SCOPED_TRACE(t.describe());
    check_structure(t);
    check_adaptive(t);
    check_valiant(t, 5);
    const auto in_group = static_cast<std::uint32_t>(shape.switches_per_group);
    for (std::uint32_t to = t.nodes(); to < t.vertices(); ++to) {
      for (std::uint32_t at = t.nodes(); at < t.vertices(); ++at) {
        if (at == to) continue;
        const Hop hop{VertexId{at}, VertexId{at}, VertexId{to}};
        LinkSet outputs;
        t.minimal_outputs(hop, outputs);
        ASSERT_TRUE(contains(outputs, t.output(hop)));
        for (const LinkId link : outputs) {
          ASSERT_EQ(t.ends(link).from, hop.at);
          ASSERT_EQ(dragonfly_distance(t, in_group, t.ends(link).to, hop.to) + 1,
                    dragonfly_distance(t, in_group, hop.at, hop.to));
        }
      }
    }
    EXPECT_LE(longest_route(t), 5U);
  }
}

// Nodes of a torus or HyperX stand on its grid, those of one switch side by side; a dragonfly's on
// none.
TEST(Direct, KnowsTheGridOfItsNodes) {
  using Extents = std::vector<std::uint32_t>;
  EXPECT_EQ(Torus({8, 4, 2}, 1, kWrapped).node_grid(), (Extents{8, 4, 2}));
  EXPECT_EQ(Torus({8, 4}, 3, kOpen).node_grid(), (Extents{3, 8, 4}));
  EXPECT_EQ(Dragonfly({9, 4, 2, 2}).node_grid(), Extents{});
}

// The canonical dragonfly of p = h = 2, a = 4 has 9 groups, 36 switches, 72 nodes, 9 * 6 local and
// 36 global cables, one between any two groups; every switch has the radix p + (a-1) + h = 7.
TEST(Dragonfly, CanonicalCounts) {
  const Dragonfly t({9, 4, 2, 2});
  EXPECT_EQ(t.nodes(), 72U);
  EXPECT_EQ(t.switches(), 36U);
  EXPECT_EQ(t.cables(), 72U + 54U + 36U);
  std::map<std::pair<std::size_t, std::size_t>, int> joined;
  for (std::uint32_t c = 0; c < t.cables(); ++c) {
    if (t.cable_group(c) != "global") continue;
    const LinkEnds e = t.ends(LinkId{2 * c});
    const std::size_t a = (index(e.from) - 72) / 4;
    const std::size_t b = (index(e.to) - 72) / 4;
    ++joined[{std::min(a, b), std::max(a, b)}];
  }
  EXPECT_EQ(joined.size(), 36U);
  const auto leaving = links_leaving(t);
  for (std::uint32_t s = t.nodes(); s < t.vertices(); ++s) EXPECT_EQ(leaving[s].size(), 7U);
  EXPECT_EQ(t.name(VertexId{72 + 4 + 3}), "g1.s3");
}

// With fewer groups than ports allow, any two groups are joined by as many cables as any others,
// give or take one, and no switch has more than h global cables.
TEST(Dragonfly, GlobalCablesAreSpreadEvenly) {
  for (const DragonflyShape& shape : dragonflies()) {
    if (shape.groups == 1) continue;
    const Dragonfly t(shape);
    const auto in_group = static_cast<std::size_t>(shape.switches_per_group);
    std::map<std::pair<std::size_t, std::size_t>, int> joined;
    std::map<VertexId, int> ports;
    for (std::uint32_t l = 0; l < t.links(); ++l) {
      if (t.cable_group(l / 2) != "global") continue;
      const LinkEnds e = t.ends(LinkId{l});
      ++ports[e.from];
      ++joined[{(index(e.from) - t.nodes()) / in_group, (index(e.to) - t.nodes()) / in_group}];
    }
    int fewest = 1 << 20, most = 0, free_ports = 0;
    for (const auto& [pair, cables] : joined) {
      fewest = std::min(fewest, cables);
      most = std::max(most, cables);
    }
    for (const auto& [s, used] : ports) {
      EXPECT_LE(used, shape.global_per_switch);
    }
    for (const auto& [s, used] : ports) {
      free_ports += static_cast<int>(shape.global_per_switch) - used;
    }
    EXPECT_EQ(joined.size(), static_cast<std::size_t>(shape.groups * (shape.groups - 1)));
    EXPECT_LE(most - fewest, 1) << t.describe();
    EXPECT_LE(free_ports, shape.groups) << t.describe();
  }
}

TEST(Direct, RefusesShapesThatCannotBe) {
  EXPECT_THROW(Torus({}, 1, kWrapped), ParamError);
  EXPECT_THROW(Torus({4, 0}, 1, kWrapped), ParamError);
  EXPECT_THROW(Torus({100000, 100000, 100000, 100000, 100000}, 1, kWrapped), ParamError);
  EXPECT_THROW(HyperX({100000, 100000}, 1), ParamError);
  EXPECT_THROW(HyperX({4, 4}, 1, {1, 2, 3}), ParamError);
  EXPECT_THROW(Dragonfly({10, 4, 2, 2}), ParamError);
  EXPECT_THROW(Dragonfly({2, 4, 2, 0}), ParamError);
}

}  // namespace
}  // namespace heddle::platform
