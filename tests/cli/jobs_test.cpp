#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const char* const kTree =
    "topology: {kind: fat-tree, down: [4, 2], up: [1, 1]}\n"
    "link: {bandwidth: 100Gbps, latency: 100ns}\n"
    "node: {pcie_bandwidth: unlimited}\n";

json jobs_of(const TemporaryFolder& folder, const std::string& list,
             const std::string& options = "") {
  std::ofstream(folder / "m.yaml") << kTree;
  std::ofstream(folder / "l.jobs") << list;
  const Outcome outcome = heddle("jobs l.jobs -p m.yaml --json - " + options, folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? json::parse(outcome.out)["jobs"] : json();
}

// On leaves of their own two jobs do not meet; dealt out over both leaves, whose one cable upwards
// they share, they do.
TEST(Jobs, SlowEachOtherWhereTheyMeet) {
  const TemporaryFolder folder;
  const std::string job = "ranks=4 pattern=linear-alltoall pattern.size=256KiB placement=";
  for (const json& one : jobs_of(folder, job + "contiguous\n" + job + "contiguous\n")) {
    EXPECT_EQ(one["slowdown"], 1.0);
    EXPECT_EQ(one["start_ps"], 0);
  }
  double most = 1;
  for (const json& one : jobs_of(folder, job + "random\n" + job + "random\n", "--seed 3")) {
    most = std::max(most, one["slowdown"].get<double>());
  }
  EXPECT_GT(most, 1.2);
}

// Eight nodes: the third job waits for the first end, and the fourth, which would fit earlier,
// waits behind it: the second and third have all nodes until one of them ends.
TEST(Jobs, WaitForNodesInTheOrderOfTheirArrival) {
  const TemporaryFolder folder;
  const std::string all = " pattern=linear-alltoall pattern.size=";
  const json jobs = jobs_of(folder, "name=a ranks=4" + all + "64KiB\n" + "name=b ranks=3" + all +
                                        "1MiB\n" + "name=c arrival=1us ranks=5" + all + "64KiB\n" +
                                        "name=d arrival=2us ranks=1" + all + "1KiB\n");
  const auto at = [&](int job, const char* what) { return jobs[job][what].get<std::int64_t>(); };
  ASSERT_LT(at(0, "end_ps"), at(1, "end_ps"));
  // A whole nanosecond.
  EXPECT_EQ(at(2, "start_ps"), (at(0, "end_ps") + 999) / 1000 * 1000);
  EXPECT_EQ(jobs[2]["nodes"], json({0, 1, 2, 3, 7}));
  EXPECT_GE(at(3, "start_ps"), std::min(at(1, "end_ps"), at(2, "end_ps")));
}

TEST(Jobs, AreTheSameOnEveryRun) {
  const TemporaryFolder folder;
  const std::string list =
      "ranks=4 pattern=linear-alltoall pattern.size=64KiB placement=random\n"
      "arrival=3us ranks=3 pattern=dissemination placement=by-switch\n";
  EXPECT_EQ(jobs_of(folder, list), jobs_of(folder, list));
  EXPECT_EQ(jobs_of(folder, list, "--network packet"), jobs_of(folder, list, "--network packet"));
}

TEST(Jobs, SayWhatIsWrongWhere) {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.yaml") << kTree;
  const auto complaint = [&](const std::string& list) {
    std::ofstream(folder / "l.jobs") << list;
    const Outcome outcome = heddle("jobs l.jobs -p m.yaml", folder.path());
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(complaint("ranks=9 pattern=dissemination\n"),
              HasSubstr("l.jobs:1:1: job 1 needs 9 nodes: accepted are at most the 8"));
  EXPECT_THAT(complaint("ranks=2 pattern=dissemination placement=by-group\n"),
              HasSubstr("this machine has no groups of switches"));
  EXPECT_THAT(complaint("ranks=2 pattern=disemination\n"),
              AllOf(HasSubstr("l.jobs:1"), HasSubstr("did you mean 'dissemination'")));
  EXPECT_THAT(complaint("ranks=2 pattern=dissemination pattern.size=x\n"),
              HasSubstr("l.jobs:1:31"));
  EXPECT_THAT(complaint("# nothing\n"), HasSubstr("there are no jobs"));
}

// Switches inside nodes are ranks of a schedule that no job has.
TEST(Jobs, RefuseSwitchesInsideNodes) {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.yaml") << kTree;
  std::ofstream(folder / "l.jobs") << "ranks=2 pattern=ring\nschedule=nvls.goal\n";
  ASSERT_EQ(
      heddle("goal generate nccl --gpus 8 --size 1MiB --algorithm nvls -o nvls.goal", folder.path())
          .status,
      0);
  const Outcome refused = heddle("jobs l.jobs -p m.yaml", folder.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("l.jobs:2"), HasSubstr("switches inside nodes"),
                                 HasSubstr("accepted are schedules of processes only")));
}

}  // namespace
}  // namespace heddle::cli
