#include "platform/overrides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/machine_support.hpp"
#include "platform/node_names.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

TEST(Glob, StarStandsForAnythingAndQuestionMarkForOne) {
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("n*->s?", "n12->s0"));
  EXPECT_TRUE(matches_glob("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(matches_glob("*ab", "aab"));
  EXPECT_FALSE(matches_glob("n?->s?", "n12->s0"));
  EXPECT_FALSE(matches_glob("a*b", "abc"));
  EXPECT_FALSE(matches_glob("", "x"));
}

/// Latencies of the four cables in nanoseconds, 100 where nothing is said.
std::vector<std::int64_t> latencies(const std::string& overrides) {
  const auto platform = platform_of(kFour + "overrides:\n" + overrides);
  std::vector<std::int64_t> list;
  for (std::uint32_t c = 0; c < 4; ++c) list.push_back(platform->cable(c).latency.ps());
  for (std::int64_t& ps : list) ps /= 1000;
  return list;
}

using List = std::vector<std::int64_t>;

// Cable c joins node c and the switch s0; a pattern may match either direction of it.
TEST(Overrides, SelectCablesByName) {
  EXPECT_EQ(latencies("  - {links: 'n2->s0', latency: 7ns}\n"), (List{100, 100, 7, 100}));
  EXPECT_EQ(latencies("  - {links: 's0->n2', latency: 7ns}\n"), (List{100, 100, 7, 100}));
  EXPECT_EQ(latencies("  - {links: 'n*->*', latency: 7ns}\n"), (List{7, 7, 7, 7}));
}

// Reports call a half-duplex cable n2<->s0; the name is accepted whatever the cable is by then.
TEST(Overrides, SelectCablesByTheNameOfHalfDuplexOnes) {
  EXPECT_EQ(latencies("  - {links: 'n2->s0', duplex: half}\n"
                      "  - {links: 'n2<->s0', latency: 7ns, duplex: full}\n"
                      "  - {links: 's0<->n3', latency: 8ns}\n"),
            (List{100, 100, 7, 8}));
}

TEST(Overrides, SelectCablesByGroup) {
  EXPECT_EQ(latencies("  - {group: 'acc*', latency: 7ns}\n"), (List{7, 7, 7, 7}));
}

// The second override sees what the first one left and changes only what it names.
TEST(Overrides, ApplyInTheirOrder) {
  const auto platform = platform_of(kFour +
                                    "overrides:\n"
                                    "  - {group: access, latency: 7ns, bandwidth: 1Gbps}\n"
                                    "  - {links: 'n1->s0', latency: 9ns}\n");
  EXPECT_EQ(platform->cable(0).latency, Time::ns(7));
  EXPECT_EQ(platform->cable(1).latency, Time::ns(9));
  EXPECT_EQ(platform->cable(1).bandwidth, Bandwidth::gbps(1));
}

/// Gaps of the four nodes' adapters in nanoseconds.
List gaps(const std::string& nodes) {
  const auto platform =
      platform_of(kFour + "overrides: [{nodes: '" + nodes + "', gap: 5ns}]\nnic: {gap: 1ns}\n");
  List list;
  for (std::uint32_t n = 0; n < 4; ++n) list.push_back(platform->nic(NodeId{n}).gap.ps() / 1000);
  return list;
}

TEST(Overrides, SelectNodesByNumberRangeAndName) {
  EXPECT_EQ(gaps("2"), (List{1, 1, 5, 1}));
  EXPECT_EQ(gaps("0-1, 3"), (List{5, 5, 1, 5}));
  EXPECT_EQ(gaps("n?"), (List{5, 5, 5, 5}));
  EXPECT_EQ(gaps("n1,3"), (List{1, 5, 1, 5}));
}

// One override may speak of the node and of its adapter; the others keep the machine's values.
// The nodes of a usual edge list are called by numbers that are not their own: here node 0 is
// called
// 5. A name is taken first, also in a range; 3, which nobody is called, is the number of a node.
TEST(Overrides, TakeNamesBeforeNumbers) {
  const auto cores = [](const std::string& nodes) {
    const auto platform = platform_of(
        "topology: {kind: graph, edges: \"5 s\\n1 s\\n0 s\\n2 s\"}\n"
        "overrides: [{nodes: '" +
        nodes + "', cores: 2}]\n");
    List list;
    for (std::uint32_t n = 0; n < 4; ++n) list.push_back(platform->node(NodeId{n}).cores);
    return list;
  };
  EXPECT_EQ(cores("5"), (List{2, 1, 1, 1}));
  EXPECT_EQ(cores("0"), (List{1, 1, 2, 1}));
  EXPECT_EQ(cores("0-1"), (List{1, 2, 2, 1}));
  EXPECT_EQ(cores("3"), (List{1, 1, 1, 2}));
}

// Every node is found by the name that is written for it.
TEST(NodeNames, AreFoundAgain) {
  const auto platform = platform_of("topology: {kind: graph, edges: \"2 s\\n0 s\\n1 s\"}\n");
  for (std::uint32_t n = 0; n < 3; ++n) {
    const std::string name = node_name(platform->topology(), NodeId{n});
    EXPECT_EQ(find_node(platform->topology(), name), NodeId{n}) << name;
  }
  EXPECT_EQ(find_node(platform->topology(), "s"), std::nullopt);
  EXPECT_EQ(find_node(platform->topology(), "7"), std::nullopt);
}

TEST(Overrides, ChangeNodesAndTheirAdapters) {
  const auto platform = platform_of(
      kFour + "overrides: [{nodes: 1, cores: 8, pcie_latency: 400ns, send_overhead: 3ns}]\n");
  EXPECT_EQ(platform->node(NodeId{1}).cores, 8);
  EXPECT_EQ(platform->node(NodeId{1}).pcie_latency, Time::ns(400));
  EXPECT_EQ(platform->nic(NodeId{1}).send_overhead, Time::ns(3));
  EXPECT_EQ(platform->node(NodeId{0}).cores, 1);
  EXPECT_EQ(platform->nic(NodeId{0}).send_overhead, Time::zero());
}

// A nodes override gives node and nic parameters without their section, so no name may be in both.
TEST(Overrides, NodeAndNicParametersHaveDifferentNames) {
  for (const std::string& name : nic_table().names()) {
    EXPECT_FALSE(node_table().find(name)) << name;
  }
}

struct OverrideMistake {
  std::string overrides;
  std::string complaint;
};

class OverrideMistakes : public testing::TestWithParam<OverrideMistake> {};

TEST_P(OverrideMistakes, AreExplained) {
  EXPECT_THAT(complaint_about(kFour + "overrides: " + GetParam().overrides + "\n"),
              HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, OverrideMistakes,
    testing::Values(
        OverrideMistake{"fast",
                        "m.yaml:2:12: overrides is 'fast': accepted is a list of mappings with"},
        OverrideMistake{"[fast]",
                        "m.yaml:2:13: the override is 'fast': accepted is a mapping with one of"},
        OverrideMistake{"[{latency: 1ns}]", "m.yaml:2:13: the override has no target: accepted is"},
        OverrideMistake{"[{links: '*'}]", "m.yaml:2:13: the override changes nothing"},
        OverrideMistake{"[{links: '*', group: '*', latency: 1ns}]",
                        "m.yaml:2:26: 'group' is a second target"},
        OverrideMistake{
            "[{links: '*', latnecy: 1ns}]",
            "m.yaml:2:26: unknown parameter 'latnecy' in an override for links (did you mean "
            "'latency'?): accepted are bandwidth, flow_cap, latency, duplex"},
        OverrideMistake{"[{nodes: '*', latency: 1ns}]",
                        "m.yaml:2:26: unknown parameter 'latency' in an override for nodes"},
        OverrideMistake{"[{links: '*', latency: soon}]",
                        "m.yaml:2:35: 'soon' is not a valid link.latency: accepted is a time"},
        OverrideMistake{"[{links: '*', latency: [1ns]}]", "m.yaml:2:35: latency is a list"},
        OverrideMistake{
            "[{links: 'x->*', latency: 1ns}]",
            "m.yaml:2:21: no link matches 'x->*': accepted is a glob on the names of links such "
            "as 'n0->s0'"},
        OverrideMistake{
            "[{group: trunk, latency: 1ns}]",
            "m.yaml:2:21: no group of links matches 'trunk': accepted is a glob on access"},
        OverrideMistake{
            "[{nodes: 2-4, gap: 1ns}]",
            "m.yaml:2:21: no node '4' of '2-4': accepted are names such as 'n0', globs on "
            "them, numbers to 3 where no name is meant, and ranges such as 0-3, with commas "
            "between"},
        OverrideMistake{"[{nodes: 3-2, gap: 1ns}]", "m.yaml:2:21: no node matches '3-2'"},
        OverrideMistake{"[{nodes: 0-99999999999999, gap: 1ns}]",
                        "no node '4' of '0-99999999999999'"},
        OverrideMistake{"[{nodes: s0, gap: 1ns}]", "m.yaml:2:21: no node matches 's0'"},
        OverrideMistake{"[{nodes: '0,,1', gap: 1ns}]", "m.yaml:2:21: no node matches ''"},
        OverrideMistake{"[{nodes: m0, gap: 1ns}]", "m.yaml:2:21: no node matches 'm0'"}));

}  // namespace
}  // namespace heddle::platform
