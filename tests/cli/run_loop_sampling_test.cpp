// Loops of programs that are found to repeat, and left out.
#include <gmock/gmock.h>

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// A program that counts what it does, compiled from a file as a user would.
class SampledProgram {
 public:
  explicit SampledProgram(const std::string& source, const std::string& options = "--count") {
    made_ = shell(built("heddlecc") + " -O2 " + options + " " + HEDDLE_TEST_DATA + "/" + source +
                      " -o program -lm",
                  folder_.path());
  }
  const Outcome& made() const { return made_; }
  json run(const std::string& options, const std::string& arguments) const {
    const Outcome run =
        heddle("run " + options + " --json out.json ./program " + arguments, folder_.path());
    EXPECT_EQ(run.status, 0) << run.err;
    text_ = run.err;
    return json::parse(file_text(folder_ / "out.json"));
  }
  const std::string& text() const { return text_; }

 private:
  TemporaryFolder folder_;
  Outcome made_;
  mutable std::string text_;
};

double seconds(const json& document) {
  return document["time_ps"].get<double>() * 1e-12;
}

/// Times that loops were carried out, of all times that they were come to.
double part_run(const json& document) {
  const double run = document["sampled"]["run"].get<double>();
  return run / (run + document["sampled"]["left_out"].get<double>());
}

/// By which part the time of the whole run is more than the sampled one's.
double missing(const json& whole, const json& sampled) {
  return seconds(whole) / seconds(sampled) - 1;
}

double stated(const json& sampled) {
  return sampled["sampled"]["time_error_share"].get<double>();
}

bool holds(const json& whole, const json& sampled) {
  return std::abs(missing(whole, sampled)) <= stated(sampled);
}

/// Of a program as it is, whose time must be in the interval that is stated.
void expect_agreement(const json& whole, const json& sampled) {
  EXPECT_TRUE(holds(whole, sampled)) << missing(whole, sampled) << sampled["sampled"].dump(1);
}

// Points of a plate: all ranks have blocks of the same size, and each step is the same. The time of
// the run is that of a whole one to 1 %, though each rank carries out a few of its 100 steps.
TEST(LoopSampling, AStencilTakesItsTime) {
  const SampledProgram program("../../examples/mpi/stencil.c");
  ASSERT_EQ(program.made().status, 0) << program.made().err;
  const std::string where = "-n 16 -p fat-tree-64";
  const json whole = program.run(where, "1024 100");
  const json sampled = program.run(where + " --sample auto", "1024 100");
  expect_agreement(whole, sampled);
  EXPECT_NEAR(missing(whole, sampled), 0, 0.01);
  EXPECT_LT(stated(sampled), 0.03);
  EXPECT_LT(part_run(sampled), 0.1);
  EXPECT_THAT(program.text(), HasSubstr("their results not computed"));
  EXPECT_THAT(program.text(), HasSubstr("simulated time +-"));
}

TEST(LoopSampling, ConjugateGradientsTakeTheirTime) {
  const SampledProgram program("../../examples/mpi/cg.c");
  ASSERT_EQ(program.made().status, 0) << program.made().err;
  const std::string where = "-n 16 -p fat-tree-64";
  const json whole = program.run(where, "65536 100");
  const json sampled = program.run(where + " --sample auto", "65536 100");
  expect_agreement(whole, sampled);
  EXPECT_LT(part_run(sampled), 0.1);
}

// Particles that move from rank to rank make loads uneven in time, those whose forces are not
// computed move otherwise: what costs vary by is in the interval.
TEST(LoopSampling, ParticlesTakeAboutTheirTime) {
  const SampledProgram program("programs/particles.c");
  ASSERT_EQ(program.made().status, 0) << program.made().err;
  const std::string where = "-n 16 -p fat-tree-64";
  const json whole = program.run(where, "300 100");
  const json sampled = program.run(where + " --sample auto", "300 100");
  expect_agreement(whole, sampled);
  EXPECT_LT(part_run(sampled), 0.3);
}

// Costs of all kinds: the same; by chance, even and with a long tail; by rank; growing; another
// from the middle on; swinging. Of the intervals of two such runs each, thirteen of fourteen
// contain the time of the whole run at least, and they are no wider than costs vary: the tail has a
// deviation of 50 %, others have about 20 %.
TEST(LoopSampling, TheIntervalContainsTheTime) {
  const SampledProgram program("programs/varied.c");
  ASSERT_EQ(program.made().status, 0) << program.made().err;
  const std::string where = "-n 16 -p fat-tree-64";
  int held = 0;
  std::string all;
  for (const std::string kind : {"same", "even", "tail", "ranks", "drift", "jump", "swing"}) {
    for (const std::string seed : {"1", "2"}) {
      const json whole = program.run(where, kind + " 300 " + seed);
      const json sampled =
          program.run(where + " --sample auto --seed " + seed, kind + " 300 " + seed);
      held += holds(whole, sampled) ? 1 : 0;
      all += fmt::format("{} {}: {:+.4f}, stated {:.4f}, {:.3f} run\n", kind, seed,
                         missing(whole, sampled), stated(sampled), part_run(sampled));
      EXPECT_LT(stated(sampled), kind == "tail" ? 0.9 : 0.6) << kind;
      EXPECT_LT(part_run(sampled), 1) << kind;
    }
  }
  EXPECT_GE(held, 13) << all;
  RecordProperty("intervals", all);
}

// What is counted is the same in every run, and so is what is left out, however ranks get their
// globals.
TEST(LoopSampling, IsTheSameInEveryRun) {
  const SampledProgram program("../../examples/mpi/stencil.c");
  ASSERT_EQ(program.made().status, 0) << program.made().err;
  const std::string where = "-n 6 -p fat-tree-64 --sample auto --privatize ";
  const json copies = program.run(where + "copies", "512 60");
  EXPECT_EQ(program.run(where + "copies", "512 60")["fingerprint"], copies["fingerprint"]);
  EXPECT_EQ(program.run(where + "swap", "512 60")["fingerprint"], copies["fingerprint"]);
}

/// Counts how often a loop that costs something is carried out, whatever else it does.
constexpr const char* kRounds = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double work[2000];
static double all;
int main(int c, char** v) {
  int i, j, step, ran = 0;
  double sum = 0;
  MPI_Init(&c, &v);
  for (step = 0; step < atoi(v[1]); step++) {
    WORK
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  printf("%d\n", ran);
  MPI_Finalize();
  return 0;
})";

std::string with_work(const std::string& work) {
  std::string text = kRounds;
  return text.replace(text.find("WORK"), 4, work);
}

// What a loop adds up in a register goes on as the constant that it is: the program's own count of
// rounds is right, and so is what comes behind the loop.
TEST(LoopSampling, NumbersThatCountGoOn) {
  const CompiledProgram program(
      with_work("for (i = 0; i < 2000; i++) { ran++; for (j = 0; j < 50; j++) "
                "work[i] = work[i] * 0.5 + j; }"),
      "c", "-O2 --count");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1 --sample auto", "200");
  EXPECT_EQ(run.out, "400000\n") << run.err;
}

// A loop that waits for memory which another rank writes is none that may be left out.
TEST(LoopSampling, LoopsThatWaitAreLeftAlone) {
  const CompiledProgram program(R"(
#include <mpi.h>
#include <stdio.h>
int main(int c, char** v) {
  int rank, i;
  volatile int* flag;
  MPI_Win win;
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &win);
  *flag = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (i = 1; i <= 30; i++) {
    if (rank == 0) {
      MPI_Accumulate(&i, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
      MPI_Win_flush(1, win);
      MPI_Recv(0, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      while (*flag != i);
      MPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Win_unlock_all(win);
  if (rank == 1) printf("%d\n", *flag);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
})",
                                "c", "-O2");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  EXPECT_EQ(program.run("-n 2 --sample auto").out, "30\n");
}

// Loops without a share in what is charged, and what is neither a loop's nor a function's option.
TEST(LoopSampling, SaysWhatIsAccepted) {
  const CompiledProgram program(with_work("work[0] = 1;"), "c", "-O2");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  EXPECT_EQ(program.run_once("-n 2 --sample auto", "3").out, "0\n0\n");
  const Outcome wrong = program.run_once("-n 2 --sample auto,last=3", "3");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("accepted is auto[,first=N][,error=P%]"));
  EXPECT_EQ(program.run_once("-n 2 --sample auto,first=1", "3").status, 2);
  EXPECT_EQ(program.run_once("-n 2 --sample auto,error=0%", "3").status, 2);
  EXPECT_EQ(program.run_once("-n 2 --sample auto --sample auto", "3").status, 2);
  const Outcome fixed = program.run_once("-n 2 --sample auto --compute fixed:1us", "3");
  EXPECT_EQ(fixed.status, 2);
  EXPECT_THAT(fixed.err, HasSubstr("counted, measured or free"));
  const Outcome processes = program.run_once("-n 2 --sample auto --processes", "3");
  EXPECT_EQ(processes.status, 2);
  EXPECT_THAT(processes.err, HasSubstr("ranks are processes"));
}

}  // namespace
}  // namespace heddle::cli
