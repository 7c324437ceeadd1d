// `heddle traffic`, run as a user runs it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// What a run printed, results and messages together.
struct Printed {
  int status;
  std::string text;
};

/// A machine of four nodes in a folder of the test's own.
class TrafficCommand : public testing::Test {
 protected:
  TrafficCommand() {
    write("star.yaml",
          "name: star\n"
          "topology: {kind: single-switch, nodes: 4}\n"
          "link: {bandwidth: 100Gbps, latency: 100ns}\n"
          "switch: {latency: 100ns}\n");
  }

  Printed heddle(const std::string& arguments) const {
    const Outcome outcome = cli::heddle("traffic " + arguments, folder_.path());
    return {outcome.status, outcome.out + outcome.err};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const std::string& name) const { return file_text(folder_ / name); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

 private:
  TemporaryFolder folder_;
};

// Without options there is a sweep on a built-in machine, its busiest links, and what to try next.
TEST_F(TrafficCommand, NeedsNoOptions) {
  const Printed outcome = heddle("");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("uniform traffic"), HasSubstr("accepted"),
                                  HasSubstr("Busiest links"), HasSubstr("Try")));
}

// Messages of 1250 bytes take 100 ns on a cable of 100 Gb/s and 300 ns of latency; three of them
// one after another 1.2 us. The JSON has it in picoseconds.
TEST_F(TrafficCommand, ClosedLoopInJson) {
  const Printed outcome =
      heddle("-p star.yaml --pattern shift --size 1250B --messages 3 --json out.json");
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  const auto document = nlohmann::json::parse(read("out.json"));
  EXPECT_EQ(document["schema"], "heddle.traffic/1");
  EXPECT_EQ(document["traffic"]["pattern"], "shift");
  const auto& run = document["runs"][0];
  EXPECT_EQ(run["makespan_ps"], 1'200'000);
  EXPECT_EQ(run["messages"], 12);
  EXPECT_EQ(run["size_bytes"], 15'000);
  EXPECT_EQ(run["latency"]["max_ps"], 400'000);
  EXPECT_EQ(document["fingerprint"], run["fingerprint"]);
}

// A result names what it was made with: its configuration, as a machine file, is what
// --print-config prints and gives the same run again.
TEST_F(TrafficCommand, JsonExplainsItself) {
  const std::string options = "-p star.yaml --set link.latency=200ns --load 0.5 --duration 20us ";
  ASSERT_EQ(heddle(options + "--json out.json").status, 0);
  const auto document = nlohmann::json::parse(read("out.json"));
  EXPECT_EQ(document["configuration"], heddle(options + "--print-config").text);
  write("again.yaml", document["configuration"]);
  ASSERT_EQ(heddle("-p again.yaml --json again.json").status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("again.json"))["fingerprint"], document["fingerprint"]);
}

// Three nodes offer 0.2, then 0.9 of their cables to one, in whatever order the loads are given:
// 0.6 of the target's cable, and 2.7 of it. What has not arrived then is counted, latencies are
// marked as lower bounds, and the plot shades what is saturated.
TEST_F(TrafficCommand, SaysWhatIsSaturated) {
  const Printed outcome = heddle(
      "-p star.yaml --pattern incast --load 0.9,0.2 --duration 50us --csv c.csv --svg p.svg");
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("unfinished"), HasSubstr("  >"),
                                  HasSubstr("Saturated from load 0.9"), HasSubstr("lower bound")));
  const std::string csv = read("c.csv");
  EXPECT_LT(csv.find("\n0.2,"), csv.find("\n0.9,"));
  EXPECT_THAT(read("p.svg"), AllOf(HasSubstr("saturated"), HasSubstr("shade")));
}

// Three seeds make one line with intervals, in the table, in CSV and in JSON; the heading says
// which.
TEST_F(TrafficCommand, SeedsGiveIntervals) {
  const Printed outcome = heddle(
      "-p star.yaml --load 0.5 --duration 20us --seeds 3 --seed 4 --csv c.csv --json out.json");
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  const auto run = nlohmann::json::parse(read("out.json"))["runs"][0];
  EXPECT_EQ(run["seeds"], 3);
  EXPECT_GT(run["intervals"]["mean_latency_ps"], 0);
  EXPECT_GT(run["intervals"]["accepted_fraction"], 0);
  EXPECT_THAT(read("c.csv"), HasSubstr(",seeds,mean_interval_us,accepted_interval_fraction"));
  EXPECT_THAT(heddle("-p star.yaml --load 0.5 --duration 20us --seeds 3 --seed 4").text,
              HasSubstr("seeds 4 to 6; +- is half of a 95 % interval, by seeds"));
}

// Three nodes send to one: from a third of their bandwidth on, not all is delivered.
TEST_F(TrafficCommand, FindsSaturation) {
  const Printed outcome =
      heddle("-p star.yaml --pattern incast --find-saturation --duration 100us");
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("Saturated from load 0.3"));
  EXPECT_EQ(heddle("-p star.yaml --find-saturation --load 0.5").status, 2);
}

// Loads that are rates are rates in the plot, and what is accepted too.
TEST_F(TrafficCommand, PlotsInTheUnitOfTheLoads) {
  ASSERT_EQ(heddle("-p star.yaml --load 10Gbps,40Gbps --duration 20us --svg p.svg").status, 0);
  EXPECT_THAT(read("p.svg"), AllOf(HasSubstr("offered load per sending node [Gb/s]"),
                                   HasSubstr("accepted per sending node [Gb/s]")));
  ASSERT_EQ(heddle("-p star.yaml --load 0.1,0.4 --duration 20us --svg p.svg").status, 0);
  EXPECT_THAT(read("p.svg"), HasSubstr("offered load [part of the injection bandwidth]"));
}

// By hand: alone 400 ns; behind it on the target's cable 500 ns; alone again 400 ns after 1 us.
// With a cap of 10 Gb/s, 300 ns + 1 us. Reading the list of messages as traffic again gives the
// same list.
TEST_F(TrafficCommand, FileRoundTrip) {
  write("t.txt",
        "start source destination bytes rate class\n"
        "0us 0 1 1250\n"
        "0us n2 n1 1250  # waits\n"
        "1us 0 1 1250\n"
        "2us 0 1 1250 10Gbps 3\n");
  ASSERT_EQ(heddle("-p star.yaml --file t.txt --finish-times a.csv").status, 0);
  EXPECT_EQ(read("a.csv"),
            "id,source,destination,bytes,start_ps,finish_ps,latency_us,rate,class\n"
            "0,0,1,1250,0,400000,0.400000,,0\n"
            "1,2,1,1250,0,500000,0.500000,,0\n"
            "2,0,1,1250,1000000,1400000,0.400000,,0\n"
            "3,0,1,1250,2000000,3300000,1.300000,10Gbps,3\n");
  ASSERT_EQ(heddle("-p star.yaml --file a.csv --finish-times b.csv").status, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
}

// Nodes called 5, 1 and 0, in this order: numbers are their names, in the list as well.
TEST_F(TrafficCommand, FinishTimesNameNodesAsFilesDo) {
  write("n.edges", "5 s\n1 s\n0 s\n");
  write("t.txt", "0us 0 5 64\n1us 5 1 64\n");
  ASSERT_EQ(heddle("-p n.edges --file t.txt --finish-times a.csv").status, 0);
  EXPECT_THAT(read("a.csv"), AllOf(HasSubstr("\n0,0,5,64,0,"), HasSubstr("\n1,5,1,64,1000000,")));
  ASSERT_EQ(heddle("-p n.edges --file a.csv --finish-times b.csv").status, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
}

// What --print-config prints runs as a platform: the fingerprints are the same.
TEST_F(TrafficCommand, PrintedConfigurationReproducesTheRun) {
  const std::string options =
      "-p star.yaml --network fluid --pattern hotspot --size mix:90%:64B,10%:64KiB --load 0.2,0.4 "
      "--duration 30us --seed 5 ";
  const Printed config = heddle(options + "--print-config");
  ASSERT_EQ(config.status, 0) << config.text;
  write("printed.yaml", config.text);
  const Printed first = heddle(options + "--csv -");
  const Printed second = heddle("-p printed.yaml --csv -");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.text, second.text);
  EXPECT_NE(first.text, heddle(options + "--seed 6 --csv -").text);
}

// Other outputs change nothing of the results, which are the same for the same seed.
TEST_F(TrafficCommand, OutputsDoNotChangeResults) {
  const std::string options = "-p star.yaml --load 0.5 --duration 30us --fingerprint ";
  const auto fingerprint = [](const std::string& text) {
    const std::size_t at = text.find("fingerprint ");
    return at == std::string::npos ? "none" : text.substr(at, 28);
  };
  const Printed plain = heddle(options);
  const Printed all =
      heddle(options + "--csv c.csv --svg p.svg --json j.json --finish-times f.csv --top 1");
  EXPECT_EQ(plain.status, 0);
  EXPECT_NE(fingerprint(plain.text), "none");
  EXPECT_EQ(fingerprint(plain.text), fingerprint(all.text));
  EXPECT_THAT(read("p.svg"), AllOf(HasSubstr("<svg"), HasSubstr("Throughput against load")));
  EXPECT_THAT(read("c.csv"), HasSubstr("offered_fraction"));
}

TEST_F(TrafficCommand, EveryPatternAndNetworkRuns) {
  for (const char* network : {"loggops", "queue", "fluid", "packet"}) {
    for (const char* pattern :
         {"uniform", "permutation", "shift", "tornado", "bit-reverse", "bit-complement",
          "transpose", "hotspot", "incast", "all-to-all", "neighbours"}) {
      const Printed outcome = heddle(std::string("-p star.yaml --messages 2 --network ") + network +
                                     " --pattern " + pattern);
      EXPECT_EQ(outcome.status, 0) << network << " " << pattern << outcome.text;
    }
  }
}

// The packet network tells of its ports: an incast of three on one link keeps packets waiting
// there.
TEST_F(TrafficCommand, PacketPortsAreShown) {
  const Printed outcome =
      heddle("-p star.yaml --network packet --pattern incast --messages 50 --json j.json");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("max_queue_flits"), HasSubstr("credit_stalls")));
  const auto link = nlohmann::json::parse(read("j.json"))["runs"][0]["busiest_links"][0];
  EXPECT_GT(link["packets"], 0);
  EXPECT_GT(link["max_queue_flits"], 34);
  EXPECT_EQ(link["marked"], 0);
}

// One lane around a ring of switches deadlocks: exit 1, and the error names the credits waited for.
TEST_F(TrafficCommand, ADeadlockIsAnError) {
  const Printed outcome = heddle(
      "--network packet --pattern tornado --messages 20 --window 20 --size 16KiB "
      "--set topology.kind=torus --set torus.dims=5 --set packet.buffer=34 --set "
      "packet.lane_by=class");
  EXPECT_EQ(outcome.status, 1) << outcome.text;
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("deadlock"), HasSubstr("for credits of")));
}

// An open loop goes on generating, and would end saturated; but what waits for each other never
// arrives, however long it lasts. Saturation without a circle, as that of an incast, is no error.
TEST_F(TrafficCommand, ADeadlockOfAnOpenLoopIsAnErrorAndNoSaturation) {
  const Printed stuck = heddle(
      "--network packet --pattern tornado --load 1.5 --duration 200us --size 16KiB "
      "--set topology.kind=torus --set torus.dims=5 --set packet.buffer=34 --set "
      "packet.lane_by=class");
  EXPECT_EQ(stuck.status, 1) << stuck.text;
  EXPECT_THAT(stuck.text, AllOf(HasSubstr("at load 1.5: deadlock"), HasSubstr("for credits of")));
  const Printed full =
      heddle("-p star.yaml --network packet --pattern incast --load 0.9 --duration 50us");
  EXPECT_EQ(full.status, 0) << full.text;
  EXPECT_THAT(full.text, HasSubstr("saturated"));
}

// What a sweep has done before a load that deadlocks is not lost: its row is printed and written,
// then comes the error. Left to themselves, lanes avoid it.
TEST_F(TrafficCommand, ADeadlockKeepsTheLoadsBefore) {
  const std::string sweep =
      "--network packet --pattern tornado --load 0.05,1.5 --duration 100us --size 16KiB "
      "--set topology.kind=torus --set torus.dims=5 --set packet.buffer=34 --csv c.csv "
      "--json j.json";
  const Printed stuck = heddle(sweep + " --set packet.lane_by=class");
  EXPECT_EQ(stuck.status, 1) << stuck.text;
  EXPECT_THAT(stuck.text, AllOf(HasSubstr("offered"), HasSubstr("at load 1.5: deadlock")));
  const std::string csv = read("c.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
  const auto document = nlohmann::json::parse(read("j.json"));
  EXPECT_EQ(document["runs"].size(), 1U);
  EXPECT_THAT(document["failure"].get<std::string>(), HasSubstr("deadlock"));
  const Printed whole = heddle(sweep);
  EXPECT_EQ(whole.status, 0) << whole.text;
  EXPECT_FALSE(nlohmann::json::parse(read("j.json")).contains("failure"));
}

// All nodes of quito send to all others over its half-duplex cables and buses.
TEST_F(TrafficCommand, HalfDuplexMachinesDoNotDeadlock) {
  const Printed outcome = heddle(
      "-p quito --network packet --pattern all-to-all --messages 10 --window 8 --size 64KiB");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
}

// 64 B behind 1 MB on the same cables, 1 us later: on one lane it arrives after the bulk, which
// takes 81 us; with class 1 on a lane of its own with high priority, within 1 us.
TEST_F(TrafficCommand, AClassOfATrafficFilePassesBulk) {
  write("t.txt", "start source destination bytes class\n0us 0 1 1MB 0\n1us 0 1 64 1\n");
  const auto latency_us = [this](const std::string& lanes) {
    EXPECT_EQ(
        heddle("-p star.yaml --network packet --file t.txt --finish-times f.csv " + lanes).status,
        0);
    const std::string csv = read("f.csv");
    std::size_t at = csv.find("\n1,0,1,64,") + 1;
    for (int column = 0; column < 6; ++column) at = csv.find(',', at) + 1;
    return std::stod(csv.substr(at));
  };
  EXPECT_GT(latency_us(""), 79);
  EXPECT_LT(latency_us("--set packet.lanes=2 --set packet.high_table=1:1"), 1);
  // The class of a pattern's messages: lane 1 is in no table.
  const Printed unserved = heddle(
      "-p star.yaml --network packet --messages 2 --set traffic.class=1 --set packet.lanes=2 "
      "--set packet.low_table=0:1");
  EXPECT_EQ(unserved.status, 2) << unserved.text;
  EXPECT_THAT(unserved.text, HasSubstr("lane 1, used by class 1, is in no arbitration table"));
}

// 1024 TiB at 1 b/s take longer than the 106 days that a simulation can last: an error in every
// model, not a table without the message.
TEST_F(TrafficCommand, NoMessageIsLost) {
  write("t.txt", "start source destination bytes rate\n0us 0 1 1024TiB 1bps\n0us 2 3 64\n");
  for (const std::string network : {"loggops", "queue", "fluid", "packet"}) {
    for (const std::string messages :
         {"--file t.txt", "--messages 2 --size 1024TiB --set link.bandwidth=1bps"}) {
      const Printed outcome = heddle("-p star.yaml --network " + network + " " + messages);
      EXPECT_EQ(outcome.status, 1) << network << " " << messages << outcome.text;
      EXPECT_THAT(outcome.text, HasSubstr("simulated time goes beyond 106 days")) << network;
    }
  }
}

// Messages to the neighbour of equal size leave nothing to chance but the switches that Valiant's
// routing sends them by: those follow from the seed, so runs with the same seed agree, and others
// do not. On minimal routes the seed changes nothing.
TEST_F(TrafficCommand, TheSeedDecidesRandomRoutes) {
  const auto csv = [this](const std::string& network, const std::string& routing, int seed) {
    EXPECT_EQ(heddle("-p dragonfly-72 --pattern shift --messages 5 --size 4KiB --network " +
                     network + " --set topology.routing=" + routing + " --seed " +
                     std::to_string(seed) + " --finish-times f.csv")
                  .status,
              0);
    return read("f.csv");
  };
  for (const std::string network : {"queue", "fluid", "packet"}) {
    EXPECT_EQ(csv(network, "minimal", 1), csv(network, "minimal", 2)) << network;
    EXPECT_EQ(csv(network, "valiant", 1), csv(network, "valiant", 1)) << network;
    EXPECT_NE(csv(network, "valiant", 1), csv(network, "valiant", 2)) << network;
  }
}

// Every routing that suits a dragonfly leads over every model; the same seed gives the same times.
TEST_F(TrafficCommand, RoutingsAreRepeatable) {
  for (const std::string network : {"queue", "fluid", "packet"}) {
    for (const std::string routing :
         {"valiant-group", "ugal-l", "ugal-g", "par", "ecmp", "spray", "flowlet", "up-down"}) {
      const std::string command = "-p dragonfly-72 --pattern next-group --messages 3 --size 8KiB " +
                                  ("--network " + network) + " --routing " + routing +
                                  " --finish-times f.csv";
      ASSERT_EQ(heddle(command).status, 0) << command;
      const std::string first = read("f.csv");
      ASSERT_EQ(heddle(command).status, 0) << command;
      EXPECT_EQ(first, read("f.csv")) << command;
    }
  }
}

// Where packets may overtake each other the table has a column for that, and so have the files; a
// fixed route has no such column and no packet out of order.
TEST_F(TrafficCommand, PacketsOutOfOrderAreCounted) {
  const std::string command =
      "-p dragonfly-72 --pattern next-group --load 0.3 --duration 20us --network packet --size "
      "16KiB --csv c.csv --json out.json --routing ";
  const Printed detours = heddle(command + "valiant");
  ASSERT_EQ(detours.status, 0) << detours.text;
  EXPECT_THAT(
      heddle("-p dragonfly-72 --load 0.1 --duration 5us --network packet --routing spray").text,
      HasSubstr("out_of_order"));
  const auto packets = nlohmann::json::parse(read("out.json"))["runs"][0]["packets"];
  EXPECT_GT(packets["out_of_order"], 0);
  EXPECT_GT(packets["arrived"], packets["out_of_order"]);
  EXPECT_THAT(read("c.csv"), HasSubstr(",packets,packets_out_of_order"));
  ASSERT_EQ(heddle(command + "minimal").status, 0);
  EXPECT_EQ(nlohmann::json::parse(read("out.json"))["runs"][0]["packets"]["out_of_order"], 0);
  EXPECT_EQ(heddle("-p dragonfly-72 --load 0.1 --duration 5us --network packet")
                .text.find("out_of_order"),
            std::string::npos);
}

// What became of packets stands below the table, at the busiest links and in files.
TEST_F(TrafficCommand, LostAndPausedPacketsAreTold) {
  const std::string command =
      "-p fat-tree-64 --pattern hotspot --set traffic.hot_fraction=0.5 --load 0.5 --duration 50us "
      "--network packet --csv c.csv --json out.json --set packet.flow_control=";
  const Printed lossy = heddle(command + "lossy");
  ASSERT_EQ(lossy.status, 0) << lossy.text;
  EXPECT_THAT(lossy.text, AllOf(HasSubstr(" dropped, "), HasSubstr(" sent again")));
  EXPECT_THAT(read("c.csv"), HasSubstr("packets_dropped,packets_trimmed,packets_sent_again"));
  const auto lost = nlohmann::json::parse(read("out.json"))["runs"][0];
  EXPECT_GT(lost["packets"]["dropped"], 0);
  EXPECT_GT(lost["packets"]["sent_again"], 0);
  EXPECT_TRUE(lost["busiest_links"][0].contains("dropped"));
  const Printed paused = heddle(command + "pfc --set pfc.shared=200KiB");
  ASSERT_EQ(paused.status, 0) << paused.text;
  EXPECT_THAT(paused.text, HasSubstr(" pauses of "));
  const auto pauses = nlohmann::json::parse(read("out.json"))["runs"][0]["packets"];
  EXPECT_GT(pauses["pauses"], 0);
  EXPECT_GT(pauses["most_paused"], 1);
  EXPECT_GT(pauses["paused_ps"], pauses["longest_pause_ps"]);
  EXPECT_EQ(pauses["dropped"], 0);
  EXPECT_THAT(paused.text, Not(HasSubstr("no effect")));
  EXPECT_THAT(heddle(command + "lossy --set pfc.shared=200KiB").text,
              HasSubstr("no effect here: packet.flow_control is not pfc"));
  EXPECT_EQ(heddle(command + "lossy --set repair.mode=none").status, 2);
}

// Two results cannot share the standard output, nor a file, however it is written.
TEST_F(TrafficCommand, OutputsDoNotClash) {
  for (const char* files :
       {"--json - --csv -", "--json a --csv a", "--json a --svg ./a", "--csv - --finish-times -"}) {
    const Printed outcome = heddle(std::string("-p star.yaml --messages 2 ") + files);
    EXPECT_EQ(outcome.status, 2) << files;
    EXPECT_THAT(outcome.text, HasSubstr("writes already: accepted is another file")) << files;
  }
  EXPECT_EQ(heddle("-p star.yaml --messages 2 --json /dev/null --csv /dev/null").status, 0);
}

// Without loads the plot shows what nodes receive over time.
TEST_F(TrafficCommand, AClosedLoopIsPlottedOverTime) {
  const Printed outcome = heddle("-p star.yaml --pattern incast --messages 20 --svg p.svg");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(read("p.svg"), AllOf(HasSubstr("<svg"), HasSubstr("Received over time")));
}

// Wrong input is exit 2, says what is accepted, and leaves no file behind.
TEST_F(TrafficCommand, WrongInput) {
  const auto expect_error = [this](const std::string& arguments, const std::string& part) {
    const Printed outcome = heddle("-p star.yaml --json out.json " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.text, HasSubstr(part)) << arguments;
  };
  expect_error("--pattern unifrom",
               "(did you mean 'uniform'?): accepted is one of uniform, permutation");
  expect_error("--load 1:2", "range first:last:step");
  expect_error("--size huge", "a size of at least 1B");
  expect_error("--network warp", "accepted is one of loggops, queue");
  expect_error("--pattern shift --set traffic.shift=4", "accepted is 1 to 3");
  expect_error("--load 0.5 --messages 3", "--load");
  expect_error("--finish-times f.csv", "single load");
  expect_error("--file nowhere.txt --finish-times f.csv", "nowhere.txt: cannot be opened");
  expect_error("--set traffic.patern=uniform", "did you mean 'traffic.pattern'?");
  write("bad.txt", "0us 0 1 64\n0us 0 9 64\n");
  expect_error("--file bad.txt --finish-times f.csv", "bad.txt:2:7: '9' is not a node");
  write("empty.txt", "# start source destination bytes\n");
  expect_error("--file empty.txt", "empty.txt: has no messages: accepted is a line for each");
  expect_error("--file .", ".: is a directory: accepted is a file");
  expect_error("--file ''", "it says nothing");
  expect_error("--pattern file", "--pattern: pattern 'file' needs a traffic file");
  EXPECT_THAT(files(), testing::UnorderedElementsAre("star.yaml", "bad.txt", "empty.txt"));
}

}  // namespace
}  // namespace heddle::cli
