// Cables that fail while programs, schedules and traffic use them, as users see it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const char* const kFailing = "-p fat-tree-64 --set failures.cables=20%@5us-40us";

TEST(FailingLinks, ASchedulesReplayLosesAndSendsAgainTheSameOnEveryRun) {
  const std::string command = std::string(
                                  "replay --pattern linear-alltoall --set pattern.ranks=32 --set "
                                  "pattern.size=16KiB --json - ") +
                              kFailing;
  for (const std::string network : {" --network queue", " --network packet", " --network fluid"}) {
    const Outcome outcome = heddle(command + network);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json once = json::parse(outcome.out);
    EXPECT_GT(once["losses"]["lost"], 0) << network;
    EXPECT_EQ(once["losses"]["sent_again"], once["losses"]["lost"]);
    EXPECT_EQ(json::parse(heddle(command + network).out)["fingerprint"], once["fingerprint"]);
  }
}

// Threads leave such a machine to one, say so, and agree.
TEST(FailingLinks, ThreadsLeaveThemToOne) {
  const std::string command =
      std::string(
          "replay --pattern linear-alltoall --set pattern.ranks=32 --json - --network "
          "queue ") +
      kFailing;
  const Outcome one = heddle(command);
  const Outcome two = heddle(command + " --threads 2");
  ASSERT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(json::parse(two.out)["fingerprint"], json::parse(one.out)["fingerprint"]);
  EXPECT_THAT(two.err, HasSubstr("--threads 2: one thread replayed this"));
}

TEST(FailingLinks, WhoCouldNotReachWhomEndsTheRun) {
  const Outcome outcome = heddle(
      "traffic -p fat-tree-64 --messages 4 --pattern uniform --set failures.adapters=n3@1us- "
      "--set failures.resends=2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("could not reach"), HasSubstr("n3"),
                                 HasSubstr("was lost 3 times, the last on")));
  // Said before the run, too.
  EXPECT_THAT(outcome.err, HasSubstr("pairs of nodes without a way from 1us on"));
}

TEST(FailingLinks, NetworksWithoutLinksAreRefused) {
  const Outcome outcome = heddle(std::string("traffic --network loggops ") + kFailing);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("accepted with failures that have times are queue, fluid, packet"));
}

// A program goes on: over hybrid the network sends again, over portals the adapters do.
TEST(FailingLinks, ProgramsGoOn) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    #include <stdio.h>
    int main(int argc, char** argv) {
      int rank, i, sum = 0, all = 0;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      for (i = 0; i < 50; i++) {
        sum = rank + i;
        MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (all != 120 + 16 * i) printf("wrong\n");
      }
      if (rank == 0) printf("done\n");
      MPI_Finalize();
    })");
  const std::string common = std::string("-n 16 ") + kFailing + " --json r.json ";
  EXPECT_EQ(program.run(common).out, "done\n");
  const json hybrid = json::parse(file_text(program.folder() + "/r.json"));
  EXPECT_GT(hybrid["losses"]["sent_again"], 0);
  EXPECT_EQ(program.run(common + "--set mpi.transport=portals --set nic.e2e_timeout=100us").out,
            "done\n");
  const json portals = json::parse(file_text(program.folder() + "/r.json"));
  EXPECT_GT(portals["messages"]["sent_again"], 0);
  EXPECT_EQ(portals["losses"]["sent_again"], 0);
}

// With a node that nobody reaches any more it ends, whoever sends again.
TEST(FailingLinks, ProgramsEndWithWhoCouldNotReachWhom) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    int main(int argc, char** argv) {
      int i;
      MPI_Init(&argc, &argv);
      for (i = 0; i < 50; i++) MPI_Barrier(MPI_COMM_WORLD);
      MPI_Finalize();
    })");
  const std::string common =
      "-n 8 -p fat-tree-64 --set failures.adapters=n3@5us- --set nic.e2e_timeout=50us --set "
      "nic.e2e_retries=2 --set mpi.transport=";
  const Outcome hybrid = program.run(common + "hybrid");
  EXPECT_EQ(hybrid.status, 1);
  EXPECT_THAT(hybrid.err, AllOf(HasSubstr("could not reach"), HasSubstr("n3")));
  const Outcome portals = program.run(common + "portals");
  EXPECT_EQ(portals.status, 1);
  EXPECT_THAT(portals.err, AllOf(HasSubstr("cannot be reached by rank"), HasSubstr("rank 3")));
}

}  // namespace
}  // namespace heddle::cli
