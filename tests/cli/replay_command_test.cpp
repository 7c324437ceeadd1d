// `heddle replay`, run as a user runs it.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kGoal = HEDDLE_TEST_DATA "/goal/";

class ReplayCommand : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  /// The JSON of a replay that must succeed.
  static nlohmann::json replay(const std::string& arguments) {
    const Outcome outcome = heddle("replay --json - " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  static std::vector<std::int64_t> finish(const nlohmann::json& document) {
    return document["finish_time_ps"].get<std::vector<std::int64_t>>();
  }

  TemporaryFolder folder_;
};

// Two ranks of `calc 100; send 10b; recv 10b`: 100 + o 1500 + L 2500 + o 1500 + 9 G = 5654 ns.
TEST_F(ReplayCommand, HasLogGopsimsNumbersWithoutAPlatform) {
  const auto document = replay(kGoal + "two_rank_calc_send_recv.goal");
  EXPECT_EQ(document["schema"], "heddle.replay/1");
  EXPECT_EQ(document["network"], "loggops");
  EXPECT_TRUE(document["platform"].is_null());
  EXPECT_THAT(finish(document), Each(5'654'000));
  const Outcome table = heddle("replay " + kGoal + "two_rank_calc_send_recv.goal");
  EXPECT_THAT(table.out, AllOf(HasSubstr("2 ranks, 6 operations"), HasSubstr("5.654")));
}

// Dissemination of 180 B on 8 ranks, o = 50000, g = 100000, G = 6000, L = 0: three rounds of
// 2 o + 179 G are 3522000. In nanoseconds, and with every number a thousandth.
TEST_F(ReplayCommand, DisseminationEndsAsLogGopsimSays) {
  const std::string file = kGoal + "dissemination8_180.goal --set loggops.L=0ns ";
  EXPECT_THAT(finish(replay(file + "--set loggops.o=50us --set loggops.g=100us "
                                   "--set loggops.G=6us/B")),
              Each(3'522'000'000));
  EXPECT_THAT(finish(replay(file + "--set loggops.o=50ns --set loggops.g=100ns "
                                   "--set loggops.G=6ns/B")),
              Each(3'522'000));
}

// The published end of the dissemination on four joined switches, flit by flit: 943.1 ns.
TEST_F(ReplayCommand, RunsFlitByFlit) {
  const auto document =
      replay(kGoal + "dissemination8_180.goal -p ib-h8-s4 --network packet --set loggops.G=0ns/B");
  EXPECT_EQ(document["makespan_ps"], 943'100);
  EXPECT_EQ(document["platform"], "ib-h8-s4");
}

TEST_F(ReplayCommand, RunsOverEveryNetwork) {
  for (const std::string network : {"loggops", "queue", "fluid", "packet"}) {
    const auto document =
        replay(kGoal + "linear_alltoall8.goal -p fat-tree-64 --network " + network);
    EXPECT_EQ(document["network"], network);
    EXPECT_EQ(finish(document).size(), 8U);
    EXPECT_GT(document["makespan_ps"], 0) << network;
    EXPECT_EQ(document["network_events"] == 0, network == "loggops");
  }
}

// A machine's network is `queue` unless it or the user says otherwise.
TEST_F(ReplayCommand, APlatformBringsItsNetwork) {
  EXPECT_EQ(replay(kGoal + "pingpong_eager.goal -p fat-tree-64")["network"], "queue");
}

TEST_F(ReplayCommand, ANetworkWithLinksNeedsAPlatform) {
  const Outcome outcome = heddle("replay --network queue " + kGoal + "pingpong_eager.goal");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--platform"));
}

// A calc of 100 is 100 ns, or 100 us if the user says so.
TEST_F(ReplayCommand, TheTimeUnitIsTheUsers) {
  const std::string file = write("calc.goal", "num_ranks 1\nrank 0 {\ncalc 100\n}\n");
  EXPECT_THAT(finish(replay(file)), Each(100'000));
  EXPECT_THAT(finish(replay(file + " --time-unit us")), Each(100'000'000));
  EXPECT_THAT(finish(replay(file + " --time-unit 10ns")), Each(1'000'000));
  EXPECT_EQ(heddle("replay --time-unit parsec " + file).status, 2);
}

// LogGOPSim 2023 lets a successor on another processor start too early: calc 1000 on cpu 0, then 10
// and 5000 on cpu 1 end at 5010 there, and rightly at 6010.
TEST_F(ReplayCommand, CompatKeepsTheAccidents) {
  const std::string file = write("cpus.goal",
                                 "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 10 cpu 1\n"
                                 "c: calc 5000 cpu 1\nb requires a\nc requires b\n}\n");
  EXPECT_THAT(finish(replay(file)), Each(6'010'000));
  EXPECT_THAT(finish(replay(file + " --compat loggopsim-2023")), Each(5'010'000));
  const Outcome unknown = heddle("replay --compat loggopsim " + file);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("loggopsim-2023"));
  EXPECT_EQ(heddle("replay --compat loggopsim-2023 -p vix " + file).status, 2);
}

TEST_F(ReplayCommand, AWrongFileIsNamedWithLineAndColumn) {
  const std::string file = write("bad.goal", "num_ranks 1\nrank 0 {\nsennd 8b to 0\n}\n");
  const Outcome outcome = heddle("replay " + file);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bad.goal:3:1: 'sennd'"));
  EXPECT_EQ(heddle("replay /no/such/file.goal").status, 2);
  EXPECT_EQ(heddle("replay").status, 2);
}

TEST_F(ReplayCommand, ACycleIsAMistakeOfTheFile) {
  const std::string file = write(
      "cycle.goal", "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n");
  const Outcome outcome = heddle("replay " + file);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("rank 0, a"), HasSubstr("cycle.goal:3")));
}

// Each rank waits for the other's message before it sends its own: nothing is wrong with the
// operations taken one by one.
TEST_F(ReplayCommand, ADeadlockOfRanksNamesThem) {
  const std::string file =
      write("deadlock.goal",
            "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
            "rank 1 {\nc: recv 8b from 0\nd: send 8b to 0\nd requires c\n}\n");
  for (const std::string where : {"", " -p fat-tree-64", " -p ib-h8-s1 --network packet"}) {
    const Outcome outcome = heddle("replay " + file + where);
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("rank 0, a"), HasSubstr("deadlock.goal:3")));
  }
}

// Every rank of a ring of five switches sends to the one two further on, with one lane and room for
// one packet per buffer: the schedule is sound, but the packets wait for each other in a circle.
// The error names the credits and the receives that wait, and is none of the file: exit 1. With a
// lane for each of the hops everything arrives.
TEST_F(ReplayCommand, ADeadlockOfPacketsNamesTheCreditsAndTheReceives) {
  std::string text = "num_ranks 5\n";
  for (int r = 0; r < 5; ++r) {
    text += "rank " + std::to_string(r) + " {\nsend 100000b to " + std::to_string((r + 2) % 5) +
            "\nrecv 100000b from " + std::to_string((r + 3) % 5) + "\n}\n";
  }
  const std::string arguments =
      "replay " + write("around.goal", text) +
      " -p fat-tree-64 --network packet --set topology.kind=torus --set torus.dims=5 "
      "--set packet.buffer=34";
  const Outcome stuck = heddle(arguments + " --set packet.lane_by=class");
  EXPECT_EQ(stuck.status, 1);
  EXPECT_THAT(stuck.err, AllOf(HasSubstr("deadlock"), HasSubstr("for credits of"),
                               HasSubstr("5 receives without a message"), HasSubstr("rank 0"),
                               HasSubstr("around.goal:4")));
  EXPECT_THAT(stuck.err, HasSubstr("packet.lanes=4"));
  EXPECT_EQ(heddle(arguments + " --set packet.lane_by=hop --set packet.lanes=4").status, 0);
  EXPECT_EQ(heddle(arguments).status, 0);
}

// Eight ranks send 1,000 B each to rank 0 of a star: its link carries 8 packets (less its own) with
// headers of 20 B, and is the busiest.
TEST_F(ReplayCommand, BusiestLinksAreShown) {
  const std::string arguments =
      "replay --pattern gather --set pattern.ranks=8 --set pattern.size=1000 -p ib-h8-s1 "
      "--network packet --top 2";
  EXPECT_THAT(heddle(arguments).out, AllOf(HasSubstr("Busiest links"), HasSubstr("credit_stalls")));
  const std::string json = folder_ / "links.json";
  ASSERT_EQ(heddle(arguments + " --json " + json).status, 0);
  const auto links = nlohmann::json::parse(file_text(json))["busiest_links"];
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0]["link"], "s0->n0");
  EXPECT_EQ(links[0]["packets"], 7);
  EXPECT_EQ(links[0]["carried_bytes"], 7 * 1'020);
  EXPECT_TRUE(links[0].contains("credit_stalled_ps"));
  EXPECT_EQ(replay("--pattern gather --set pattern.ranks=8")["busiest_links"].size(), 0U);
}

// Rank 0 sends 1 MB and then 64 B with tag 1 to rank 1, which waits for the small one only before
// it computes. At 16 Gb/s the bulk takes 0.5 ms. With classes by size (64 B reach no bound, class
// 0; 1 MB class 1) and high priority for lane 0, the small one is there first; by tag likewise.
TEST_F(ReplayCommand, ClassesSeparateMessages) {
  const std::string file = write("classes.goal",
                                 "num_ranks 3\nrank 0 {\nsend 1000000b to 1 tag 0\n"
                                 "send 64b to 1 tag 1\n}\n"
                                 "rank 1 {\nb: recv 1000000b from 0 tag 0\n"
                                 "s: recv 64b from 0 tag 1\nc: calc 1\nc requires s\n"
                                 "d: send 8b to 2\nd requires c\n}\n"
                                 "rank 2 {\nrecv 8b from 1\n}\n");
  const auto rank_2_us = [&](const std::string& classes) {
    const auto json = replay(file + " -p ib-h8-s1 --network packet " + classes);
    return json["finish_time_ps"][2].get<double>() / 1e6;
  };
  EXPECT_GT(rank_2_us(""), 490);
  const std::string two_lanes = " --set packet.lanes=2 --set packet.high_table=";
  EXPECT_LT(
      rank_2_us("--set replay.class_by=size --set replay.class_bounds=1000" + two_lanes + "0:1"),
      10);
  EXPECT_LT(rank_2_us("--set replay.class_by=tag" + two_lanes + "1:1"), 10);
  // Rank 0 sends both: nothing is gained by its number.
  EXPECT_GT(rank_2_us("--set replay.class_by=rank --set replay.class_bounds=1" + two_lanes + "0:1"),
            490);
}

TEST_F(ReplayCommand, CsvHasALinePerRank) {
  const std::string csv = folder_ / "t.csv";
  ASSERT_EQ(heddle("replay --csv " + csv + " " + kGoal + "two_rank_calc_send_recv.goal").status, 0);
  EXPECT_EQ(file_text(csv),
            "rank,finish_ps,compute_ps,overhead_ps,gap_ps,noise_ps,waiting_ps,adapters_free_ps\n"
            "0,5654000,100000,3000000,54000,0,2500000,5154000\n"
            "1,5654000,100000,3000000,54000,0,2500000,5154000\n");
}

// Of more than 32 ranks the table shows least, mean and most, and the slowest five.
TEST_F(ReplayCommand, ManyRanksAreSummedUp) {
  const Outcome outcome = heddle("replay --pattern dissemination --set pattern.ranks=1000");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("mean"), HasSubstr("Slowest ranks")));
  EXPECT_LT(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 25);
}

TEST_F(ReplayCommand, TheFingerprintIsTheSameOnEveryRun) {
  const std::string arguments =
      "replay --fingerprint --pattern linear-alltoall -p dragonfly-72 --network fluid "
      "--set pattern.ranks=20 --set pattern.size=4KiB --set noise.kind=exponential "
      "--set noise.period=1us --set noise.duration=100ns --set loggops.o=300ns --seed ";
  const auto fingerprint = [&](const std::string& seed) {
    const Outcome outcome = heddle(arguments + seed);
    const std::size_t at = outcome.out.find("fingerprint ");
    EXPECT_NE(at, std::string::npos) << outcome.out << outcome.err;
    return outcome.out.substr(at);
  };
  const std::string first = fingerprint("3");
  EXPECT_EQ(fingerprint("3"), first);
  EXPECT_NE(fingerprint("4"), first);
}

// All eight ranks on one node of a machine without loopback costs: only the ends take time.
TEST_F(ReplayCommand, RanksCanShareANode) {
  const std::string file = kGoal + "dissemination8_180.goal -p ib-h8-s4 --network packet ";
  EXPECT_EQ(replay(file + "--ranks-per-node 8 --set loggops.o=100ns")["makespan_ps"], 600'000);
  const Outcome outcome = heddle(
      "replay -p ib-h8-s4 --ranks-per-node 1 --pattern ring "
      "--set pattern.ranks=9");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("ranks_per_node"));
}

// A schedule comes out of a pipe as well as out of a file, with a name or as standard input; what
// never ends and is no schedule is refused by how it begins.
TEST_F(ReplayCommand, PipesAreRead) {
  const std::string file = kGoal + "two_rank_calc_send_recv.goal";
  const std::string fifo = folder_ / "pipe";
  for (const std::string& command :
       {"cat " + file + " | " HEDDLE_PROGRAM " replay -",
        std::string(HEDDLE_PROGRAM) + " replay - <" + file,
        "mkfifo " + fifo + " && { cat " + file + " >" + fifo + " & " HEDDLE_PROGRAM " replay " +
            fifo + "; }",
        std::string("head -c 5 /dev/zero | " HEDDLE_PROGRAM " replay -; " HEDDLE_PROGRAM
                    " replay - </dev/zero")}) {
    const bool endless = command.find("/dev/zero") != std::string::npos;
    const std::string out = folder_ / "out";
    const int status = std::system(("{ " + command + "; } >" + out + " 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), endless ? 2 : 0) << command;
    EXPECT_THAT(file_text(out), HasSubstr(endless ? "a NUL byte" : "5.654")) << command;
  }
}

// Two ranks compute for 1 us each, on nodes of 20 and 5 Gflop/s: measured on 10 Gflop/s, they take
// 0.5 us and 2 us there. A map that names the slow node first turns that round, over LogGOPS as
// well.
TEST_F(ReplayCommand, CalcsTakeTheTimeOfTheirNodes) {
  const std::string schedule =
      write("calc.goal", "num_ranks 2\nrank 0 {\na: calc 1000\n}\nrank 1 {\nb: calc 1000\n}\n");
  const std::string machine = write("two.yaml",
                                    "topology: {kind: single-switch, nodes: 2}\n"
                                    "node: {speed: 20Gf}\n"
                                    "overrides: [{nodes: n1, speed: 5Gf}]\n");
  const std::string map = write("map.txt", "n1\nn0\n");
  const std::string run = schedule + " -p " + machine + " --set replay.measured_on=10Gf";
  EXPECT_THAT(finish(replay(run)), ElementsAre(500'000, 2'000'000));
  EXPECT_THAT(finish(replay(run + " --map file:" + map)), ElementsAre(2'000'000, 500'000));
  EXPECT_THAT(finish(replay(run + " --network loggops --map file:" + map)),
              ElementsAre(2'000'000, 500'000));
  EXPECT_THAT(finish(replay(run + " --nodes n1 --ranks-per-node 2")), Each(2'000'000));
  EXPECT_THAT(finish(replay(schedule + " -p " + machine)), Each(1'000'000));
}

// On a tree, the ranks of an exchange between neighbours are nearer to each other in order than
// dealt out over the switches: the exchange takes longer. Where there is no machine, there are no
// nodes.
TEST_F(ReplayCommand, PlacesRanksAsAsked) {
  const std::string run =
      "--pattern nearest-neighbour --set pattern.ranks=64 -p fat-tree-64 --map ";
  EXPECT_LT(finish(replay(run + "by-core"))[1], finish(replay(run + "by-switch"))[1]);
  EXPECT_EQ(finish(replay(run + "random:3")), finish(replay(run + "random:3")));
  const Outcome nowhere = heddle("replay --pattern ring --map by-node");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--map: there are no nodes without a machine"));
}

}  // namespace
}  // namespace heddle::cli
