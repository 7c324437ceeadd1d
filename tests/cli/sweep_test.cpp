// `heddle sweep`: studies as their users run them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <pugixml.hpp>
#include <random>
#include <thread>

#include "cli/program.hpp"
#include "study/result_store.hpp"

namespace heddle::cli {
namespace {

using study::Json;
using study::ResultStore;
using study::StoredPoint;
using testing::HasSubstr;

class SweepTest : public testing::Test {
 protected:
  /// A study of small points of traffic, with these lines behind.
  void write(const std::string& lines, const std::string& name = "s") const {
    std::ofstream(folder_ / (name + ".yaml"))
        << "command: traffic\nset: {platform: fat-tree-64, duration: 2us, warm-up: 1us}\n"
        << lines;
  }
  Outcome sweep(const std::string& arguments) const {
    return heddle("sweep " + arguments, folder_.path());
  }
  std::vector<StoredPoint> points(const std::string& study = "s") const {
    return ResultStore(folder_ / "results.sqlite", ResultStore::Access::read).points(study);
  }
  /// How many lines of `text` have `part`.
  static std::size_t lines_with(const std::string& text, const std::string& part) {
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line.find(part) != line.npos;
    return count;
  }
  TemporaryFolder folder_;
};

// Two loads with two seeds: four points, each with the results that `heddle traffic` has for it.
TEST_F(SweepTest, ComputesEveryPoint) {
  write("grid: {load: [0.2, 0.4], seed: [1, 2]}");
  const Outcome outcome = sweep("s.yaml --csv all.csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 points: 4 done; 4 computed now"));
  const auto all = points();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[3].parameters["load"], "0.4");
  EXPECT_EQ(all[3].parameters["platform"], "fat-tree-64");
  const Outcome single =
      heddle("traffic --duration 2us --warm-up 1us --load 0.4 --seed 2 --json -");
  const Json document = Json::parse(single.out);
  EXPECT_EQ(all[3].result["fingerprint"], document["fingerprint"]);
  EXPECT_EQ(all[3].result["accepted_bytes"], document["runs"][0]["accepted_bytes"]);
  EXPECT_EQ(lines_with(file_text(folder_ / "all.csv"), ",done,"), 4U);
}

// What is known is not computed again: not by the same study, nor by another one that says the same
// in other words (2000 ns are 2 us), nor twice in one.
TEST_F(SweepTest, ComputesNothingTwice) {
  write("grid: {load: [0.2, 0.4]}");
  EXPECT_THAT(sweep("s.yaml").out, HasSubstr("2 computed now"));
  EXPECT_THAT(sweep("s.yaml").out, HasSubstr("2 points: 2 done; 0 computed now"));
  std::ofstream(folder_ / "t.yaml")
      << "command: traffic\nset: {traffic.duration: 2000ns, warm-up: 1us, network: queue}\n"
         "grid: {load: [40%, 0.4, 0.6]}";
  EXPECT_THAT(sweep("t.yaml").out, HasSubstr("3 points: 3 done; 1 computed now"));
}

// A point that cannot be simulated is kept with its error; the others are done. It is tried again
// only if that is asked for.
TEST_F(SweepTest, KeepsWhatFailed) {
  write("grid: {load: 0.2, nodes: 0}\n");
  EXPECT_THAT(sweep("s.yaml").err, HasSubstr("s.yaml:3:19: `heddle traffic` has no 'nodes'"));
  std::ofstream(folder_ / "s.yaml")
      << "command: replay\nset: {platform: fat-tree-64, pattern.ranks: 8}\n"
         "grid: {pattern: dissemination, nodes: [0-7, 0-1000]}";
  const Outcome outcome = sweep("s.yaml");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("2 points: 1 done, 1 failed"));
  EXPECT_THAT(outcome.out, HasSubstr("the first that failed is number 2: --nodes"));
  EXPECT_THAT(sweep("s.yaml").out, HasSubstr("0 computed now"));
  EXPECT_THAT(sweep("s.yaml --retry-failed").out, HasSubstr("1 computed now"));
  EXPECT_THAT(sweep("show s.yaml --failed").out, HasSubstr("2  --nodes"));
}

// The process of a point may not have more memory than it is given: 2 MiB are too few for any.
TEST_F(SweepTest, BoundsMemory) {
  write("grid: {load: 0.9}\nset2: {}");
  EXPECT_THAT(sweep("s.yaml").err, HasSubstr("s.yaml:4:1: unknown key 'set2'"));
  std::ofstream(folder_ / "s.yaml")
      << "command: traffic\ngrid: {load: 0.9}\nset: {platform: fat-tree-64, duration: 100ms}";
  EXPECT_THAT(sweep("s.yaml --memory 2MiB").out,
              HasSubstr("took more memory than the 2 MiB of a point"));
}

// Mistakes in a study are told with their lines and columns before anything is computed.
TEST_F(SweepTest, SaysWhereAMistakeIs) {
  const auto error = [&](const std::string& lines) {
    write(lines);
    const Outcome outcome = sweep("s.yaml");
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(error("grid: {load: 0.5, link.latencie: 1ns}"),
              HasSubstr("s.yaml:3:19: unknown parameter 'link.latencie' (did you mean "
                        "'link.latency'?)"));
  EXPECT_THAT(error("grid: {load: 0.5, link.latency: [1ns, fast]}"), HasSubstr("s.yaml:3:39: "));
  EXPECT_THAT(error("grid: {load: 0.5, size: much}"), HasSubstr("s.yaml:3:25: "));
  EXPECT_THAT(error("grid: {pattern: tornado}"),
              HasSubstr("s.yaml:1:10: a point has several loads"));
  EXPECT_THAT(error("grid: {load: 0.5, file: none.txt}"),
              HasSubstr("s.yaml:3:25: there is no file"));
  EXPECT_THAT(error("measures: {a: '(a)([0-9]+)'}"),
              HasSubstr("with one group, around the number"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results.sqlite"));
}

// Options that no point could take are found before the first one, as are expressions that do not
// say which of their groups is the number; and a file of results that is none is the input's fault.
TEST_F(SweepTest, FindsOptionsThatNoPointTakes) {
  const auto error = [&](const std::string& study) {
    std::ofstream(folder_ / "s.yaml") << study;
    const Outcome outcome = sweep("s.yaml");
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(error("command: run\nset: {program: /bin/true}\ngrid: {ranks: [1, 0]}\n"),
              HasSubstr("s.yaml:3:19: --ranks: '0' is not accepted"));
  EXPECT_THAT(error("command: run\nset: {program: /bin/true}\nmeasures: {a: '(a)([0-9]+)'}\n"),
              HasSubstr("with one group, around the number"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results.sqlite"));
  write("grid: {load: [0.1]}");
  std::ofstream(folder_ / "results.sqlite") << std::string(5000, 'x');
  const Outcome damaged = sweep("show s.yaml");
  EXPECT_EQ(damaged.status, 2);
  EXPECT_THAT(damaged.err, HasSubstr("results.sqlite: file is not a database"));
}

// mpi.eager_limit means nothing to traffic, and packet.* nothing to the network queue; but where
// one of the points has the network packet, it does.
TEST_F(SweepTest, RefusesWhatNoPointReads) {
  write("grid: {load: 0.2, shmem.heap: 1MiB}");
  EXPECT_THAT(sweep("s.yaml").err,
              HasSubstr("s.yaml:3:19: 'shmem.heap' has no effect at any point of the study: "
                        "`heddle traffic` does not use it"));
  write("grid: {load: 0.2, packet.buffer: 64}");
  EXPECT_THAT(sweep("s.yaml").err, HasSubstr("'packet.buffer' has no effect at any point"));
  write("grid: {load: 0.2, packet.buffer: 64, network: [queue, packet]}");
  EXPECT_EQ(sweep("s.yaml --dry-run").status, 0);
}

/// Starts `heddle sweep` in a folder and ends it after a while.
void interrupt_after(const std::string& folder, std::chrono::milliseconds delay, int signal) {
  const pid_t process = fork();
  if (process == 0) {
    if (chdir(folder.c_str()) != 0) _exit(1);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execl(HEDDLE_PROGRAM, HEDDLE_PROGRAM, "sweep", "s.yaml", static_cast<char*>(nullptr));
    _exit(1);
  }
  std::this_thread::sleep_for(delay);
  kill(process, signal);
  int status = 0;
  waitpid(process, &status, 0);
}

// Interrupted ten times at random, by Ctrl-C or killed outright, and resumed: what is in the file
// is what an uninterrupted study leaves there.
TEST_F(SweepTest, GoesOnWhereItWasInterrupted) {
  write("grid: {load: 0.1:0.8:0.1, seed: 1:15:1}");
  std::minstd_rand random(1);
  for (int i = 0; i < 10; ++i) {
    interrupt_after(folder_.path(), std::chrono::milliseconds(20 + random() % 60),
                    i % 2 == 0 ? SIGINT : SIGKILL);
  }
  ASSERT_EQ(sweep("s.yaml --csv resumed.csv").status, 0);
  EXPECT_EQ(sweep("s.yaml --results other.sqlite --csv whole.csv").status, 0);
  EXPECT_EQ(file_text(folder_ / "resumed.csv"), file_text(folder_ / "whole.csv"));
  const auto resumed = points();
  const auto whole = ResultStore(folder_ / "other.sqlite", ResultStore::Access::read).points("s");
  ASSERT_EQ(resumed.size(), 120U);
  ASSERT_EQ(whole.size(), 120U);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(resumed[i].hash, whole[i].hash);
    EXPECT_EQ(resumed[i].command, whole[i].command);
    EXPECT_EQ(resumed[i].status, "done");
    EXPECT_EQ(resumed[i].result, whole[i].result);
  }
}

// Files may not become longer than 150 KiB here, as on a full disk: the study ends with an error
// that says so, and what it has computed is not computed again.
TEST_F(SweepTest, LosesNothingOnAFullDisk) {
  write("grid: {load: 0.1:0.8:0.1, seed: 1:15:1}");
  const std::string command = "cd '" + folder_.path() + "' && trap '' XFSZ && ulimit -f 300 && " +
                              HEDDLE_PROGRAM + " sweep s.yaml >out 2>err";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(file_text(folder_ / "err"), HasSubstr("results.sqlite"));
  const auto known = points();
  const auto done = static_cast<std::size_t>(
      std::count_if(known.begin(), known.end(), [](const StoredPoint& p) { return p.done(); }));
  EXPECT_GT(done, 0U);
  EXPECT_THAT(sweep("s.yaml").out,
              HasSubstr("120 points: 120 done; " + std::to_string(120 - done) + " computed now"));
}

// Programs: what they print can be a measure, and what they take as arguments can differ.
TEST_F(SweepTest, RunsPrograms) {
  std::ofstream(folder_ / "p.c") << "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                                    "int main(int argc, char** argv) {\n"
                                    "  MPI_Init(&argc, &argv);\n  MPI_Barrier(MPI_COMM_WORLD);\n"
                                    "  int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                                    "  if (rank == 0) printf(\"size: %d\\n\", 2 * atoi(argv[1]));\n"
                                    "  MPI_Finalize();\n  return atoi(argv[1]) == 3;\n}\n";
  const std::string compile = std::filesystem::path(HEDDLE_PROGRAM).parent_path().string() +
                              "/heddlecc " + (folder_ / "p.c") + " -o " + (folder_ / "p");
  ASSERT_EQ(std::system(compile.c_str()), 0);
  std::ofstream(folder_ / "s.yaml") << "command: run\nset: {platform: fat-tree-64}\n"
                                       "grid: {program: [p 1, p 2, p 3], ranks: [2, 8]}\n"
                                       "measures: {size: 'size: ([0-9]+)'}\n";
  const Outcome outcome = sweep("s.yaml");
  EXPECT_THAT(outcome.out, HasSubstr("6 points: 4 done, 2 failed"));
  const auto all = points();
  EXPECT_EQ(all[3].result["size"], 4);
  EXPECT_GT(all[3].result["time_ps"], all[2].result["time_ps"]) << "a barrier of 8 ranks, not 2";
  EXPECT_EQ(all[4].error, "ended with status 1: size: 6");
}

// The studies of examples/studies are studies: 5 machines, 9 loads and 3 seeds; 100 points of a
// hypercube; 5 algorithms and 7 sizes; 5 machines, 2 fates of messages, 4 ways of routes and 5
// draws.
TEST_F(SweepTest, TakesTheExamples) {
  const std::string examples = std::string(HEDDLE_TEST_DATA) + "/../../examples/studies";
  std::filesystem::copy(
      examples, folder_.path(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  for (const char* schedule : {"stencil.goal", "alltoall.goal"}) {
    std::ofstream(folder_ / schedule) << "num_ranks 1\nrank 0 {\nl1: calc 5\n}\n";
  }
  std::ofstream(folder_ / "allreduce") << "a program";
  for (const auto& [name, points] : {std::pair{"topologies", 5 * 9 * 3},
                                     {"sensitivity", 100},
                                     {"allreduce", 5 * 7},
                                     {"outage", 5 * 2 * 4 * 5}}) {
    const Outcome outcome = sweep(std::string(name) + ".yaml --dry-run");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(lines_with(outcome.out, "  heddle "), static_cast<std::size_t>(points)) << name;
  }
}

// A schedule under twice the latency: two messages, one after the other, take 2 L more.
TEST_F(SweepTest, ReplaysSchedules) {
  std::ofstream(folder_ / "a.goal") << "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n"
                                       "l2: recv 8b from 1 tag 0\nl2 requires l1\n}\n"
                                       "rank 1 {\nl1: recv 8b from 0 tag 0\n"
                                       "l2: send 8b to 0 tag 0\nl2 requires l1\n}\n";
  std::ofstream(folder_ / "s.yaml") << "command: replay\nset: {schedule: a.goal}\n"
                                       "grid: {loggops.L: [1us, 2us]}\n";
  ASSERT_EQ(sweep("s.yaml").status, 0);
  const auto all = points();
  EXPECT_EQ(all[1].result["makespan_ps"].get<std::int64_t>() -
                all[0].result["makespan_ps"].get<std::int64_t>(),
            2'000'000);
  // Another schedule of the same name is another point.
  std::ofstream(folder_ / "a.goal") << "num_ranks 1\nrank 0 {\nl1: calc 5\n}\n";
  EXPECT_THAT(sweep("s.yaml").out, HasSubstr("2 computed now"));
}

class SweepShowTest : public SweepTest {
 protected:
  SweepShowTest() {
    write("grid: {load: [0.2, 0.4], size: [64B, 4KiB], seed: [1, 2]}");
    EXPECT_EQ(sweep("s.yaml").status, 0);
  }
  static std::size_t count(const std::string& svg, const char* xpath) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(svg.c_str()));
    return document.select_nodes(xpath).size();
  }
};

TEST_F(SweepShowTest, PrintsTables) {
  const Outcome all = sweep("show s.yaml");
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("number  load  size"));
  EXPECT_EQ(lines_with(all.out, "4KiB"), 4U);
  const Outcome some = sweep("show s.yaml --where load=0.4 --columns seed,latency.mean_ns");
  EXPECT_EQ(lines_with(some.out, ""), 5U) << some.out << some.err;
  EXPECT_THAT(sweep("show s.yaml --where load=0.5").err,
              HasSubstr("load is nowhere '0.5': there are 0.2, 0.4"));
  EXPECT_THAT(sweep("show t --results results.sqlite").err,
              HasSubstr("has no study 't': there are s"));
}

// Two curves of two points with intervals; four cells; two parameters that matter.
TEST_F(SweepShowTest, Draws) {
  EXPECT_EQ(sweep("show s.yaml --plot x=load,y=latency.mean_us,by=size --svg c.svg").status, 0);
  EXPECT_EQ(count(file_text(folder_ / "c.svg"), "//g[@class='series']"), 2U);
  EXPECT_EQ(sweep("show s.yaml --heat-map x=load,y=size,z=latency.p99_us --svg h.svg").status, 0);
  EXPECT_EQ(count(file_text(folder_ / "h.svg"), "//g[@class='cells']/rect"), 4U);
  EXPECT_EQ(sweep("show s.yaml --tornado y=latency.mean_us --svg t.svg").status, 0);
  EXPECT_EQ(count(file_text(folder_ / "t.svg"), "//g[@class='bar']"), 2U);
}

// Each kind of drawing has a name of its own, so that one does not replace another.
TEST_F(SweepShowTest, DrawsToFilesOfTheirOwn) {
  EXPECT_THAT(sweep("show s.yaml --plot x=load,y=latency.mean_us,by=size").out,
              HasSubstr("wrote s-plot.svg"));
  EXPECT_THAT(sweep("show s.yaml --heat-map x=load,y=size,z=latency.p99_us").out,
              HasSubstr("wrote s-heat-map.svg"));
  EXPECT_THAT(sweep("show s.yaml --tornado y=latency.mean_us").out,
              HasSubstr("wrote s-tornado.svg"));
}

// Loads that do not saturate are accepted whole: each of the four is as good as the three others.
TEST_F(SweepShowTest, SaysWhatIsAsGoodAsTheBest) {
  const Outcome tied = sweep("best s.yaml --by saturated");
  EXPECT_THAT(tied.out, HasSubstr("tied: so many others")) << tied.err;
}

// Small messages are quicker than large ones, at every load.
TEST_F(SweepShowTest, SaysWhatIsBest) {
  const Outcome outcome = sweep("best s.yaml --by latency.mean_us --per load");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(lines_with(outcome.out, "64B"), 2U);
  EXPECT_EQ(lines_with(outcome.out, "4KiB"), 0U);
  EXPECT_EQ(lines_with(sweep("best s.yaml --by latency.mean_us --most").out, "4KiB"), 1U);
}

}  // namespace
}  // namespace heddle::cli
