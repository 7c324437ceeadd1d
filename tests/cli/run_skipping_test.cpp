// Work of programs that is skipped.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;

// SMPI's annotations: what both count is the same, by hand 4 ranks x (3 + 2) rounds, 4 x 4, 5 and 6
// for all; 1 s + 0.2 s + 0.5 s + 0.1 s of work at 10 Gf; one rank's value in what is folded.
TEST(SkippedWork, AnnotationsCountAsInSmpi) {
  const TemporaryFolder folder;
  const std::string source = HEDDLE_TEST_DATA "/programs/smpi_macros.c";
  const std::string expected =
      "1.80 s of work\n"
      "own values: 1 folded, 1 of the folded part, 4 of the other\n"
      "calls: 1, answers: 4\n"
      "rounds: 20 local, 16 tagged, 5 global, 6 of both, 0 delayed\n";
  const Outcome made =
      shell(built("heddlecc") + " -O1 -Wall -Wextra " + source + " -o own", folder.path());
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.err, "");
  const Outcome own =
      heddle("run -q -n 4 -p fat-tree-64 --set node.speed=10Gf ./own", folder.path());
  EXPECT_EQ(own.out, expected) << own.err;
  if (shell("which smpicc smpirun").status != 0) GTEST_SKIP() << "SMPI is not installed";
  std::ofstream(folder / "machine.xml")
      << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n"
         "<cluster id=\"c\" prefix=\"node-\" suffix=\"\" radical=\"0-3\" speed=\"10Gf\" "
         "bw=\"12.5GBps\" lat=\"1us\"/>\n</zone></platform>\n";
  std::ofstream(folder / "hosts") << "node-0\nnode-1\nnode-2\nnode-3\n";
  ASSERT_EQ(shell("smpicc -O1 " + source + " -o peer", folder.path()).status, 0);
  const Outcome peer = shell(
      "smpirun -np 4 -platform machine.xml -hostfile hosts "
      "--cfg=smpi/host-speed:10Gf --log=root.thresh:error ./peer",
      folder.path());
  EXPECT_EQ(peer.out, expected) << peer.err;
}

// Iterations of a sampled loop that are not run cost what the others cost: with 1 us for each
// stretch of computation, ten of them take 10 us whether three are run or all.
TEST(SkippedWork, SampledLoopsTakeTheirTime) {
  const CompiledProgram program(R"(
#include <smpi/smpi.h>
int main(int argc, char** argv) {
  int i, n, ran;
  double begin;
  MPI_Init(&argc, &argv);
  for (n = 3; n < 20; n += 9) {
    ran = 0;
    begin = heddle_time();
    if (n == 3) { SMPI_SAMPLE_LOCAL(i = 0, i < 10, i++, 3, -1) { ran++; } }
    else { SMPI_SAMPLE_LOCAL(i = 0, i < 10, i++, 12, -1) { ran++; } }
    printf("%d %.0f\n", ran, (heddle_time() - begin) * 1e6);
  }
  MPI_Finalize();
  return 0;
}
)");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1 --compute fixed:1us");
  // One stretch more before the loop, and one at the last look at the clock.
  EXPECT_THAT(run.out, ::testing::MatchesRegex("3 1[0-9]\n10 2?1?[0-9]+\n")) << run.err;
}

// Of ten calls of a function, with 1 us for each stretch of computation, three are run; the others
// cost 1 us as well, or with a law over an argument what it says: the same. Results are zero then.
TEST(SkippedWork, FunctionsAreSampledByName) {
  const CompiledProgram program(R"(
#include <heddle.h>
#include <stdio.h>
static int ran;
__attribute__((noinline)) double kernel(const int* n, double x, int m) {
  ran++;
  return *n * x + m;
}
int main(void) {
  int i;
  double sum = 0, begin = heddle_time();
  for (i = 1; i <= 10; i++) sum += kernel(&i, 0.5, 1);
  printf("%d run, sum %.1f, %.0f us\n", ran, sum, (heddle_time() - begin) * 1e6);
  return 0;
}
)",
                                "c", "-O2 -Wl,--export-dynamic-symbol=kernel");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const char* by : {"", ",by=@1", ",by=@1*2"}) {
    const Outcome run =
        program.run("-n 1 --compute fixed:1us --sample function=kernel,first=3" + std::string(by));
    // 1.5 + 2 + 2.5 are the results of the calls that were run.
    EXPECT_THAT(run.out, ::testing::MatchesRegex("3 run, sum 6.0, [0-9]+ us\n")) << run.err;
  }
  const Outcome missing = program.run("-n 1 --sample function=nobody,first=3");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("no call of 'nobody' can be found"));
}

// Without payload nothing arrives but everything takes its time; with a limit, what is shorter
// does.
TEST(SkippedWork, MessagesWithoutPayload) {
  const CompiledProgram program(R"(
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, small = 0, sum = 0, big[1000] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) small = big[999] = 7;
  MPI_Bcast(&small, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(big, 1000, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&small, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 1) printf("%d %d %d %.3f\n", small, big[999], sum, MPI_Wtime() * 1e6);
  MPI_Finalize();
  return 0;
}
)");
  const auto output = [&](const std::string& which) {
    const Outcome run = program.run("-n 2 --payload " + which);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
  };
  const std::string all = output("all");
  const std::string time = all.substr(all.rfind(' '));
  EXPECT_EQ(all, "7 7 14" + time);
  EXPECT_EQ(output("none"), "0 0 0" + time);
}

}  // namespace
}  // namespace heddle::cli
