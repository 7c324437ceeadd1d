// Whatever goes wrong, what was there before and what is done by then is not lost.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class NothingLost : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const std::string& name) const { return file_text(folder_ / name); }
  Outcome run(const std::string& arguments) const { return heddle(arguments, folder_.path()); }

  /// The command answers 2 and says that it reads the file, which is as it was.
  void expect_refused(const std::string& arguments, const std::string& file) const {
    const std::string before = read(file);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("is what the command reads: accepted is another file"))
        << arguments;
    EXPECT_EQ(read(file), before) << arguments;
  }

  TemporaryFolder folder_;
};

constexpr const char* kShortSchedule =
    "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n";

// No output replaces the machine's file, one that it names, the file of messages, a schedule, a
// table or a trace; not through a link either.
TEST_F(NothingLost, NoOutputReplacesAnInput) {
  write("n.edges", "a s\nb s\n");
  write("m.yaml", "topology: {kind: single-switch, nodes: 4}\n");
  write("g.yaml", "topology: {kind: graph, file: n.edges}\n");
  write("d.goal", kShortSchedule);
  write("t.txt", "0us n0 n1 1KiB\n");
  write("t.csv", "a,b\n1,2\n");
  std::filesystem::create_symlink("t.txt", folder_ / "link.txt");
  expect_refused("topo m.yaml --svg m.yaml", "m.yaml");
  expect_refused("topo g.yaml --svg n.edges", "n.edges");
  expect_refused("traffic -p m.yaml --file t.txt --finish-times t.txt", "t.txt");
  expect_refused("traffic -p m.yaml --file t.txt --csv link.txt", "t.txt");
  expect_refused("replay d.goal --csv d.goal", "d.goal");
  expect_refused("goal to-binary d.goal -o d.goal", "d.goal");
  expect_refused("goal cat d.goal d.goal -o d.goal", "d.goal");
  expect_refused("goal info d.goal --json ./d.goal", "d.goal");
  expect_refused("plot t.csv --x a --y b -o t.csv", "t.csv");
}

TEST_F(NothingLost, NoOutputReplacesTheProgram) {
  write("program", "not even a program");
  expect_refused("run --trace program ./program", "program");
  expect_refused("run --json program ./program", "program");
}

// Two ranks of liballprof: neither file may become the schedule.
TEST_F(NothingLost, NoOutputReplacesATrace) {
  for (const char* rank : {"0", "1"}) {
    write(std::string("tr-") + rank + ".txt", "MPI_Init:-:1:2:1\nMPI_Finalize:5:-\n");
  }
  expect_refused("convert tr-0.txt -o tr-1.txt", "tr-1.txt");
}

// A replay reads the files that a list names.
TEST_F(NothingLost, NoOutputReplacesARankOfATrace) {
  write("app.ti", "r0.txt\nr1.txt\n");
  write("r0.txt", "0 init\n0 send 1 0 1000\n0 finalize\n");
  write("r1.txt", "1 init\n1 recv 0 0 1000\n1 finalize\n");
  for (const char* option : {"--csv", "--json", "--summary", "--perfetto", "--paje"}) {
    expect_refused(std::string("replay app.ti -p quito ") + option + " r1.txt", "r1.txt");
  }
  expect_refused("convert app.ti -o r0.txt", "r0.txt");
}

// What a study names is read when its points are computed; drawings keep off it as well.
TEST_F(NothingLost, NoDrawingReplacesWhatAStudyNames) {
  write("m.yaml", "topology: {kind: single-switch, nodes: 4}\n");
  write("s.yaml",
        "command: traffic\nset: {platform: m.yaml, duration: 2us, warm-up: 1us}\n"
        "grid: {load: [0.1, 0.2]}\n");
  ASSERT_EQ(run("sweep s.yaml").status, 0);
  for (const char* file : {"m.yaml", "s.yaml", "results.sqlite"}) {
    expect_refused(std::string("sweep show s.yaml --plot x=load,y=latency.mean_us --svg ") + file,
                   file);
    expect_refused(std::string("sweep show s.yaml --csv ") + file, file);
  }
}

// The standard input is a file, too, where the shell says so.
TEST_F(NothingLost, NoOutputReplacesTheStandardInput) {
  write("d.goal", kShortSchedule);
  const Outcome outcome =
      shell(std::string(HEDDLE_PROGRAM) + " goal info - --json d.goal <d.goal", folder_.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(read("d.goal"), kShortSchedule);
}

// A name may have 255 bytes; the file that becomes it has one of its own until then.
TEST_F(NothingLost, NamesMayBeAsLongAsTheSystemHasThem) {
  const std::string name(251, 'x');
  EXPECT_EQ(run("topo quito --json " + name + ".svg").status, 0);
  EXPECT_THAT(read(name + ".svg"), HasSubstr("heddle.topo/1"));
  EXPECT_EQ(folder_.entries(), 1U);
}

// The standard error is full: the status is what it would have been, and the results are written.
TEST_F(NothingLost, AnUnwritableStandardErrorChangesNothing) {
  const std::string program = std::string(HEDDLE_PROGRAM) + " ";
  EXPECT_EQ(shell(program + "topo nope 2>/dev/full", folder_.path()).status, 2);
  EXPECT_EQ(shell(program + "topo nope 2>&-", folder_.path()).status, 2);
  EXPECT_EQ(shell(program + "traffic --lod 3 2>/dev/full", folder_.path()).status, 2);
  const std::string warned =
      "traffic --load 0.1 --duration 10us --set packet.header=1B --csv y.csv 2>/dev/full";
  EXPECT_EQ(shell(program + warned, folder_.path()).status, 0);
  EXPECT_THAT(read("y.csv"), HasSubstr("load,"));
}

// So is a full standard output a failure, in the same words, whatever is printed.
TEST_F(NothingLost, AnUnwritableStandardOutputIsAFailure) {
  for (const char* arguments : {"--version", "params link", "platforms", "traffic --help"}) {
    const Outcome outcome =
        shell(std::string(HEDDLE_PROGRAM) + " " + arguments + " >/dev/full", folder_.path());
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_EQ(outcome.err, "error: cannot write the standard output\n") << arguments;
  }
}

// A plot that cannot be written costs neither the table nor the CSV.
TEST_F(NothingLost, OneOutputThatFailsDoesNotTakeTheOthers) {
  const Outcome outcome =
      run("traffic --load 0.3 --duration 10us --svg /dev/full --csv ok.csv --json /dev/full");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("--svg: cannot write '/dev/full'"),
                                 HasSubstr("--json: cannot write '/dev/full'")));
  EXPECT_THAT(outcome.out, HasSubstr("mean_us"));
  EXPECT_THAT(read("ok.csv"), HasSubstr("load,"));
}

// A sweep that is interrupted ends as the signal asks for, with the loads that were done: the
// first, a thousandth, takes no time, the second a minute.
TEST_F(NothingLost, AnInterruptedSweepKeepsItsLoads) {
  write("m.yaml", "topology: {kind: single-switch, nodes: 4}\n");
  const Outcome outcome =
      shell("timeout --preserve-status -s INT 2 " + std::string(HEDDLE_PROGRAM) +
                " traffic -p m.yaml --load 0.001,0.9 --duration 2s --csv c.csv; "
                "echo status $?",
            folder_.path());
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("mean_us"), HasSubstr("status 130")));
  EXPECT_THAT(outcome.err, HasSubstr("ended by SIGINT"));
  EXPECT_THAT(read("c.csv"), AllOf(HasSubstr("\n0.001,"), Not(HasSubstr("\n0.9,"))));
}

// What replaces a private file is private.
TEST_F(NothingLost, APrivateFileStaysPrivate) {
  write("r.json", "");
  ASSERT_EQ(chmod((folder_ / "r.json").c_str(), 0600), 0);
  ASSERT_EQ(run("topo quito --json r.json").status, 0);
  struct stat now {};
  ASSERT_EQ(stat((folder_ / "r.json").c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777, 0600U);
}

// Latencies of saturated loads are no measurements: they are empty in CSV and null in JSON, where
// lower bounds stand beside, and a plot leaves the points out.
TEST_F(NothingLost, SaturatedLatenciesAreNotWrittenAsMeasured) {
  write("m.yaml", "topology: {kind: single-switch, nodes: 4}\n");
  ASSERT_EQ(run("traffic -p m.yaml --pattern incast --load 0.2,0.9 --duration 50us --csv c.csv "
                "--json j.json")
                .status,
            0);
  const auto runs = nlohmann::json::parse(read("j.json"))["runs"];
  EXPECT_FALSE(runs[0]["latency"].is_null());
  EXPECT_TRUE(runs[0]["latency_at_least"].is_null());
  EXPECT_TRUE(runs[1]["saturated"].get<bool>());
  EXPECT_TRUE(runs[1]["latency"].is_null());
  EXPECT_GT(runs[1]["latency_at_least"]["mean_ps"], runs[0]["latency"]["mean_ps"]);
  ASSERT_EQ(run("plot c.csv --x offered_fraction --y mean_us -o p.svg").status, 0);
  const std::string svg = read("p.svg");
  EXPECT_EQ(svg.find("<circle"), svg.rfind("<circle")) << "one point, of the lower load";
  EXPECT_THAT(read("c.csv"), AllOf(HasSubstr(",routing,size,seed"), HasSubstr(",minimal,")));
}

// The route that is shown is the one that is timed: with cut-through switches its links and the
// bytes are all of the time, whatever detour it makes.
TEST_F(NothingLost, TheRouteShownIsTheRouteTimed) {
  for (const char* network : {"queue", "fluid"}) {
    for (const char* nodes : {"n0 n71", "0 17", "3 50"}) {
      for (const char* seed : {"1", "2", "3"}) {
        const std::string arguments = fmt::format(
            "topo dragonfly-72 --routing valiant --size 1KiB --route {} --seed {} "
            "--network {} --json -",
            nodes, seed, network);
        const auto route = nlohmann::json::parse(run(arguments).out)["route"];
        EXPECT_EQ(route["idle_parts"]["model_ps"], 0) << arguments;
        EXPECT_EQ(route["idle_parts"]["latency_ps"], route["latency_ps"]) << arguments;
      }
    }
  }
}

// 2^63 - 1 bytes crashed, and a petabyte of packets would take years.
TEST_F(NothingLost, NoSizeRunsForEver) {
  const std::string topo = "topo bxi-v2 --route 0 63 --network packet --size ";
  const Outcome largest = run(topo + "9223372036854775807");
  EXPECT_EQ(largest.status, 2);
  EXPECT_THAT(largest.err, HasSubstr("at most 1024TiB"));
  const Outcome packets = run(topo + "1000TiB");
  EXPECT_EQ(packets.status, 2);
  EXPECT_THAT(packets.err, HasSubstr("accepted over packet is less than"));
  EXPECT_EQ(run("topo bxi-v2 --route 0 63 --network queue --size 1GiB").status, 0);
}

// Two ways of saying one thing must say the same.
TEST_F(NothingLost, ContradictionsAreRefused) {
  for (const char* pair :
       {"--pattern uniform --set traffic.pattern=tornado", "--load 0.1 --set traffic.load=0.5",
        "--seed 1 --set traffic.seed=2", "--network queue --set network.model=packet",
        "--window 4 --set traffic.loop=open", "--load 0.1 --set traffic.loop=closed",
        "--routing valiant --set topology.routing=minimal"}) {
    const Outcome outcome = run(std::string("traffic --print-config ") + pair);
    EXPECT_EQ(outcome.status, 2) << pair;
    EXPECT_THAT(outcome.err, HasSubstr("says otherwise: accepted is one of the two")) << pair;
  }
  EXPECT_EQ(run("traffic --print-config --seed 2 --set traffic.seed=2").status, 0);
}

// An option that changes nothing is told, with the reason.
TEST_F(NothingLost, OptionsWithoutEffectAreTold) {
  write("d.goal", kShortSchedule);
  const auto expect_told = [&](const std::string& arguments, const std::string& reason) {
    EXPECT_THAT(run(arguments).err, HasSubstr("has no effect here: " + reason)) << arguments;
  };
  expect_told("replay d.goal --ranks-per-node 2", "no platform is named");
  expect_told("replay d.goal -p fat-tree-64 --set replay.class_by=size", "the network is queue");
  expect_told("goal gen gather --set pattern.ways=3 -o /dev/null", "the pattern is gather");
  expect_told("replay --pattern gather --set pattern.ways=3", "the pattern is gather");
  expect_told("traffic --load 0.1 --duration 1us --network fluid --set fluid.weight_s=1000",
              "the weighting is none");
  expect_told("run --set nic.send_overhead=10us ./none", "`heddle run` does not use it");
  expect_told("run --set nic.gap=10us --set mpi.transport=portals ./none",
              "mpi.transport is not hybrid");
  EXPECT_THAT(run("goal gen gather --set pattern.root=1 -o /dev/null").err,
              Not(HasSubstr("no effect")));
}

// A trace of one endless line, and one whose bytes do not fit into 63 bits.
TEST_F(NothingLost, TracesAreReadInBoundedMemoryAndSummedWithoutOverflow) {
  EXPECT_THAT(run("trace summary /dev/zero").err, HasSubstr("the line is longer than any row"));
  std::string text =
      "operation,activity,initiator_rank,initiator_node,target_rank,target_node,"
      "size_bytes,virtual_network,start_ps,end_ps,failed\n";
  const Outcome header = run("trace summary /dev/null");
  ASSERT_EQ(header.status, 2);
  const std::string accepted = "accepted is ";
  text = header.err.substr(header.err.rfind(accepted) + accepted.size());
  for (int row = 0; row < 4; ++row) text += "1,PUT,0,0,1,1,9223372036854775807,,0,1,0\n";
  write("t.csv", text);
  const Outcome sum = run("trace summary t.csv");
  EXPECT_EQ(sum.status, 0) << sum.err;
  EXPECT_THAT(sum.out, HasSubstr(" 9223372036854775807 "));
}

// Four sends of 2^63 - 1 bytes are more than 64 bits hold.
TEST_F(NothingLost, SumsOfSchedulesDoNotWrap) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (int calc = 0; calc < 5; ++calc) {
    text += "l" + std::to_string(calc) + ": calc 18446744073709551615\n";
  }
  write("c.goal", text + "}\n");
  EXPECT_THAT(run("goal info c.goal").out, HasSubstr("18446744073709551615"));
}

}  // namespace
}  // namespace heddle::cli
