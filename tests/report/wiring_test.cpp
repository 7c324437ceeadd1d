#include "report/wiring.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "platform/machine_support.hpp"
#include "platform/simgrid_xml.hpp"

namespace heddle::report {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Wiring wiring_of_file(const std::string& name) {
  return wiring(platform::read_simgrid_platform(HEDDLE_TEST_DATA "/simgrid/" + name)->topology());
}

/// A zone of routing Full with these routes between four hosts a, b, c and d and links l and m.
Wiring wiring_of_routes(const std::string& routes) {
  return wiring(platform::read_simgrid_platform_text(
                    R"(<platform version="4.1"><zone id="z" routing="Full">
      <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
      <host id="c" speed="1Gf"/><host id="d" speed="1Gf"/>
      <link id="l" bandwidth="1GBps" latency="1us"/><link id="m" bandwidth="1GBps" latency="1us"/>)" +
                        routes + "</zone></platform>",
                    "m.xml")
                    ->topology());
}

std::size_t count_of(const Wiring& wiring, VertexKind kind) {
  return static_cast<std::size_t>(
      std::count_if(wiring.vertices.begin(), wiring.vertices.end(),
                    [&](const WiredVertex& v) { return v.kind == kind; }));
}

/// How many vertices have how many wires.
std::map<std::size_t, std::size_t> degrees(const Wiring& wiring) {
  std::vector<std::size_t> of_vertex(wiring.vertices.size());
  for (const Wire& wire : wiring.wires) {
    ++of_vertex[wire.a];
    ++of_vertex[wire.b];
  }
  std::map<std::size_t, std::size_t> result;
  for (const std::size_t degree : of_vertex) ++result[degree];
  return result;
}

std::size_t touching(const Wiring& wiring) {
  return static_cast<std::size_t>(std::count_if(wiring.wires.begin(), wiring.wires.end(),
                                                [](const Wire& w) { return w.cables.empty(); }));
}

// Where cables have ends, each is a wire between them: four from the nodes to the switch, 4.
TEST(Wiring, CablesWithEndsAreWires) {
  const Wiring w = wiring(platform::platform_of(platform::kFour)->topology());
  ASSERT_THAT(w.wires, SizeIs(4));
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_THAT(
        (std::vector{std::min(w.wires[i].a, w.wires[i].b), std::max(w.wires[i].a, w.wires[i].b)}),
        ElementsAre(i, 4U));
    EXPECT_THAT(w.wires[i].cables, ElementsAre(i));
  }
}

// Routes of a flat cluster are the link of one host and that of the other, and all meet at the
// router: one wire from each of the nine hosts to it.
TEST(Wiring, FlatClusterIsAStar) {
  const Wiring w = wiring_of_file("flat.xml");
  EXPECT_THAT(w.vertices, SizeIs(10));
  EXPECT_EQ(degrees(w), (std::map<std::size_t, std::size_t>{{1, 9}, {9, 1}}));
  EXPECT_EQ(w.left_out, 0U);
}

// The backbone lies between every two of the six hosts, so it is where they meet; the router
// touches it.
TEST(Wiring, BackboneIsAVertex) {
  const Wiring w = wiring_of_file("flat_backbone.xml");
  EXPECT_EQ(count_of(w, VertexKind::shared_link), 1U);
  EXPECT_EQ(degrees(w), (std::map<std::size_t, std::size_t>{{1, 7}, {7, 1}}));
  EXPECT_EQ(touching(w), 1U);
}

// A host's limiter and its link follow one another with nothing else between them: one wire of two
// cables for each of the eight hosts.
TEST(Wiring, LimiterAndLinkAreOneWire) {
  const Wiring w = wiring_of_file("flat_everything.xml");
  EXPECT_EQ(count_of(w, VertexKind::junction), 0U);
  EXPECT_EQ(std::count_if(w.wires.begin(), w.wires.end(),
                          [](const Wire& wire) { return wire.cables.size() == 2; }),
            8);
}

// SimGrid's fat trees have no named switches. 64 hosts under 8 leaves of 8, each with a link to
// each of 8 roots: 16 places where links meet, 8 of degree 16 and 8 of degree 8.
TEST(Wiring, FatTreeHasItsSwitchesAgain) {
  const Wiring w = wiring_of_file("fat_tree_two_levels.xml");
  EXPECT_EQ(count_of(w, VertexKind::junction), 16U);
  EXPECT_EQ(degrees(w), (std::map<std::size_t, std::size_t>{{1, 64}, {8, 8}, {16, 8}}));
  EXPECT_EQ(touching(w), 0U);
}

// In a torus of 5 x 3 every host has two neighbours in each dimension.
TEST(Wiring, TorusJoinsNeighbours) {
  const Wiring w = wiring_of_file("torus_5x3.xml");
  EXPECT_EQ(degrees(w), (std::map<std::size_t, std::size_t>{{4, 15}}));
}

// A torus of 4 x 2 has two links for each host, but of the two between neighbours in the dimension
// of two, routes use one: 4 of 16 are on no route. That both directions share a link makes no
// difference.
TEST(Wiring, TorusOfSharedLinksLeavesOutWhatNoRouteUses) {
  const Wiring w =
      wiring(platform::read_simgrid_platform_text(
                 R"(<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-7"
             speed="1Gf" bw="1GBps" lat="1us" sharing_policy="SHARED" topology="TORUS"
             topo_parameters="4,2"/></platform>)",
                 "m.xml")
                 ->topology());
  EXPECT_EQ(degrees(w), (std::map<std::size_t, std::size_t>{{3, 8}}));
  EXPECT_THAT(w.wires, SizeIs(12));
  EXPECT_EQ(w.left_out, 4U);
}

// One link for two pairs that have nothing else in common is not a cable of two ends: all four
// hosts touch it. Link m is on no route.
TEST(Wiring, LinkOfSeveralPairsIsAVertex) {
  const Wiring w = wiring_of_routes(R"(<route src="a" dst="b"><link_ctn id="l"/></route>
                                       <route src="c" dst="d"><link_ctn id="l"/></route>)");
  EXPECT_EQ(count_of(w, VertexKind::shared_link), 1U);
  EXPECT_EQ(touching(w), 4U);
  EXPECT_THAT(w.wires, SizeIs(4));
  EXPECT_EQ(w.left_out, 1U);
}

// a to b by l, b to c by m, a to c by both: they meet at b.
TEST(Wiring, LinksMeetAtTheHostBetweenThem) {
  const Wiring w = wiring_of_routes(
      R"(<route src="a" dst="b"><link_ctn id="l"/></route>
         <route src="b" dst="c"><link_ctn id="m"/></route>
         <route src="a" dst="c"><link_ctn id="l"/><link_ctn id="m"/></route>)");
  ASSERT_THAT(w.wires, SizeIs(2));
  EXPECT_EQ(count_of(w, VertexKind::node), 4U);
  EXPECT_EQ(w.vertices.size(), 4U);
  EXPECT_EQ(degrees(w), (std::map<std::size_t, std::size_t>{{0, 1}, {1, 2}, {2, 1}}));
}

}  // namespace
}  // namespace heddle::report
