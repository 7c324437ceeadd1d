// Traces of few ranks made into schedules of many.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"
#include "sanitized.hpp"
#include "validation.hpp"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;

class GoalScale : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const std::string sources = HEDDLE_TEST_DATA "/../../examples/mpi/";
    for (const std::string& path :
         {sources + "stencil", sources + "sort", sources + "cg", sources + "stencil3d",
          std::string(HEDDLE_TEST_DATA "/programs/scaled")}) {
      const Outcome made =
          shell(built("heddlecc") + " -O1 " + path + ".c -o " + path.substr(path.rfind('/') + 1),
                folder_->path());
      EXPECT_EQ(made.status, 0) << made.err;
    }
  }
  static void TearDownTestSuite() { delete folder_; }

  static void record(int ranks, const std::string& program,
                     const std::string& machine = "fat-tree-64") {
    const Outcome run = here("run -q -n " + std::to_string(ranks) + " -p " + machine +
                             " --trace-ti t" + std::to_string(ranks) + ".ti ./" + program);
    EXPECT_EQ(run.status, 0) << run.err;
  }
  static Outcome here(const std::string& arguments) { return heddle(arguments, folder_->path()); }
  static double makespan(const std::string& schedule) {
    const Outcome replay = here("replay " + schedule + " -p fat-tree-64 --json r.json");
    EXPECT_EQ(replay.status, 0) << replay.err;
    return nlohmann::json::parse(file_text(*folder_ / "r.json")).at("makespan_ps").get<double>();
  }
  /// The simulated time, in us, of a command that simulates MPI.
  static double time(const std::string& command, const std::string& program = "") {
    const Outcome outcome = here(command + " --json r.json " + program);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(file_text(*folder_ / "r.json")).at("time_ps").get<double>() * 1e-6;
  }
  static inline TemporaryFolder* folder_ = nullptr;
};

// 256 x 256 points on 4, 8, 16 and 32 ranks say what 64 do: blocks of 32 x 32, edges of 256 bytes.
// The schedule takes the time of that of a run of 64, to 1 %.
TEST_F(GoalScale, AStencilOfFewRanksIsOneOfMany) {
  for (const int ranks : {4, 8, 16, 32}) record(ranks, "stencil 256 4");
  const Outcome made =
      here("goal scale t4.ti t8.ti t16.ti t32.ti --ranks 64 -o s.goal --set convert.speed=10Gf");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("9 kinds of ranks in 2 dimensions, 8 x 8 x 1"));
  ASSERT_EQ(here("run -q -n 64 -p fat-tree-64 --trace-goal t.goal ./stencil 256 4").status, 0);
  EXPECT_LE(std::abs(makespan("s.goal") / makespan("t.goal") - 1), 0.01);
  EXPECT_EQ(here("goal scale t4.ti t8.ti t16.ti t32.ti --ranks 4096 -o l.goal --compact").status,
            0);
}

/// A fat tree of 4,096 nodes.
constexpr const char* kLargeTree =
    "topology: {kind: fat-tree, arity: 16, levels: 3}\n"
    "link: {bandwidth: 100Gbps, latency: 100ns}\nswitch: {latency: 100ns}\n";

struct ScaledProgram {
  std::string program;
  std::vector<int> recorded;
  std::vector<int> ranks;
};

// Traces of up to 64 ranks say what 256 and 4,096 take, to 1 %: as traces, whose collectives MPI
// chooses in the replay, and as schedules, where it has chosen before. The stencil's grid is a
// Cartesian communicator, the collectives of cg are those of rows; on 4 ranks the stencil in space
// has itself for a neighbour.
TEST_F(GoalScale, ThousandsOfRanksTakeTheTimeOfTheirRun) {
  std::ofstream(*folder_ / "large.yaml") << kLargeTree;
  for (const ScaledProgram& one : {ScaledProgram{"stencil 1024 5", {4, 8, 16, 32}, {256, 4096}},
                                   ScaledProgram{"cg 4096 5", {4, 16, 64}, {256}},
                                   ScaledProgram{"stencil3d 16 2", {4, 8, 16, 32}, {512}}}) {
    std::string traces;
    for (const int ranks : one.recorded) {
      record(ranks, one.program, "large.yaml");
      traces += " t" + std::to_string(ranks) + ".ti";
    }
    for (const int ranks : one.ranks) {
      if (kSanitized && ranks > one.ranks.front()) break;
      const std::string make =
          "goal scale" + traces + " --set convert.speed=10Gf -n " + std::to_string(ranks);
      ASSERT_EQ(here(make + " -o s.ti --ti").status, 0) << one.program;
      ASSERT_EQ(here(make + " -o s.goal --compact").status, 0) << one.program;
      const double run =
          time("run -q -n " + std::to_string(ranks) + " -p large.yaml", "./" + one.program);
      const std::string last = std::to_string(one.recorded.back());
      for (const std::string replay : {"replay s.ti", "replay s.goal --ends mpi"}) {
        const double scaled = time(replay + " -p large.yaml");
        const double error = scaled / run - 1;
        EXPECT_LE(std::abs(error), 0.01) << one.program << ", " << ranks << " ranks: " << replay;
        validation_row("Traces of few ranks extrapolated to many, against runs",
                       fmt::format("{}, {} ranks from up to {}, {}", one.program, ranks, last,
                                   replay == "replay s.ti" ? "traces" : "schedule"),
                       fmt::format("{:.2f} us", scaled), fmt::format("{:.2f} us", run),
                       fmt::format("{:+.2f} %", 100 * error), "1 %");
      }
    }
  }
}

// Collectives are MPI's.
TEST_F(GoalScale, AlgorithmsAreThoseOfMpi) {
  for (const int ranks : {4, 8, 16}) record(ranks, "stencil 64 1");
  const std::string make = "goal scale t4.ti t8.ti t16.ti --ranks 64 -o s.goal --set ";
  EXPECT_EQ(here(make + "mpi.coll.allreduce=ring").status, 0);
  const Outcome refused = here(make + "convert.allreduce=ring");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("accepted is mpi.coll.allreduce"));
}

// Who gets how many keys follows no law: the call is named.
TEST_F(GoalScale, WhatFollowsNoLawIsRefused) {
  for (const int ranks : {4, 8}) record(ranks, "sort 512 1");
  const Outcome made = here("goal scale t4.ti t8.ti --ranks 64 -o s.goal");
  EXPECT_EQ(made.status, 2);
  EXPECT_THAT(made.err, HasSubstr("alltoall of rank 0 of 4, its call"));
  EXPECT_THAT(made.err, HasSubstr("rank-0.txt:"));
}

// A ring takes 2 (p - 1) rounds, butterflies log2 of a side; blocks of a transposed matrix have
// n / p^2 numbers; wavefronts go through a plane, whose longer side counts slowest or fastest. As
// traces they take the time of a run of 64, to 1 %.
TEST_F(GoalScale, LoopsHaveMoreRoundsOnMoreRanks) {
  for (const std::string kind : {"ring", "butterflies", "transposes", "sweeps", "pipelines"}) {
    for (const int ranks : {4, 8, 16, 32}) record(ranks, "scaled " + kind);
    const Outcome made = here(
        "goal scale t4.ti t8.ti t16.ti t32.ti --ranks 64 -o s.ti --ti --set convert.speed=10Gf");
    ASSERT_EQ(made.status, 0) << kind << ": " << made.err;
    ASSERT_EQ(here("replay s.ti -p fat-tree-64 --json r.json").status, 0);
    const auto time = [] {
      return nlohmann::json::parse(file_text(*folder_ / "r.json")).at("time_ps").get<double>();
    };
    const double scaled = time();
    ASSERT_EQ(here("run -q -n 64 -p fat-tree-64 --json r.json ./scaled " + kind).status, 0);
    EXPECT_LE(std::abs(scaled / time() - 1), 0.01) << kind;
  }
}

// Who gets which work is chance: the call is named.
TEST_F(GoalScale, ChanceIsRefused) {
  for (const int ranks : {4, 8, 16}) record(ranks, "scaled workers");
  const Outcome made = here("goal scale t4.ti t8.ti t16.ti --ranks 64 -o s.goal");
  EXPECT_EQ(made.status, 2);
  EXPECT_THAT(made.err, HasSubstr("rank-0.txt:"));
  EXPECT_THAT(made.err, HasSubstr("of rank 0 of 4, its call"));
}

TEST_F(GoalScale, OneTraceIsNotEnough) {
  record(4, "stencil 64 1");
  const Outcome made = here("goal scale t4.ti --ranks 64 -o s.goal");
  EXPECT_EQ(made.status, 2);
  EXPECT_THAT(made.err, HasSubstr("two or more numbers of ranks"));
}

}  // namespace
}  // namespace heddle::cli
