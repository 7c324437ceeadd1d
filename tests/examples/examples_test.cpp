// Every example, compiled and run as its user would: it prints what it printed when it was written.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

struct Example {
  const char* name;     ///< Of the expected text, in tests/data/examples.
  const char* source;   ///< In examples.
  const char* options;  ///< Of heddle run.
  const char* arguments;
};

constexpr Example kExamples[] = {
    {"hello", "portals/hello.c", "-n 4 --ranks-per-node 2 --platform bxi-v2", ""},
    {"pingpong", "portals/pingpong.c", "-n 2 --platform bxi-v2", "3"},
    {"styles", "portals/styles.c", "-n 2 --platform quito",
     "-n 20 -b 1,8,9,64,65,408,409,4K,64K,1M"},
    {"styles-random", "portals/styles.c", "-n 2 --platform quito",
     "-n 5 -s get-wait-reply -b 8 -r 10 -x 3"},
    {"styles-volatile", "portals/styles.c", "-n 2 --platform quito",
     "-n 5 -v -s put-wait-ack -b 8,9,408,409"},
    {"ptlperf", "portals/ptlperf.c", "-n 2 --platform quito", "-b 8,4K,1M -t 300"},
    {"barrier", "portals/barrier.c", "-n 60 --platform bxi-v2", "3"},
    {"stencil", "mpi/stencil.c", "-n 16 --platform fat-tree-64", "256 20"},
    {"stencil-portals", "mpi/stencil.c",
     "-n 16 --platform bxi-v2 --ranks-per-node 2 --set mpi.transport=portals", "256 20"},
    {"sort", "mpi/sort.c", "-n 16 --platform fat-tree-64", "4096 3"},
    {"cg", "mpi/cg.c", "-n 16 --platform fat-tree-64", "1024 5"},
    {"shmem-putget", "shmem/putget.c", "-n 2 --platform bxi-v2 --set shmem.transport=portals", "2"},
    {"shmem-rate", "shmem/rate.c", "-n 4 --platform bxi-v2 --set shmem.transport=portals", "100"},
    {"shmem-meet", "shmem/meet.c", "-n 16 --platform bxi-v2 --set shmem.transport=portals", "3"},
    {"shmem-sort", "shmem/sort.c", "-n 16 --platform fat-tree-64", "512"},
    {"shmem-random-access", "shmem/random_access.c",
     "-n 8 --platform bxi-v2 --set shmem.transport=portals", "256 200"},
    {"lu", "mpi/lu.c", "-n 16 --platform fat-tree-64 --payload none", "8192 256 3"},
    {"stencil3d", "mpi/stencil3d.c", "-n 64 --platform torus-512 --payload none", "32 2"},
    {"broadcast", "portals/broadcast.c", "-n 64 --platform bxi-v2", "4K 20"},
};

const std::string kBuildFolder = std::filesystem::path(HEDDLE_PROGRAM).parent_path();
const std::string kSources = std::string(HEDDLE_TEST_DATA) + "/../../examples/";

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class ExampleTest : public testing::TestWithParam<Example> {};

TEST_P(ExampleTest, PrintsWhatItShould) {
  const Example& example = GetParam();
  const TemporaryFolder folder;
  ASSERT_EQ(shell(kBuildFolder + "/heddlecc -O2 -Wall -Wextra -Werror " + kSources +
                  example.source + " -o " + (folder / "example")),
            0);
  const std::string command = std::string("run --quiet ") + example.options + " " +
                              (folder / "example") + " " + example.arguments;
  const Outcome outcome = heddle(command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            file_text(std::string(HEDDLE_TEST_DATA "/examples/") + example.name + ".txt"))
      << "of: heddle " << command;
}

INSTANTIATE_TEST_SUITE_P(All, ExampleTest, testing::ValuesIn(kExamples), [](const auto& test) {
  std::string name = test.param.name;
  std::erase(name, '-');
  return name;
});

// The study of rails computes its points and draws both of its pictures.
TEST(Studies, OfRailsAreDrawn) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell("HEDDLE=" + kBuildFolder + "/heddle " + kSources + "rails/run " +
                  (folder / "rails") + " >/dev/null"),
            0);
  for (const char* choice : {"rank", "stripe"}) {
    const std::string picture = file_text(folder / (std::string("rails/rails-") + choice + ".svg"));
    EXPECT_NE(picture.find("pairwise-alltoall"), std::string::npos) << choice;
  }
}

// One put of 4 KiB, with all that it caused: what the guide shows.
TEST(Trace, OfAPutIsDrawn) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell(kBuildFolder + "/heddlecc -O2 " + kSources + "portals/styles.c -o " +
                  (folder / "styles")),
            0);
  const Outcome run = heddle("run --quiet -n 2 --platform quito --trace " + (folder / "ops.csv") +
                             " " + (folder / "styles") + " -n 1 -s put-wait-ack -b 4K");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(heddle("trace show --operation 1 " + (folder / "ops.csv")).out,
            file_text(HEDDLE_TEST_DATA "/examples/trace.txt"));
}

/// Runs the script of an example with our programs, its output in `folder`.
int run_script(const std::string& script, const TemporaryFolder& folder,
               const std::string& variables, const std::string& arguments = "") {
  return shell("HEDDLE=" HEDDLE_PROGRAM " HEDDLECC=" + kBuildFolder + "/heddlecc " + variables +
               " " + kSources + script + " " + folder.path() + " " + arguments + " >" +
               (folder / "out"));
}

// With T the time of a message on the cable, 83.886 us, a message finds the n of the limit before
// it and takes (n + 1) T: 167.77 us for a limit of 1 between nodes, and 9 T, 755.00 us, where each
// of the 8 processes may have one on its way. Nobody else: 86.1 us. No limit is worse than any.
TEST(FlowControl, LatencyGrowsWithTheLimit) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_script("flow-control/run", folder, "LIMITS='1 2' WARM_UP=40 MESSAGES=2"), 0);
  EXPECT_EQ(file_text(folder / "results.csv"),
            file_text(HEDDLE_TEST_DATA "/examples/flow-control.csv"));
  EXPECT_EQ(file_text(folder / "out"), file_text(folder / "results.csv"));
  EXPECT_NE(file_text(folder / "results.svg").find("<svg"), std::string::npos);
}

// By MPI, messages of 1 MiB are announced and fetched: with a limit of 2 between nodes, 2 n + 1
// messages of 83.886 us are in the queue: 419.43 us.
TEST(FlowControl, LimitsMessagesOfMpiToo) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_script("flow-control/run", folder, "LIMITS=2 WARM_UP=100 MESSAGES=2", "1M 1 mpi"),
            0);
  EXPECT_NE(file_text(folder / "results.csv").find("node pair,2,419.430\n"), std::string::npos)
      << file_text(folder / "results.csv");
}

// Programs on leaves of their own do not slow each other; spread over the machine, the one with the
// small messages takes at least half as long again.
TEST(Interference, DependsOnThePlaces) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      run_script("interference/run", folder, "PLACES='by-core random:1' ITERATIONS=20 TIMES=8"), 0);
  std::istringstream rows(file_text(folder / "results.csv"));
  std::map<std::string, double> slowdown;
  for (std::string row; std::getline(rows, row);) {
    const std::size_t last = row.rfind(',');
    const std::string key = row.substr(0, row.find(',', row.find(',') + 1));
    slowdown[key] = std::atof(row.substr(last + 1).c_str());
  }
  EXPECT_EQ(slowdown["by-core,solver"], 1.0);
  EXPECT_EQ(slowdown["by-core,transpose"], 1.0);
  EXPECT_GT(slowdown["random:1,solver"], 1.5);
}

// With nodes next to each other six jobs slow each other by no more than those with nodes drawn at
// random, in the mean.
TEST(Jobs, DependOnThePlaces) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_script("jobs/run", folder, ""), 0);
  std::istringstream rows(file_text(folder / "results.csv"));
  std::map<std::string, double> slowdown;
  std::map<std::string, int> jobs;
  for (std::string row; std::getline(rows, row);) {
    std::vector<std::string> cells;
    std::istringstream line(row);
    for (std::string cell; std::getline(line, cell, ',');) cells.push_back(cell);
    slowdown[cells[2]] += std::atof(cells[6].c_str());
    ++jobs[cells[2]];
  }
  EXPECT_EQ(jobs["random"], 6);
  EXPECT_EQ(jobs["by-group"], 6);
  EXPECT_GE(slowdown["by-group"], 6 - 1e-9);
  EXPECT_LT(slowdown["by-group"], slowdown["random"]);
  EXPECT_NE(file_text(folder / "slowdown.svg").find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cli
