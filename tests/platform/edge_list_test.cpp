#include "platform/machine_files/edge_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

EdgeList read_edges(const std::string& text) {
  return read_edge_list(text, {"net.edges", 1, 1});
}

// a, b and c hang on one cable each and are nodes; s and t have more and are switches.
TEST(EdgeList, OneCableMakesANodeAndMoreASwitch) {
  const EdgeList list = read_edges("a s\nb s\n\n  # nothing\ns t # trunk\nt c\r\n");
  EXPECT_THAT(list.plan.nodes, ElementsAre("a", "b", "c"));
  EXPECT_THAT(list.plan.switches, ElementsAre("s", "t"));
  ASSERT_EQ(list.plan.cables.size(), 4U);
  EXPECT_EQ(list.plan.cables[3].from, VertexId{4});
  EXPECT_EQ(list.plan.cables[3].to, VertexId{2});
  EXPECT_EQ(list.plan.cables[0].group, "access");
  EXPECT_EQ(list.plan.cables[2].group, "trunk");
}

// In a ring of three every vertex has two cables; declared nodes are nodes all the same.
TEST(EdgeList, DeclarationsDecide) {
  const EdgeList list = read_edges("node x y\nswitch leaf\nx y\ny z\nz x\nz leaf\n");
  EXPECT_THAT(list.plan.nodes, ElementsAre("x", "y"));
  EXPECT_THAT(list.plan.switches, ElementsAre("leaf", "z"));
}

TEST(EdgeList, CablesMayHaveTheirOwnValues) {
  const EdgeList list = read_edges("a s 10Gbps 5us half\nb s 200ns flow_cap=1GB/s\nc s full 0\n");
  const LinkParams base{Bandwidth::gbps(100), {}, Time::ns(100), Duplex::full};
  EXPECT_EQ(list.values[0].on(base),
            (LinkParams{Bandwidth::gbps(10), {}, Time::us(5), Duplex::half}));
  EXPECT_EQ(list.values[1].on(base),
            (LinkParams{Bandwidth::gbps(100), Bandwidth::gbps(8), Time::ns(200), Duplex::full}));
  EXPECT_EQ(list.values[2].on(base).latency, Time::zero());
}

/// The names of the links from `from` to `to`.
std::vector<std::string> path(const std::string& text, const char* from, const char* to) {
  const auto graph = graph_of(read_edges(text), link_table().defaults());
  Hop hop{*graph->find(from), *graph->find(from), *graph->find(to)};
  std::vector<std::string> names;
  for (; hop.at != hop.to; ++hop.step) {
    const LinkId link = graph->output(hop);
    names.push_back(graph->link_name(link));
    hop.at = graph->after(hop, link);
  }
  return names;
}

// The square s-t-u-v offers two ways of two links from s to u; the one by v has less latency.
TEST(EdgeList, ShortestPathsPreferLessLatency) {
  const std::string square = "a s\nb u\ns t 1us\nt u 1us\ns v 1ns\nv u 1ns\n";
  EXPECT_THAT(path(square, "a", "b"), ElementsAre("a->s", "s->v", "v->u", "u->b"));
}

// The route holds from a to b only; back, the shortest path does.
TEST(EdgeList, RoutesAreFollowedInTheirDirection) {
  const std::string triangle = "a s\nb t\ns t\ns u\nu t\nroute a b : s u t\n";
  EXPECT_THAT(path(triangle, "a", "b"), ElementsAre("a->s", "s->u", "u->t", "t->b"));
  EXPECT_THAT(path(triangle, "b", "a"), ElementsAre("b->t", "t->s", "s->a"));
}

// A YAML mapping has a colon in its first line, or begins with a sign of YAML's.
TEST(EdgeList, IsToldFromYaml) {
  for (const char* text : {"a b\n", "# net\n\n  a b 10Gbps # wire\n", "node a b\n", "switch s\n",
                           "route a b : s\n", "a\tb 1us half\r\n"}) {
    EXPECT_TRUE(looks_like_edge_list(text)) << text;
  }
  for (const char* text :
       {"", "# nothing\n", "name: x\n", "topology:\n  kind: torus\n", "switch : {}\n", "{ name:\n",
        "--- # machine\n", "%YAML 1.2\n", "\"a b\"\n", "alone\n"}) {
    EXPECT_FALSE(looks_like_edge_list(text)) << text;
  }
}

struct EdgeListMistake {
  std::string text;
  std::string complaint;
};

class EdgeListMistakes : public testing::TestWithParam<EdgeListMistake> {};

TEST_P(EdgeListMistakes, AreExplained) {
  EXPECT_THAT(error_of([] { read_edges(GetParam().text); }), HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, EdgeListMistakes,
    testing::Values(
        EdgeListMistake{"",
                        "net.edges:1:1: the graph has no nodes: accepted are lines 'node NAME'"},
        EdgeListMistake{"x y\ny z\nz x\n", "net.edges:1:1: the graph has no nodes"},
        EdgeListMistake{"a\n",
                        "net.edges:1:1: 'a' stands alone: accepted is a cable 'A B [bandwidth]"},
        EdgeListMistake{"a s\n  b b\n", "net.edges:2:5: a cable from 'b' to itself"},
        EdgeListMistake{
            "a s 10Gpbs\n",
            "net.edges:1:5: '10Gpbs' is not a value of a cable: accepted are a bandwidth such "
            "as 10Gbps, a latency such as 5us, half or full, and flow_cap=BANDWIDTH"},
        EdgeListMistake{"a s 1us 2us\n", "net.edges:1:9: '2us' is a second value of its kind"},
        EdgeListMistake{"a s half full\n", "net.edges:1:10: 'full' is a second value of its kind"},
        EdgeListMistake{"a s unlimited\n",
                        "net.edges:1:5: 'unlimited' is not a valid link.bandwidth: accepted is"},
        EdgeListMistake{"a s flow_cap=x\n", "net.edges:1:5: 'x' is not a valid link.flow_cap"},
        EdgeListMistake{"node\n",
                        "net.edges:1:1: 'node' names nothing: accepted are names behind it"},
        EdgeListMistake{"node a\nswitch b a\n",
                        "net.edges:2:10: 'a' is declared as a node and as a switch"},
        EdgeListMistake{"a node\n", "net.edges:1:3: 'node' cannot be a name"},
        EdgeListMistake{
            "a s\nb s\nc t\nd t\n",
            "net.edges:3:1: no path leads from 'a' to 'c': accepted is a graph in one piece"},
        EdgeListMistake{
            "a s\nb s\nroute a b s\n",
            "net.edges:3:11: 's' does not make a route: accepted is 'route A B : X Y ...'"},
        EdgeListMistake{"a s\nb s\nroute a\n", "net.edges:3:7: 'a' does not make a route"},
        EdgeListMistake{"host s\nb s\nroute hots b : s\n",
                        "net.edges:3:7: no vertex is called 'hots' (did you mean 'host'?)"},
        EdgeListMistake{"a s\nb s\nroute a s :\n",
                        "net.edges:3:9: 's' is a switch: accepted are routes from node to node"},
        EdgeListMistake{"a s\nb s\nroute a b :\n", "net.edges:3:9: no cable joins 'a' and 'b'"},
        EdgeListMistake{"a s\nb t\ns t\nroute a b : t s\n",
                        "net.edges:4:13: no cable joins 'a' and 't'"},
        EdgeListMistake{"a s\nb t\ns t\nroute a b : s t s t\n",
                        "net.edges:4:17: 's' is twice on the route"},
        EdgeListMistake{"a s\nb s\nroute a b : s\nroute a b : s\n",
                        "net.edges:4:7: a second route from 'a' to 'b': accepted is one"}));

}  // namespace
}  // namespace heddle::platform
