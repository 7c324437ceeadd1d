// Traces of few ranks made into schedules of many.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;

class GoalScale : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const std::string sources = HEDDLE_TEST_DATA "/../../examples/mpi/";
    for (const std::string& path : {sources + "stencil", sources + "sort",
                                    std::string(HEDDLE_TEST_DATA "/programs/scaled")}) {
      const Outcome made =
          shell(built("heddlecc") + " -O1 " + path + ".c -o " + path.substr(path.rfind('/') + 1),
                folder_->path());
      EXPECT_EQ(made.status, 0) << made.err;
    }
  }
  static void TearDownTestSuite() { delete folder_; }

  static void record(int ranks, const std::string& program) {
    const Outcome run = here("run -q -n " + std::to_string(ranks) + " -p fat-tree-64 --trace-ti t" +
                             std::to_string(ranks) + ".ti ./" + program);
    EXPECT_EQ(run.status, 0) << run.err;
  }
  static Outcome here(const std::string& arguments) { return heddle(arguments, folder_->path()); }
  static double makespan(const std::string& schedule) {
    const Outcome replay = here("replay " + schedule + " -p fat-tree-64 --json r.json");
    EXPECT_EQ(replay.status, 0) << replay.err;
    return nlohmann::json::parse(file_text(*folder_ / "r.json")).at("makespan_ps").get<double>();
  }
  static inline TemporaryFolder* folder_ = nullptr;
};

// 256 x 256 points on 4, 8, 16 and 32 ranks say what 64 do: blocks of 32 x 32, edges of 256 bytes.
// The schedule has as many operations as that of a real trace of 64, and takes its time to 1 %.
TEST_F(GoalScale, AStencilOfFewRanksIsOneOfMany) {
  for (const int ranks : {4, 8, 16, 32, 64}) record(ranks, "stencil 256 4");
  const Outcome made =
      here("goal scale t4.ti t8.ti t16.ti t32.ti --ranks 64 -o s.goal --set convert.speed=10Gf");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("9 kinds of ranks in 2 dimensions, 8 x 8 x 1"));
  ASSERT_EQ(here("convert t64.ti -o t.goal --set convert.speed=10Gf").status, 0);
  EXPECT_LE(std::abs(makespan("s.goal") / makespan("t.goal") - 1), 0.01);
  EXPECT_EQ(here("goal scale t4.ti t8.ti t16.ti t32.ti --ranks 4096 -o l.goal --compact").status,
            0);
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
// n / p^2 numbers; wavefronts go through a plane. As traces they take the time of a run of 64, to
// 1 %.
TEST_F(GoalScale, LoopsHaveMoreRoundsOnMoreRanks) {
  for (const std::string kind : {"ring", "butterflies", "transposes", "sweeps"}) {
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
