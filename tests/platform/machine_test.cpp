#include "platform/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "platform/machine_files/machine_writer.hpp"
#include "platform/machine_support.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The text alone decides; what is set afterwards wins.
TEST(Machine, ReadsParametersAndLetsLaterAssignmentsWin) {
  const std::string text =
      "topology: {kind: single-switch, nodes: 3}\n"
      "link: {bandwidth: 50Gbps, latency: 200ns}\n";
  EXPECT_EQ(platform_of(text)->nodes(), 3U);
  EXPECT_EQ(platform_of(text)->cable(0).bandwidth, Bandwidth::gbps(50));
  const auto changed = platform_of(text, {"single-switch.nodes=5", "link.latency=1us"});
  EXPECT_EQ(changed->nodes(), 5U);
  EXPECT_EQ(changed->cable(4).latency, Time::us(1));
}

// A topology's parameters may stand beside its kind or in a section of its own.
TEST(Machine, TopologyParametersMayHaveTheirOwnSection) {
  EXPECT_EQ(platform_of("single-switch: {nodes: 7}\ntopology: {kind: single-switch}\n")->nodes(),
            7U);
}

TEST(Machine, NameIsTheFilesUnlessGiven) {
  EXPECT_EQ(platform_of(kFour)->name(), "m");
  EXPECT_EQ(platform_of("name: quattro\n" + kFour)->name(), "quattro");
}

TEST(Machine, ListsOfNumbersMayBeYamlLists) {
  EXPECT_EQ(platform_of("topology: {kind: torus, dims: [2, 3, 4]}\n")->nodes(), 24U);
  EXPECT_EQ(platform_of("topology: {kind: torus, dims: 2x3x4}\n")->nodes(), 24U);
  EXPECT_THAT(
      complaint_about("topology: {kind: torus, dims: [2, [3]]}\n"),
      StartsWith("m.yaml:1:35: an item of torus.dims is a list: accepted is a whole number"));
  EXPECT_THAT(complaint_about("topology: {kind: torus, dims: [2, x]}\n"),
              StartsWith("m.yaml:1:31: '2,x' is not a valid torus.dims"));
}

// A fat tree by lists prints arity and levels too, as auto, and they must not contradict the lists.
TEST(EffectiveConfig, OfAFatTreeByListsCanBeBuilt) {
  Settings settings(machine_sections());
  const auto machine =
      read_machine_text("topology: {kind: fat-tree, down: [2, 4], up: [1, 2]}\n", "m", settings);
  EXPECT_EQ(platform_of(effective_config(machine, settings))->nodes(), 8U);
}

struct MachineMistake {
  std::string text;
  std::string complaint;
};

class MachineMistakes : public testing::TestWithParam<MachineMistake> {};

// Each mistake is answered with its place, its token and what is accepted.
TEST_P(MachineMistakes, AreExplained) {
  EXPECT_THAT(complaint_about(GetParam().text), HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, MachineMistakes,
    testing::Values(
        MachineMistake{"", "m.yaml:1:1: not a machine: accepted is a YAML mapping"},
        MachineMistake{"- 1\n", "m.yaml:1:1: not a machine"},
        MachineMistake{"topology: {kind: single-switch\n", "m.yaml:2:1: not YAML at its end: "},
        MachineMistake{"topology: kind: x\n",
                       "m.yaml:1:15: not YAML at ':': illegal map value; accepted is"},
        MachineMistake{"topology:\n\tkind: torus\n",
                       "m.yaml:2:6: not YAML at ':': illegal map value (a line is indented by a "
                       "tab, where YAML wants spaces); accepted is"},
        MachineMistake{kFour + "---\nlink: {}\n",
                       "m.yaml:2:1: text behind the machine: accepted is one YAML mapping"},
        MachineMistake{"link: {latency: 1us}\n", "m.yaml:1:1: the machine has no topology"},
        MachineMistake{
            kFour + "lnik: {latency: 1us}\n",
            "m.yaml:2:1: unknown key 'lnik' (did you mean 'link'?): accepted are name, about, "},
        MachineMistake{
            kFour + "link: {bandwith: 1Gbps}\n",
            "m.yaml:2:8: unknown parameter 'bandwith' of link (did you mean 'bandwidth'?): "
            "accepted are bandwidth, flow_cap, latency, duplex"},
        MachineMistake{
            kFour + "link: {bandwidth: 1Gpbs}\n",
            "m.yaml:2:19: '1Gpbs' is not a valid link.bandwidth: accepted is a bandwidth such "
            "as 100Gbps"},
        MachineMistake{
            kFour + "link:\n  latency: 2000s\n",
            "m.yaml:3:12: '2000s' is not a valid link.latency: accepted is a time such as "
            "500ns, 2.5us or 1ms (ps, ns, us, ms, s, min, h; not between 0 and 1ps), at most "
            "1000s"},
        MachineMistake{
            kFour + "link: {duplex: both}\n",
            "m.yaml:2:16: 'both' is not a valid link.duplex: accepted is one of full, half"},
        MachineMistake{kFour + "link: fast\n",
                       "m.yaml:2:7: link is 'fast': accepted is a mapping of its parameters"},
        MachineMistake{kFour + "link: {latency: [1us]}\n",
                       "m.yaml:2:17: link.latency is a list: accepted is a time such as"},
        MachineMistake{kFour + "link: {latency: }\n", "m.yaml:2:17: link.latency is nothing"},
        MachineMistake{kFour + "link: {[a]: 1us}\n",
                       "m.yaml:2:8: a key of link is a list: accepted is a word"},
        MachineMistake{kFour + "link: {latency: 1us, latency: 2us}\n",
                       "m.yaml:2:22: 'latency' is given twice: first at m.yaml:2:8"},
        MachineMistake{kFour + "name: a\nname: b\n",
                       "m.yaml:3:1: 'name' is given twice: first at m.yaml:2:1"},
        MachineMistake{kFour + "single-switch: {nodes: 3}\n",
                       "m.yaml:2:17: 'single-switch.nodes' is given twice: first at m.yaml:1:33"},
        MachineMistake{kFour + "name: [a]\n", "m.yaml:2:7: name is a list: accepted is text"},
        MachineMistake{"topology: {nodes: 4}\n",
                       "m.yaml:1:1: topology has no kind: accepted are single-"},
        MachineMistake{"topology: star\n",
                       "m.yaml:1:11: topology is 'star': accepted is a mapping with a kind"},
        MachineMistake{
            "topology: {kind: single-swich}\n",
            "m.yaml:1:18: unknown topology kind 'single-swich' (did you mean 'single-switch'?)"},
        MachineMistake{
            "topology: {kind: simgrid, file: p.xml}\n",
            "m.yaml:1:1: 'simgrid' is no topology kind: accepted is 'simgrid: FILE' in the place "
            "of topology"},
        MachineMistake{
            kFour + "torus: {dims: 4}\n",
            "m.yaml:2:1: 'torus' has no effect, the topology is single-switch: accepted is "
            "topology: {kind: torus}"},
        MachineMistake{
            "n0\n",
            "m.yaml:1:1: not a machine: accepted is a YAML mapping such as 'topology: "
            "{kind: fat-tree}'; an edge list with a line 'A B [bandwidth] [latency]' per "
            "cable, which 'topology: {kind: graph, file: FILE}' names, too; or a SimGrid"},
        MachineMistake{"topology: {kind: link}\n", "m.yaml:1:18: unknown topology kind 'link'"},
        MachineMistake{
            "topology: {kind: single-switch, node: 4}\n",
            "m.yaml:1:33: unknown parameter 'node' of topology single-switch (did you mean "
            "'nodes'?): accepted are kind, routing, nodes"},
        MachineMistake{"topology: {kind: single-switch, routing: random}\n",
                       "m.yaml:1:42: 'random' is not a valid topology.routing: accepted is one of "
                       "minimal, minimal-drawn, "
                       "adaptive, valiant"},
        MachineMistake{"topology: {kind: single-switch, nodes: 0}\n",
                       "m.yaml:1:40: '0' is not a valid single-switch.nodes"},
        MachineMistake{"simgrid: a.xml\n" + kFour,
                       "m.yaml:2:1: 'topology' cannot stand beside 'simgrid', whose file says it"},
        MachineMistake{"simgrid: ''\n",
                       "m.yaml:1:10: simgrid is '': accepted is the path of a SimGrid"},
        MachineMistake{"topology: {kind: fat-tree, nodes: 9, arity: 2, levels: 3}\n",
                       "m.yaml:1:35: topology 'fat-tree': 9 nodes in a tree for 8"},
        MachineMistake{"topology: {kind: dragonfly, groups: 99, switches_per_group: 4}\n",
                       "m.yaml:1:37: topology 'dragonfly': 99 groups cannot all be joined"},
        MachineMistake{"topology: {kind: hyperx, multiplicity: [1, 2, 3], dims: [2, 2]}\n",
                       "m.yaml:1:40: topology 'hyperx': multiplicity has 3 numbers"},
        MachineMistake{
            "topology: {kind: graph}\n",
            "m.yaml:1:18: topology 'graph' needs its edges: accepted is either file or edges"},
        MachineMistake{"topology: {kind: graph, file: no/such.edges}\n",
                       "m.yaml:1:31: 'no/such.edges': cannot be opened"},
        MachineMistake{"topology:\n  kind: graph\n  edges: |\n    a s\n    b s fast\n",
                       "m.yaml:5:9: 'fast' is not a value of a cable: accepted are a bandwidth"},
        MachineMistake{"topology:\n  kind: graph\n  edges: |2-\n\n      a s\n    b s fast\n",
                       "m.yaml:6:9: 'fast' is not a value of a cable"},
        MachineMistake{"topology: {kind: graph, edges: \"a s\\nb s fast\"}\n",
                       "m.yaml:1:32: edges:2:5: 'fast' is not a value of a cable"},
        MachineMistake{"topology:\n  kind: graph\n  edges: >\n    a s\n\n    b s fast\n",
                       "m.yaml:3:10: edges:2:5: 'fast' is not a value of a cable"}));

TEST(Machine, TooLargeIsRefusedBeforeItIsBuilt) {
  Settings settings(machine_sections());
  const auto machine =
      read_machine_text("topology: {kind: single-switch, nodes: 100M}\n", "m.yaml", settings);
  EXPECT_EQ(error_of([&] { build_platform(machine, settings, 5000); }),
            "m.yaml:1:40: the machine has 100000001 nodes and switches: accepted are at most 5000");
}

// Nested aliases would expand to 3^20 words; they are refused at the first key that is unknown.
TEST(Machine, AliasesDoNotMultiply) {
  std::string text = "a0: &a0 [x, x, x]\n";
  for (int i = 1; i <= 20; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last +
            ", " + last + "]\n";
  }
  EXPECT_THAT(complaint_about(text), StartsWith("m.yaml:1:1: unknown key 'a0'"));
  EXPECT_THAT(complaint_about(kFour + "overrides: &o [*o]\n"), StartsWith("m.yaml:2:"));
}

TEST(Machine, DeepNestingIsRefused) {
  EXPECT_THAT(complaint_about(std::string(100'000, '[')), StartsWith("m.yaml:1:"));
}

std::string config_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  Settings settings(machine_sections());
  const MachineDescription machine = read_machine_text(text, "/m.yaml", settings);
  for (const std::string& set : sets) settings.assign(set, {"--set"});
  return effective_config(machine, settings);
}

// One writer for many machines, of which each is written as if it were the first: a section that
// was untouched before is set in the second and untouched again in the third.
TEST(EffectiveConfig, IsTheSameFromAWriterOfMany) {
  ConfigWriter writer;
  for (const char* latency : {"", "123ns", ""}) {
    Settings settings(machine_sections());
    const MachineDescription machine = read_machine("fat-tree-64", settings);
    if (*latency != 0) settings.assign("switch.latency", latency, {});
    const std::string text = writer.text(machine, settings);
    EXPECT_EQ(text, effective_config(machine, settings));
    EXPECT_EQ(text.find("123ns") != std::string::npos, *latency != 0);
  }
}

// The printed configuration has every parameter, reads back, and prints itself again.
TEST(EffectiveConfig, IsAFixedPoint) {
  const std::string text = kFour +
                           "name: 'a \"b\" # c'\nabout: |\n  two\n  lines\n"
                           "link: {bandwidth: 11.1GBps, latency: 0.5ns}\n"
                           "overrides:\n"
                           "  - {links: 'n1->*', latency: 3ns}\n"
                           "  - {group: access, flow_cap: 1Gbps}\n"
                           "  - {nodes: '0-1, n3', cores: 2, gap: 7ns}\n";
  const std::string first = config_of(text, {"node.speed=2.5Gf"});
  EXPECT_EQ(config_of(first), first);
  EXPECT_THAT(first, HasSubstr("name: \"a \\\"b\\\" # c\"\n"));
  EXPECT_THAT(first, HasSubstr("about: \"two\\nlines\\n\"\n"));
  EXPECT_THAT(first, HasSubstr("  bandwidth: 88800Mbps\n"));
  EXPECT_THAT(first, HasSubstr("  latency: 500ps\n"));
  EXPECT_THAT(first, HasSubstr("  speed: 2500Mf\n"));
  EXPECT_THAT(first, HasSubstr("  kind: single-switch\n  routing: minimal\n  nodes: 4\n"));
  const auto platform = platform_of(first);
  EXPECT_EQ(platform->name(), "a \"b\" # c");
  EXPECT_EQ(platform->cable(1).latency, Time::ns(3));
  EXPECT_EQ(platform->nic(NodeId{3}).gap, Time::ns(7));
}

TEST(EffectiveConfig, KeepsTheEdgesOfAGraph) {
  const std::string text =
      "topology:\n  kind: graph\n  edges: |\n    a s 10Gbps\n\n    b s # x\nlink: {latency: 1ns}\n";
  const std::string first = config_of(text);
  EXPECT_THAT(first, HasSubstr("  edges: |\n    a s 10Gbps\n\n    b s # x\n"));
  EXPECT_EQ(config_of(first), first);
  EXPECT_EQ(platform_of(first)->cable(0).bandwidth, Bandwidth::gbps(10));
}

// A cable of its own kind for each of 70,000 nodes, by its latency: each keeps it.
TEST(Machine, EveryCableMayBeDifferent) {
  constexpr int kNodes = 70'000;
  std::string text = "topology:\n  kind: graph\n  edges: |\n";
  for (int n = 0; n < kNodes; ++n) {
    text += "    n" + std::to_string(n) + " s " + std::to_string(n + 1) + "ns\n";
  }
  const auto platform = platform_of(text + "switch: {latency: 0ns}\n");
  for (const std::uint32_t n : {0, 65'535, 65'536, kNodes - 1}) {
    EXPECT_EQ(platform->cable(n).latency, Time::ns(n + 1));
    EXPECT_EQ(platform->links()[LinkId{2 * n}].latency, Time::ns(n + 1));
  }
}

// Whatever line ends and tabs a text has, it is written as a block, whose lines are those of the
// text, and reads back the same.
TEST(EffectiveConfig, WritesTextsOfSeveralLinesAsBlocks) {
  for (const std::string edges : {"a s\\nb s", "a s\\nb s\\n", "a\\ts\\nb s\\n\\n"}) {
    const std::string first = config_of("topology: {kind: graph, edges: \"" + edges + "\"}\n");
    EXPECT_THAT(first, HasSubstr("  edges: |")) << edges;
    EXPECT_THAT(first, HasSubstr("\n    b s\n")) << edges;
    EXPECT_EQ(config_of(first), first) << edges;
  }
}

struct ColourConfig {
  std::string colour;
};

// A section that a layer above declares is read, checked and printed like our own.
TEST(EffectiveConfig, HasTheSectionsOfLayersAbove) {
  ParamTable<ColourConfig> table("paint", "a section from elsewhere");
  table.add("colour", &ColourConfig::colour, "dark blue", {}, "any colour");
  std::vector<const ParamSection*> sections = machine_sections();
  sections.push_back(&table);
  Settings settings(sections);
  const auto machine = read_machine_text(kFour, "m.yaml", settings);
  EXPECT_THAT(effective_config(machine, settings), HasSubstr("paint:\n  colour: \"dark blue\"\n"));
  Settings painted(sections);
  read_machine_text(kFour + "paint: {colour: red}\n", "m.yaml", painted);
  EXPECT_EQ(painted.get(table).colour, "red");
}

// A SimGrid platform is referred to by its path; what describes a fabric is left to its file.
TEST(EffectiveConfig, RefersToASimGridPlatform) {
  const std::string first = config_of("simgrid: sub/p.xml\nnic: {gap: 2ns}\n");
  EXPECT_THAT(first, StartsWith("name: m\nsimgrid: /sub/p.xml\nnic:\n"));
  EXPECT_THAT(first, Not(HasSubstr("link:")));
  EXPECT_EQ(config_of(first), first);
}

// Two ways of two cables lead from a to b; the override makes the first one slow, so messages take
// the other one.
TEST(Machine, OverriddenLatenciesReachTheRoutesOfAGraph) {
  const std::string graph =
      "topology: {kind: graph, edges: \"node a b\\na p\\np b\\na q\\nq b\"}\n";
  const auto first_stop = [](const Platform& platform) {
    const Topology& t = platform.topology();
    return t.name(t.ends(t.output({VertexId{0}, VertexId{0}, VertexId{1}})).to);
  };
  EXPECT_EQ(first_stop(*platform_of(graph)), "p");
  EXPECT_EQ(first_stop(*platform_of(graph + "overrides: [{links: 'p->b', latency: 1us}]\n")), "q");
}

class MachineFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_ / "sub"); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string complaint(const std::string& path) const {
    Settings settings(machine_sections());
    return error_of([&] { build_platform(read_machine(path, settings), settings); });
  }
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("machine_files_" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

// Paths in a machine's file start from that file, wherever the program runs.
TEST_F(MachineFiles, AnEdgeListIsFoundBesideTheMachine) {
  write("sub/net.edges", "x s\ny s 1Gbps\n");
  const std::string path = write("m.yaml", "topology: {kind: graph, file: sub/net.edges}\n");
  Settings settings(machine_sections());
  const auto machine = read_machine(path, settings);
  EXPECT_EQ(machine.name, "m");
  EXPECT_EQ(build_platform(machine, settings)->topology().name(VertexId{1}), "y");
  write("sub/net.edges", "x s\ny s quick\n");
  EXPECT_THAT(complaint(path), HasSubstr("sub/net.edges:2:5: 'quick' is not a value of a cable"));
}

// An edge list makes the machine that a YAML file which names it would; what its cables do not say
// can be set, and the machine is called as the file.
TEST_F(MachineFiles, AnEdgeListIsAMachine) {
  const std::string path = write("net.edges", "# four\nx s 1Gbps\ny s\n");
  Settings settings(machine_sections());
  const auto machine = read_machine(path, settings);
  EXPECT_EQ(machine.name, "net");
  settings.assign("link.bandwidth=7Gbps", {"--set"});
  const auto platform = build_platform(machine, settings);
  EXPECT_EQ(platform->topology().name(VertexId{1}), "y");
  EXPECT_EQ(platform->cable(0).bandwidth, Bandwidth::gbps(1));
  EXPECT_EQ(platform->cable(1).bandwidth, Bandwidth::gbps(7));
  EXPECT_THAT(effective_config(machine, settings), HasSubstr("kind: graph\n"));
  write("net.edges", "x s\ny s quick\n");
  EXPECT_THAT(complaint(path), HasSubstr("net.edges:2:5: 'quick' is not a value of a cable"));
}

// Two words of a machine that lacks its colon are no cable.
TEST_F(MachineFiles, AForgottenColonMakesNoGraph) {
  const std::string path = write("m.yaml", "# mine\ntopology fat-tree\n");
  EXPECT_THAT(complaint(path), HasSubstr("m.yaml:1:1: not a machine"));
}

// Names appear on terminals and in documents: bytes that are no UTF-8, and characters that control
// a terminal, also those written as escapes, are refused where they stand.
TEST_F(MachineFiles, AreText) {
  EXPECT_THAT(complaint(write("m.yaml", "# mine\nname: caf\xe9\n")),
              HasSubstr("m.yaml:2:10: the byte 0xe9 is no text"));
  EXPECT_THAT(complaint(write("m.yaml", "name: \"a\\e[31m\"\n")),
              HasSubstr("m.yaml:1:7: name has a control character"));
  EXPECT_THAT(complaint(write("m.txt", std::string("a b\na \0c\n", 9))),
              HasSubstr("m.txt:2:3: the byte 0x00 is no text"));
}

TEST_F(MachineFiles, WhatIsNotThereIsNamed) {
  EXPECT_EQ(complaint("quitto"),
            "'quitto' is neither a built-in machine nor a file (did you mean 'quito'?); `heddle "
            "platforms` lists the built-in machines");
  EXPECT_THAT(complaint((folder_ / "sub").string()), HasSubstr("sub: is a directory"));
}

// What the SimGrid file says cannot be said again from outside.
TEST_F(MachineFiles, ASimGridPlatformLeavesNoRoomForFabricParameters) {
  const std::string path = write("p.xml", "<?xml version='1.0'?>\n<platform version='4.1'/>\n");
  Settings settings(machine_sections());
  const auto machine = read_machine(path, settings);
  EXPECT_EQ(machine.name, "p");
  EXPECT_EQ(machine.simgrid, path);
  settings.assign("link.latency=1us", {"--set"});
  EXPECT_EQ(error_of([&] { build_platform(machine, settings); }),
            "--set: 'link.latency' cannot be set: '" + path +
                "' says it; accepted is a YAML file with 'simgrid: " + path +
                "' and 'overrides: [{links: \"*\", latency: 1us}]'");
}

// What the error above proposes works: the cable of the file gets another latency, the host other
// cores.
TEST_F(MachineFiles, OverridesChangeASimGridPlatform) {
  write("p.xml", R"(<?xml version='1.0'?>
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="1ms"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
)");
  const std::string path = write("m.yaml",
                                 "simgrid: p.xml\noverrides: [{links: \"*\", latency: 1us}, "
                                 "{nodes: \"*\", cores: 5}]\n");
  Settings settings(machine_sections());
  const auto platform = build_platform(read_machine(path, settings), settings);
  EXPECT_EQ(platform->cable(0).latency, Time::us(1));
  EXPECT_EQ(platform->cable(0).bandwidth, Bandwidth::gbps(8));
  EXPECT_EQ(platform->node(NodeId{1}).cores, 5);
}

// A machine keeps the name that its file gives it, also if its fabric has a file of its own; that
// this one is missing is said where it is named.
TEST_F(MachineFiles, ASimGridPlatformGetsTheNameOfTheMachine) {
  write("p.xml",
        "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/></zone>"
        "</platform>");
  const std::string path = write("m.yaml", "name: mine\nsimgrid: p.xml\n");
  Settings settings(machine_sections());
  EXPECT_EQ(build_platform(read_machine(path, settings), settings)->name(), "mine");
  const std::string wrong = write("w.yaml", "name: mine\nsimgrid: q.xml\n");
  EXPECT_THAT(complaint(wrong), StartsWith(wrong + ":2:10: '" + (folder_ / "q.xml").string() +
                                           "': cannot be opened"));
}

}  // namespace
}  // namespace heddle::platform
