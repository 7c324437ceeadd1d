#include "platform/machine_files/edge_list_writer.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "platform/figures/metrics.hpp"
#include "platform/machine_files/edge_list.hpp"
#include "platform/machine_support.hpp"
#include "platform/topology_kinds.hpp"
#include "temporary_file.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

struct ReadBack {
  Settings settings{machine_sections()};
  std::unique_ptr<Platform> platform;
};

/// The machine that is nothing but this list in a file.
ReadBack read_back(const std::string& list) {
  const TemporaryFile file(list);
  ReadBack result;
  const MachineDescription machine = read_machine(file.path, result.settings);
  result.platform = build_platform(machine, result.settings);
  return result;
}

/// Vertices, their names, and everything that cables, switches, nodes and adapters are.
void expect_same(const Platform& a, const Platform& b) {
  const Topology& s = a.topology();
  const Topology& t = b.topology();
  ASSERT_EQ(s.nodes(), t.nodes());
  ASSERT_EQ(s.switches(), t.switches());
  ASSERT_EQ(s.cables(), t.cables());
  EXPECT_EQ(a.switches().latency, b.switches().latency);
  for (std::uint32_t v = 0; v < s.vertices(); ++v) {
    ASSERT_EQ(s.name(VertexId{v}), t.name(VertexId{v}));
  }
  for (std::uint32_t n = 0; n < s.nodes(); ++n) {
    ASSERT_TRUE(a.node(NodeId{n}) == b.node(NodeId{n})) << s.name(VertexId{n});
    ASSERT_TRUE(a.nic(NodeId{n}) == b.nic(NodeId{n})) << s.name(VertexId{n});
  }
  for (std::uint32_t cable = 0; cable < s.cables(); ++cable) {
    ASSERT_EQ(s.link_name(LinkId{2 * cable}), t.link_name(LinkId{2 * cable}));
    ASSERT_EQ(s.cable_group(cable), t.cable_group(cable));
    ASSERT_TRUE(a.cable(cable) == b.cable(cable)) << s.link_name(LinkId{2 * cable});
  }
}

/// Figures that do not depend on routes are equal; routes of the list are shortest, so they are no
/// longer than the machine's own.
void expect_same_figures(const Platform& a, const Platform& b) {
  const Metrics own = measure(a);
  const Metrics list = measure(b);
  EXPECT_EQ(own.radix, list.radix);
  EXPECT_EQ(own.switch_diameter, list.switch_diameter);
  EXPECT_LE(list.hops.most, own.hops.most);
  EXPECT_TRUE(list.hops.sum <= own.hops.sum);
  ASSERT_EQ(own.cables.size(), list.cables.size());
  for (std::size_t i = 0; i < own.cables.size(); ++i) {
    EXPECT_EQ(own.cables[i].group, list.cables[i].group);
    EXPECT_EQ(own.cables[i].cables, list.cables[i].cables);
  }
  ASSERT_EQ(own.bisection.has_value(), list.bisection.has_value());
  // A list has no formula: the cut that a search finds is not narrower than the narrowest.
  if (own.bisection && own.bisection->exact) {
    EXPECT_GE(list.bisection->cables, own.bisection->cables);
  }
}

class EveryKind : public testing::TestWithParam<std::string> {};

// One cable is slower, one node has more cores, another adapter sends later: the list has to say so
// of those and of no others.
TEST_P(EveryKind, ReadsBackAsTheSameMachine) {
  const auto machine =
      platform_of("topology: {kind: " + GetParam() +
                  "}\n"
                  "link: {bandwidth: 56Gbps, latency: 33ns, flow_cap: 50Gbps}\n"
                  "switch: {latency: 77ns}\n"
                  "node: {cores: 3}\n"
                  "nic: {gap: 7ns}\n"
                  "overrides:\n"
                  "  - {links: \"n1->*\", bandwidth: 12345678901bps, duplex: half, "
                  "flow_cap: unlimited}\n"
                  "  - {nodes: n0, cores: 5, pcie_latency: 250ns}\n"
                  "  - {nodes: n1, send_overhead: 11ns}\n");
  const ReadBack list = read_back(edge_list_text(*machine, "minimal"));
  expect_same(*machine, *list.platform);
  expect_same_figures(*machine, *list.platform);
  // And once more, to the letter but for what the machine is called.
  const std::string again = edge_list_text(*list.platform, "minimal");
  EXPECT_EQ(
      again.substr(again.find('\n')),
      edge_list_text(*machine, "minimal").substr(edge_list_text(*machine, "minimal").find('\n')));
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) names.emplace_back(kind.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(EdgeListWriter, EveryKind, testing::ValuesIn(kinds()),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Built-in machines but graphene, whose limiters and profiles are all parameters of nodes, too.
TEST(EdgeListWriter, BuiltInMachinesReadBackAsTheSame) {
  for (const char* name : {"bxi-v2", "quito", "vix", "graphene", "ib-m9", "dragonfly-72"}) {
    Settings settings(machine_sections());
    const auto machine = build_platform(read_machine(name, settings), settings);
    expect_same(*machine, *read_back(edge_list_text(*machine, "minimal")).platform);
  }
}

// Two cables between the same two switches stay two, given routes stay given, and the routing is a
// setting of the list.
TEST(EdgeListWriter, KeepsTwinsRoutesAndRouting) {
  const auto machine = platform_of(
      "topology:\n  kind: graph\n  edges: |\n    node a b\n    a s\n    s t 10Gbps\n    s t "
      "20Gbps\n"
      "    t b\n    s u\n    u t\n    route a b : s u t\n");
  const std::string text = edge_list_text(*machine, "adaptive");
  EXPECT_THAT(text, HasSubstr("\nroute a b : s u t\n"));
  const ReadBack list = read_back(text);
  expect_same(*machine, *list.platform);
  EXPECT_EQ(list.settings.get(topology_table()).routing, "adaptive");
  EXPECT_EQ(count_hops(list.platform->topology()).most, 4U);
}

// What a list says of parameters holds where the machine that names it says nothing, and --set
// wins.
TEST(EdgeListWriter, SettingsOfAListYieldToTheMachine) {
  const TemporaryFile file("set switch.latency=7ns link.latency=5ns\na s\nb s\nnodes a cores=9\n");
  const std::string yaml = "topology: {kind: graph, file: " + file.path + "}\n";
  EXPECT_EQ(platform_of(yaml)->switches().latency, Time::ns(7));
  EXPECT_EQ(platform_of(yaml)->node(NodeId{0}).cores, 9);
  EXPECT_EQ(platform_of(yaml + "switch: {latency: 8ns}\n")->switches().latency, Time::ns(8));
  EXPECT_EQ(platform_of(yaml, {"switch.latency=9ns"})->switches().latency, Time::ns(9));
  EXPECT_EQ(platform_of(yaml)->cable(0).latency, Time::ns(5));
}

TEST(EdgeListWriter, WhatAListCannotSetIsSaid) {
  const auto complaint = [](const std::string& line) {
    return error_of([&] { read_edge_list_notes(line, {"net.edges", 1, 1}); });
  };
  EXPECT_THAT(complaint("set packet.mtu=3"), HasSubstr("accepted are parameters of link, switch"));
  EXPECT_THAT(complaint("set"), HasSubstr("such as 'set switch.latency=50ns'"));
  EXPECT_THAT(complaint("set latency"), HasSubstr("'latency' sets nothing"));
  EXPECT_THAT(complaint("nodes n0"), HasSubstr("such as 'nodes n0-n7 cores=4'"));
  EXPECT_THAT(complaint("nodes n0 colour=red"), HasSubstr("unknown parameter 'colour'"));
}

}  // namespace
}  // namespace heddle::platform
