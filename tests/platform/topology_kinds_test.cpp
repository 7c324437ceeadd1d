#include "platform/topology_kinds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "platform/machine_files/edge_list.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

std::string problem_of(std::string_view kind, const std::vector<std::string>& assignments) {
  Settings settings(topology_sections());
  return error_of([&] {
    for (std::uint32_t line = 1; const std::string& a : assignments) {
      settings.assign(a, {"m.yaml", line++, 3});
    }
    make_topology(kind, settings, {"m.yaml", 9, 1});
  });
}

// Every kind makes a machine from its defaults alone, and its section carries its name.
TEST(TopologyKinds, DefaultsOfEveryKindMakeAMachine) {
  const Settings settings(topology_sections());
  for (const TopologyKind& kind : topology_kinds()) {
    EXPECT_EQ(kind.params->section(), kind.name);
    const auto topology = make_topology(kind.name, settings);
    EXPECT_GE(topology->nodes(), 2U) << kind.name;
    EXPECT_FALSE(topology->describe().empty());
  }
}

// Regular fabrics compute their routes, so any number of threads may ask for them; a graph works
// them out when the first one does, and random ones are graphs.
TEST(TopologyKinds, ThreadsMayShareWhatIsComputed) {
  const Settings settings(topology_sections());
  for (const TopologyKind& kind : topology_kinds()) {
    const bool random = kind.name == "jellyfish" || kind.name == "xpander";
    EXPECT_EQ(make_topology(kind.name, settings)->concurrent(), !random) << kind.name;
  }
  const auto graph = graph_of(read_edge_list("a b\nb c\n", {"edges"}), {});
  EXPECT_FALSE(graph->concurrent());
}

// Leaves of 8 nodes with 2 nodes for every port upwards have 4 parents: 32 cables go up in the
// place of 64, and 4 spines are enough. What is no divisor, or said twice, is refused.
TEST(TopologyKinds, FatTreesMayBeTapered) {
  Settings settings(topology_sections());
  settings.assign("fat-tree.oversubscription=2", {"--set"});
  const auto tree = make_topology("fat-tree", settings);
  EXPECT_EQ(tree->nodes(), 64U);
  EXPECT_EQ(tree->switches(), 8U + 4U);
  EXPECT_EQ(tree->cables(), 64U + 32U);
  EXPECT_THAT(problem_of("fat-tree", {"fat-tree.oversubscription=3"}),
              HasSubstr("accepted are divisors of arity"));
  EXPECT_THAT(problem_of("fat-tree",
                         {"fat-tree.oversubscription=2", "fat-tree.down=4,4", "fat-tree.up=1,4"}),
              HasSubstr("accepted is oversubscription with arity and levels"));
}

// A misspelt kind is an error at its place that names the likely one and all that are accepted.
TEST(TopologyKinds, UnknownKindSaysWhatWasMeant) {
  const std::string problem = problem_of("single-swich", {});
  EXPECT_THAT(problem, HasSubstr("m.yaml:9:1"));
  EXPECT_THAT(problem, HasSubstr("did you mean 'single-switch'?"));
  EXPECT_THAT(problem, HasSubstr("accepted are single-switch"));
}

// A value out of range is an error where the value stands.
TEST(TopologyKinds, ValueOutOfRangeIsReportedWhereItStands) {
  const std::string problem = problem_of("single-switch", {"single-switch.nodes=0"});
  EXPECT_THAT(problem, HasSubstr("m.yaml:1:3"));
  EXPECT_THAT(problem, HasSubstr("at least 1"));
}

// 4-ary 2-trees are asked for in a file, two parents per switch on the command line: the latter is
// blamed, with what was written there.
TEST(TopologyKinds, TheCommandLineIsBlamedForWhatItSets) {
  Settings settings(topology_sections());
  settings.assign("fat-tree.arity=4", {"m.yaml", 1, 3});
  settings.assign("fat-tree.up=1,2", {"--set fat-tree.up=1,2"});
  EXPECT_THAT(
      error_of([&] {
        make_topology("fat-tree", settings, {"m.yaml", 9, 1});
      }),
      testing::StartsWith("--set fat-tree.up=1,2: topology 'fat-tree': accepted are arity"));
}

// A problem of one parameter is told where that one was set, though others were set after it; the
// word "nodes" in a sentence about something else is no sign of the parameter of that name.
TEST(TopologyKinds, TheParameterThatIsWrongIsBlamed) {
  EXPECT_THAT(problem_of("fat-tree", {"fat-tree.down=4,0", "fat-tree.up=1,4", "fat-tree.nodes=3"}),
              HasSubstr("m.yaml:1:3"));
  EXPECT_THAT(
      problem_of("fat-tree", {"fat-tree.nodes=3", "fat-tree.arity=1000", "fat-tree.levels=9"}),
      testing::AllOf(HasSubstr("m.yaml:3:3"), HasSubstr("far too many")));
}

// Parameters that contradict each other are reported where the user set the last of them, with the
// way out.
TEST(TopologyKinds, ContradictionsSayWhatIsAccepted) {
  EXPECT_THAT(problem_of("fat-tree", {"fat-tree.arity=4", "fat-tree.down=4,4", "fat-tree.up=1,4"}),
              testing::AllOf(HasSubstr("m.yaml:3:3"), HasSubstr("accepted is one or the other")));
  EXPECT_THAT(problem_of("fat-tree", {"fat-tree.down=4,4"}), HasSubstr("down and up together"));
  EXPECT_THAT(problem_of("fat-tree", {"fat-tree.down=4,4", "fat-tree.up=1"}),
              HasSubstr("lists of equal length"));
  EXPECT_THAT(problem_of("dragonfly", {"dragonfly.groups=10"}),
              HasSubstr("accepted are at most 9 groups"));
  EXPECT_THAT(problem_of("torus", {"torus.dims=4,0"}), HasSubstr("dims contains 0"));
  EXPECT_THAT(problem_of("fat-tree", {"fat-tree.arity=1000", "fat-tree.levels=9"}),
              HasSubstr("far too many"));
}

// What users write in short is the general thing: a k-ary n-tree is a PGFT, a k-ary n-flat a HyperX
// of n-1 dimensions of k with k nodes, a canonical dragonfly of p = 2 has 72 nodes.
TEST(TopologyKinds, ShortFormsStandForTheGeneralOnes) {
  Settings settings(topology_sections());
  settings.assign("fat-tree.down=4,4,4", {});
  settings.assign("fat-tree.up=1,4,4", {});
  EXPECT_EQ(make_topology("fat-tree", settings)->describe(), "3-level fat tree, arity 4");
  EXPECT_EQ(make_topology("flattened-butterfly", settings)->describe(), "4x4 HyperX, 4 nodes each");
  EXPECT_EQ(make_topology("dragonfly", settings)->nodes(), 72U);
  EXPECT_EQ(make_topology("chain", settings)->describe(), "chain of 4 switches, 2 nodes each");
  EXPECT_EQ(make_topology("switch-mesh", settings)->describe(),
            "full mesh of 4 switches, 2 nodes each");
}

// Lists are written with commas or crosses and read back as the same numbers.
TEST(TopologyKinds, ListsOfNumbersReadBack) {
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(parse_counts("8,8,4"), (List{8, 8, 4}));
  EXPECT_EQ(parse_counts("8x8x4"), (List{8, 8, 4}));
  EXPECT_EQ(parse_counts(" 2k, 3 "), (List{2000, 3}));
  EXPECT_EQ(exact_counts({8, 8, 4}), "8,8,4");
  for (const char* bad : {"", "8,", ",8", "8,,8", "8;8", "a", "1.5"}) {
    EXPECT_FALSE(parse_counts(bad)) << bad;
  }
}

}  // namespace
}  // namespace heddle::platform
