#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// Of 64 nodes and 16 ports every kind has an instance, all on one table, the same with one job as
// with several; on the front is at least the full fat tree, whose load nothing beats.
TEST(Design, ComparesAllShapesThatFit) {
  const Outcome outcome = heddle("design --nodes 64 --radix 16 --prices slim-fly-2014 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json designs = json::parse(outcome.out)["designs"];
  EXPECT_GE(designs.size(), 10U);
  for (const json& design : designs) {
    EXPECT_GE(design["nodes"], 64) << design;
    EXPECT_LE(design["radix"], 16) << design;
    EXPECT_GT(design["price_per_node"], 0) << design;
    EXPECT_LE(design["uniform_saturation"], 1) << design;
    if (design["design"] == "fat-tree 2 levels") {
      EXPECT_EQ(design["worst_shift_saturation"], 1);
      EXPECT_TRUE(design["pareto"]);
    }
  }
  const Outcome alone = heddle("design --nodes 64 --radix 16 --prices slim-fly-2014 -j 1 --json -");
  EXPECT_EQ(alone.out, outcome.out);
}

// The machine of a design reads as what the table says of it.
TEST(Design, ADesignIsAMachine) {
  const TemporaryFolder folder;
  const json designs = json::parse(
      heddle("design --nodes 60 --radix 9 --kinds slim-fly,dragonfly --json -").out)["designs"];
  ASSERT_EQ(designs.size(), 2U);
  for (const json& design : designs) {
    std::ofstream(folder / "m.yaml") << "topology: " << design["topology"].get<std::string>();
    const json machine = json::parse(heddle("topo m.yaml --json -", folder.path()).out);
    EXPECT_EQ(machine["nodes"], design["nodes"]);
    EXPECT_EQ(machine["switches"], design["switches"]);
    EXPECT_EQ(machine["hops"]["most"], design["diameter"]);
  }
}

TEST(Design, WritesATableAndAPage) {
  const TemporaryFolder folder;
  const Outcome outcome =
      heddle("design --nodes 30 --radix 12 --csv d.csv --page d.html", folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("worst_shift"), HasSubstr("topology: {kind: hyperx")));
  EXPECT_THAT(file_text(folder / "d.csv"), HasSubstr("pareto,design,nodes,switches"));
  EXPECT_THAT(file_text(folder / "d.html"),
              AllOf(HasSubstr("<table"), HasSubstr("<svg"), HasSubstr("dragonfly")));
}

// Five nodes of each switch of a full mesh send to the next switch by one cable: a fifth is
// accepted, and nearly all of what goes up and down a full fat tree. What a tree cannot do is said.
TEST(Design, SimulatesPatterns) {
  const json designs =
      json::parse(heddle("design --nodes 30 --radix 10 --kinds switch-mesh,fat-tree "
                         "--patterns worst-shift --json -")
                      .out)["designs"];
  ASSERT_EQ(designs.size(), 3U);
  EXPECT_NEAR(designs[0]["simulated"]["worst-shift"].get<double>(), 0.2, 0.01);
  EXPECT_GT(designs[1]["simulated"]["worst-shift"], 0.9);
  const Outcome outcome = heddle(
      "design --nodes 30 --radix 10 --kinds fat-tree,hyperx --patterns "
      "tornado --set topology.routing=valiant");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("simulated_tornado"), HasSubstr("fat-tree 2 levels under tornado:"),
                    HasSubstr("routing 'valiant' cannot be used")));
}

// 32 ranks send 1 MiB at a time, 83.9 us on a cable, to the rank eight behind them. In a full mesh
// of six switches with six nodes each all six of one switch send to one other over one cable; in a
// fat tree with as many ports up as down two of a leaf share one, with half as many three.
TEST(Design, ReplaysASchedule) {
  const TemporaryFolder folder;
  std::ofstream schedule(folder / "shift.goal");
  schedule << "num_ranks 32\n";
  for (int rank = 0; rank < 32; ++rank) {
    schedule << "rank " << rank << " {\nsend 1048576b to " << (rank + 8) % 32
             << "\nrecv 1048576b from " << (rank + 24) % 32 << "\n}\n";
  }
  schedule.close();
  const json document =
      json::parse(heddle("design --nodes 32 --radix 11 --kinds switch-mesh,fat-tree "
                         "--schedule shift.goal --set network.model=queue --json -",
                         folder.path())
                      .out);
  EXPECT_EQ(document["schedule"], "shift.goal");
  std::map<std::string, double> seconds;
  for (const json& design : document["designs"]) {
    seconds[design["design"]] = design["schedule_s"];
  }
  constexpr double kOne = 83.9e-6;
  EXPECT_NEAR(seconds.at("switch-mesh"), 6 * kOne, 2e-6);
  EXPECT_NEAR(seconds.at("fat-tree 2 levels"), 2 * kOne, 2e-6);
  EXPECT_NEAR(seconds.at("fat-tree 2 levels 2:1"), 3 * kOne, 2e-6);
  const Outcome text = heddle(
      "design --nodes 32 --radix 11 --kinds switch-mesh --schedule shift.goal", folder.path());
  EXPECT_THAT(text.out, AllOf(HasSubstr("schedule_us"), HasSubstr("last rank of shift.goal")));
  const Outcome none = heddle("design --nodes 32 --radix 11 --schedule nothing.goal");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("nothing.goal"));
}

TEST(Design, WhatDoesNotFitIsSaid) {
  const Outcome outcome = heddle("design --nodes 100000 --radix 3");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--radix: no shape joins 100000 nodes by switches of 3 ports: "
                                     "accepted are fewer nodes, more ports"));
  const Outcome share = heddle("design --nodes 20 --radix 8 --fail 1000%");
  EXPECT_EQ(share.status, 2);
  EXPECT_THAT(share.err, HasSubstr("--fail: '1000%' is no share"));
}

}  // namespace
}  // namespace heddle::cli
