#include <gmock/gmock.h>

#include <map>

#include "platform/designs/design_figures.hpp"
#include "platform/machine.hpp"
#include "sanitized.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::map<std::string, FabricDesign> designs_by_name(std::uint64_t nodes, std::uint64_t radix) {
  std::map<std::string, FabricDesign> designs;
  for (const FabricDesign& design : fitting_designs(nodes, radix)) {
    EXPECT_TRUE(designs.emplace(design.name, design).second) << design.name << " twice";
  }
  return designs;
}

// Whatever is listed can be built, has the nodes that were asked for and no switch with more
// cables than it has ports.
TEST(Designs, WhatIsListedFits) {
  for (const auto& [nodes, radix] : {std::pair(2, 3),
                                     {16, 16},
                                     {17, 8},
                                     {60, 7},
                                     {72, 7},
                                     {200, 11},
                                     {300, 12},
                                     {500, 24},
                                     {1000, 36},
                                     {2000, 20}}) {
    if (kSanitized && nodes > 500) break;
    for (const FabricDesign& design : fitting_designs(nodes, radix)) {
      Settings settings(machine_sections());
      design.apply(settings);
      MachineDescription machine;
      const auto platform = build_platform(machine, settings);
      EXPECT_GE(platform->nodes(), nodes) << design.yaml();
      EXPECT_LE(measure(*platform).radix, radix) << design.yaml() << " for " << nodes;
    }
  }
}

// The instances of the literature are found again: the Slim Fly of q = 19 with 15 nodes to a switch
// of 44 ports, the dragonfly of 72 nodes by 7 ports, the Dragonfly+ of 272 nodes by 8.
TEST(Designs, KnownInstancesAreFound) {
  EXPECT_THAT(designs_by_name(10830, 44).at("slim-fly").parameters,
              ElementsAre(Pair("q", "19"), Pair("nodes_per_switch", "15")));
  EXPECT_THAT(designs_by_name(72, 7).at("dragonfly").parameters,
              ElementsAre(Pair("nodes_per_switch", "2"), Pair("switches_per_group", "4"),
                          Pair("global_per_switch", "2"), Pair("groups", "9")));
  EXPECT_EQ(designs_by_name(272, 8).at("dragonfly-plus").yaml(),
            "{kind: dragonfly-plus, nodes_per_leaf: 4, leaves_per_group: 4, spines_per_group: 4, "
            "global_per_spine: 4, groups: 17}");
  // 2048 nodes by 64 ports: 64 leaves of 32 nodes, 32 spines. By 32 ports the tree has 3 levels.
  EXPECT_EQ(designs_by_name(2048, 64).at("fat-tree 2 levels").yaml(),
            "{kind: fat-tree, down: [32,64], up: [1,32], parallel: [1,1], nodes: 2048}");
  EXPECT_TRUE(designs_by_name(2048, 32).contains("fat-tree 3 levels"));
  EXPECT_TRUE(designs_by_name(16, 16).contains("single-switch"));
  EXPECT_TRUE(fitting_designs(100'000, 3).empty());
}

// A tree with full bandwidth bears all that nodes inject, uniform or shifted; one with half as many
// ports up as down bears half or more of uniform traffic and half of the worst shift.
TEST(Designs, TreesBearWhatTheirTaperLeaves) {
  Settings settings(machine_sections());
  const DesignQuestion question{&settings};
  const auto designs = designs_by_name(72, 12);
  const DesignFigures full = figures_of(designs.at("fat-tree 2 levels"), question);
  EXPECT_DOUBLE_EQ(full.uniform.load.saturation, 1);
  EXPECT_DOUBLE_EQ(full.shift.load.saturation, 1);
  EXPECT_FALSE(full.detour);
  EXPECT_FALSE(full.cost);
  const DesignFigures half = figures_of(designs.at("fat-tree 2 levels 2:1"), question);
  EXPECT_DOUBLE_EQ(half.shift.load.saturation, 0.5);
  EXPECT_GE(half.uniform.load.saturation, 0.5);
  EXPECT_LT(half.switches, full.switches);
  EXPECT_LE(full.uniform_after.load.saturation, 1);
  EXPECT_EQ(full.cut_off, 0U);
}

// a is cheaper than b and as good in everything else; c is dearer and better.
TEST(Designs, TheParetoFrontIsWhatNothingBeats) {
  DesignFigures a;
  a.nodes = 10;
  a.switches = 1;
  a.uniform.load.saturation = 0.5;
  DesignFigures b = a;
  b.switches = 2;
  DesignFigures c = b;
  c.uniform.load.saturation = 0.9;
  EXPECT_THAT(pareto_front({a, b, c}), ElementsAre(true, false, true));
  EXPECT_THAT(pareto_front({a, a}), ElementsAre(true, true));
}

}  // namespace
}  // namespace heddle::platform
