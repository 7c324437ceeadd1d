// Reports: what limits a run is named, and better by what was predicted; files for other tools are
// as those want them.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "cli/hosted.hpp"
#include "cli/json_schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// ring BYTES ROUNDS: everybody to the next. late RANK ROUNDS: one computes three times as long.
/// small COUNT: many little messages from 0 to 1.
constexpr const char* kProgram = R"(
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, size, i, a = atoi(v[2]), n = atoi(v[3]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(v[1], "ring")) {
    char *in = malloc(a), *out = calloc(a, 1);
    for (i = 0; i < n; i++)
      MPI_Sendrecv(out, a, MPI_CHAR, (rank + 1) % size, 0, in, a, MPI_CHAR, (rank + size - 1) % size, 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(v[1], "late")) {
    for (i = 0; i < n; i++) {
      heddle_compute(rank == a ? 300e-6 : 100e-6);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  } else {
    char byte = 0;
    for (i = 0; i < a; i++) {
      if (rank == 0) MPI_Send(&byte, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
})";

std::string machine(const std::string& more) {
  return "topology: {kind: single-switch, nodes: 8}\nlink: {bandwidth: 100Gbps, latency: 500ns}\n"
         "switch: {latency: 100ns}\nnetwork: {model: queue}\n" +
         more;
}

/// One program for all tests of this file.
const CompiledProgram& compiled() {
  static const CompiledProgram program(kProgram);
  return program;
}

class Report : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(compiled().compilation().status, 0) << compiled().compilation().err;
    write("m.yaml", machine(""));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Outcome run(const std::string& words) const { return heddle(words, folder_.path()); }
  json summary(const std::string& options, const std::string& arguments) const {
    const Outcome outcome = run("run -q " + options + " --summary s.json " + compiled().folder() +
                                "/program " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(file_text(folder_ / "s.json"), nullptr, false);
  }
  static double gain(const json& summary, const std::string& key) {
    for (const json& w : summary["what_if"]) {
      if (w["key"] == key) return w["gain_ps"].get<double>();
    }
    return 0;
  }
  /// The better run is shorter by what was predicted, to 5 % of that.
  static void expect_gain(const json& before, const json& after, const std::string& key) {
    const double predicted = gain(before, key);
    const double gained = before["time_ps"].get<double>() - after["time_ps"].get<double>();
    EXPECT_GT(predicted, 0) << before["what_if"].dump();
    EXPECT_NEAR(gained, predicted, 0.05 * predicted) << key;
  }

  TemporaryFolder folder_;
};

TEST_F(Report, NamesASlowLinkAndWhatDoublingItGives) {
  // 1 MiB at 10 Gb/s takes 839 us, at 100 Gb/s 84: each round is as long as the slow link needs.
  write("m.yaml", machine("overrides: [{links: \"n3->*\", bandwidth: 10Gbps}]\n"));
  const json before = summary("-n 8 -p m.yaml", "ring 1048576 10");
  EXPECT_EQ(before["cause"], "link") << before["verdict"].dump();
  EXPECT_THAT(before["verdict"][0], HasSubstr("n3->"));
  write("m.yaml", machine("overrides: [{links: \"n3->*\", bandwidth: 20Gbps}]\n"));
  expect_gain(before, summary("-n 8 -p m.yaml", "ring 1048576 10"), "link");
}

TEST_F(Report, NamesARankThatIsLate) {
  const json before = summary("-n 8 -p m.yaml", "late 5 10");
  EXPECT_EQ(before["cause"], "imbalance") << before["verdict"].dump();
  EXPECT_THAT(before["verdict"][0], HasSubstr("rank 5"));
  // There is no rank 99: all compute alike.
  expect_gain(before, summary("-n 8 -p m.yaml", "late 99 10"), "imbalance");
}

TEST_F(Report, NamesTheOverheadOfManySmallMessages) {
  const std::string options = "-n 2 -p m.yaml --set mpi.send_overhead=";
  const std::string rest = " --set mpi.receive_overhead=";
  const json before = summary(options + "2us" + rest + "1us", "small 500 0");
  EXPECT_EQ(before["cause"], "overhead") << before["verdict"].dump();
  expect_gain(before, summary(options + "1us" + rest + "500ns", "small 500 0"), "overhead");
}

TEST_F(Report, NamesTheBandwidthOfLargeMessages) {
  const json before = summary("-n 8 -p m.yaml", "ring 4194304 5");
  EXPECT_EQ(before["cause"], "links") << "all are equally busy: " << before["verdict"].dump();
  EXPECT_THAT(before["verdict"][0], HasSubstr("16 of 16 links"));
  expect_gain(before, summary("-n 8 -p m.yaml --set link.bandwidth=200Gbps", "ring 4194304 5"),
              "bandwidth");
}

TEST_F(Report, SharesOfThePathAddUpOverEveryTransportAndNetwork) {
  for (const char* options :
       {"-p m.yaml", "-p m.yaml --network fluid", "-p m.yaml --network packet",
        "-p m.yaml --network loggops", "-p bxi-v2 --set mpi.transport=portals"}) {
    const json s = summary(std::string("-n 4 ") + options, "ring 65536 3");
    double sum = 0;
    for (const json& r : s["critical_path"]["resources"]) sum += r["time_ps"].get<double>();
    EXPECT_EQ(sum, s["time_ps"].get<double>()) << options << s["critical_path"].dump();
    EXPECT_EQ(s["critical_path"]["length_ps"], s["time_ps"]) << options;
  }
}

TEST_F(Report, OfAdaptersTellsPcieAndNicFromWires) {
  const json s = summary("-n 2 -p bxi-v2 --set mpi.transport=portals", "ring 65536 20");
  std::map<std::string, double> share;
  for (const json& r : s["critical_path"]["resources"]) share[r["resource"]] = r["share"];
  EXPECT_GT(share["pcie"], 0.01);
  EXPECT_GT(share["nic"], 0.01);
  EXPECT_GT(share["bandwidth"] + share["latency"], 0.1);
}

TEST_F(Report, RecordingChangesNothing) {
  const std::string command =
      "run --fingerprint -n 8 -p m.yaml PAGE " + compiled().folder() + "/program ring 65536 3";
  const auto fingerprint = [&](const std::string& page) {
    std::string words = command;
    const Outcome outcome = run(words.replace(words.find("PAGE"), 4, page));
    const std::size_t at = outcome.err.find("fingerprint");
    return at == std::string::npos ? outcome.err : outcome.err.substr(at);
  };
  EXPECT_EQ(fingerprint(""), fingerprint("--summary s.json"));
}

TEST_F(Report, SummariesFollowTheirSchema) {
  const json schema =
      json::parse(file_text(std::string(HEDDLE_SCHEMAS) + "/heddle.summary-1.schema.json"));
  const auto expect_valid = [&](const std::string& words) {
    const Outcome outcome = run(words + " --summary v.json");
    ASSERT_EQ(outcome.status, 0) << words << outcome.err;
    const json document = json::parse(file_text(folder_ / "v.json"), nullptr, false);
    EXPECT_EQ(JsonSchema::problem(schema, document), "") << words;
    for (const auto& [name, value] : document.items()) {
      EXPECT_TRUE(schema["properties"].contains(name)) << words << ": " << name;
    }
  };
  expect_valid("replay --pattern dissemination --set pattern.ranks=8");
  expect_valid("replay --pattern dissemination --set pattern.ranks=8 -p m.yaml");
  expect_valid("traffic -p m.yaml --load 0.2,0.9 --duration 20us");
  expect_valid("traffic -p m.yaml --pattern incast --messages 3");
  expect_valid("traffic -p m.yaml --network packet --pattern incast --messages 3");
}

// Seven nodes send 64 KiB each to one, over switches that pause: the cable to that one carries all
// of it, and every slice of time says what then waited for it. The sums are those of the links that
// are told apart, for nothing else happens at any other; without packets there is nothing to say.
TEST_F(Report, QueuesPausesAndRatesAreToldAsTimeWentBy) {
  const std::string incast = "traffic -p m.yaml --pattern incast --size 64KiB --messages 1 ";
  ASSERT_EQ(run(incast + "--network packet --set packet.flow_control=pfc "
                         "--set pfc.threshold=8KiB --summary s.json")
                .status,
            0);
  const json queues = json::parse(file_text(folder_ / "s.json"))["queues"];
  const std::size_t slices = queues["all"]["queued_bytes"].size();
  ASSERT_GT(slices, 10U);
  const auto sum = [](const json& series) {
    std::int64_t all = 0;
    for (const json& value : series) all += value.get<std::int64_t>();
    return all;
  };
  std::int64_t carried_to_one = 0;
  for (const json& link : queues["links"]) {
    EXPECT_EQ(link["queued_bytes"].size(), slices);
    if (link["link"] == "s0->n0") carried_to_one = sum(link["carried_bytes"]);
  }
  EXPECT_GE(carried_to_one, 7 * 65536);
  EXPECT_GT(sum(queues["all"]["queued_bytes"]), 0);
  EXPECT_GT(sum(queues["all"]["held_up_ps"]), 0);
  EXPECT_EQ(queues["all"]["queued_bytes"].back(), 0) << "nothing waits when all is over";
  ASSERT_EQ(run(incast + "--network queue --summary s.json").status, 0);
  EXPECT_TRUE(json::parse(file_text(folder_ / "s.json"))["queues"].is_null());
}

// Seven ranks send 64 KiB each to one, over switches that pause: the results of a schedule and of a
// program say of packets what those of traffic say.
TEST_F(Report, PausesAreToldOfSchedulesAndPrograms) {
  const std::string pausing =
      " -p m.yaml --network packet --set packet.flow_control=pfc --set pfc.threshold=8KiB ";
  const Outcome replay =
      run("replay --pattern gather --set pattern.ranks=8 --set pattern.size=64KiB" + pausing +
          "--json r.json");
  ASSERT_EQ(replay.status, 0) << replay.err;
  EXPECT_THAT(replay.out, HasSubstr(" pauses of "));
  EXPECT_GT(json::parse(file_text(folder_ / "r.json"))["packets"]["pauses"], 0);
  const Outcome program =
      run("run -n 8" + pausing + "--json p.json " + compiled().folder() + "/program ring 65536 3");
  ASSERT_EQ(program.status, 0) << program.err;
  const json packets = json::parse(file_text(folder_ / "p.json"))["packets"];
  EXPECT_GE(packets["arrived"], 8 * 3 * 65536 / 2156);
  EXPECT_EQ(packets["dropped"], 0);
}

TEST_F(Report, OfAReplayExplainsEveryPicosecond) {
  for (const char* machine : {"", " -p m.yaml"}) {
    ASSERT_EQ(run(std::string("replay --pattern dissemination --set pattern.ranks=8 --summary "
                              "s.json --json r.json") +
                  machine)
                  .status,
              0);
    const json s = json::parse(file_text(folder_ / "s.json"));
    double sum = 0;
    double waits = 0;
    for (const json& r : s["critical_path"]["resources"]) {
      sum += r["time_ps"].get<double>();
      if (r["resource"] == "wait") waits = r["time_ps"].get<double>();
    }
    EXPECT_EQ(sum, s["time_ps"].get<double>());
    EXPECT_EQ(waits, 0) << "every wait has a message that ended it" << s["critical_path"].dump();
    EXPECT_EQ(s["messages"], 24) << "8 ranks, 3 rounds";
  }
}

/// Complete events of each thread nest: one that begins within another ends within it.
std::string overlap(const json& trace) {
  std::map<int, std::vector<std::pair<double, double>>> threads;
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] == "X") {
      threads[e["tid"]].emplace_back(e["ts"].get<double>(),
                                     e["ts"].get<double>() + e["dur"].get<double>());
    }
  }
  for (auto& [thread, slices] : threads) {
    std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    std::vector<double> open;
    for (const auto& [begin, end] : slices) {
      while (!open.empty() && open.back() <= begin + 1e-9) open.pop_back();
      if (!open.empty() && end > open.back() + 1e-6) {
        return "thread " + std::to_string(thread) + " at " + std::to_string(begin);
      }
      open.push_back(end);
    }
  }
  return "";
}

TEST_F(Report, TracesForPerfettoNestAndPairTheirFlows) {
  const Outcome outcome = run("run -q -n 4 -p m.yaml --perfetto t.json " + compiled().folder() +
                              "/program ring 65536 3");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json trace = json::parse(file_text(folder_ / "t.json"));
  EXPECT_EQ(overlap(trace), "");
  std::map<int, int> flows;
  int counters = 0;
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] == "s") flows[e["id"]] += 1;
    if (e["ph"] == "f") flows[e["id"]] += 100;
    counters += e["ph"] == "C" ? 1 : 0;
  }
  EXPECT_GE(flows.size(), 12U) << "4 ranks, 3 rounds, and what MPI_Init and MPI_Finalize send";
  for (const auto& [id, ends] : flows) EXPECT_EQ(ends, 101) << id;
  EXPECT_GT(counters, 0);
}

TEST_F(Report, TracesCanBeFilteredAndKeptSmall) {
  const std::string program = compiled().folder() + "/program ring 1024 500";
  ASSERT_EQ(run("run -q -n 8 -p m.yaml --perfetto t.json --trace-limit 100KiB " + program).status,
            0);
  const std::string text = file_text(folder_ / "t.json");
  EXPECT_LT(text.size(), 115U * 1024);
  EXPECT_THAT(json::parse(text)["otherData"].dump(), HasSubstr("left out"));
  ASSERT_EQ(
      run("run -q -n 8 -p m.yaml --perfetto t.json --trace-only ranks=2,kinds=calls " + program)
          .status,
      0);
  const json of_one = json::parse(file_text(folder_ / "t.json"));
  for (const json& e : of_one["traceEvents"]) {
    if (e["ph"] != "M") {
      EXPECT_EQ(e["tid"], 2) << e.dump();
    }
  }
  ASSERT_EQ(run("run -q -n 8 -p m.yaml --perfetto t.json --trace-only "
                "time=10us:20us,kinds=activities+calls " +
                program)
                .status,
            0);
  std::size_t seen = 0;
  const json of_time = json::parse(file_text(folder_ / "t.json"));
  for (const json& e : of_time["traceEvents"]) {
    if (e["ph"] != "X") continue;
    ++seen;
    EXPECT_LE(e["ts"].get<double>(), 20) << e.dump();
    EXPECT_GE(e["ts"].get<double>() + e["dur"].get<double>(), 10) << e.dump();
  }
  EXPECT_GT(seen, 0U);
  const Outcome wrong = run("run -q --perfetto t.json --trace-only ranks=x " + program);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("accepted are ranks=0-7+12"));
}

TEST_F(Report, PajeTracesAreInTheOrderOfTimeWithStatesThatEnd) {
  ASSERT_EQ(
      run("run -q -n 4 -p m.yaml --paje t.paje " + compiled().folder() + "/program ring 65536 3")
          .status,
      0);
  std::istringstream lines(file_text(folder_ / "t.paje"));
  double last = 0;
  std::map<std::string, int> depth;
  std::map<std::string, int> links;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '%' || line[0] == '#') continue;
    std::istringstream words(line);
    int kind = 0;
    double time = 0;
    std::string type;
    std::string where;
    words >> kind;
    if (kind < 6) continue;
    words >> time >> type >> where;
    EXPECT_GE(time, last) << line;
    last = time;
    if (kind == 12) ++depth[where + type];
    if (kind == 13) --depth[where + type];
    if (kind == 15 || kind == 16) ++links[line.substr(line.rfind(' '))];
  }
  for (const auto& [state, left] : depth) EXPECT_EQ(left, 0) << state;
  for (const auto& [key, ends] : links) EXPECT_EQ(ends, 2) << key;
}

TEST_F(Report, PajeTracesAreAcceptedByOthers) {
  if (shell("command -v pj_dump", folder_.path()).status != 0) {
    GTEST_SKIP() << "pj_dump (Debian's pajeng) is not installed";
  }
  ASSERT_EQ(
      run("run -q -n 4 -p m.yaml --paje t.paje " + compiled().folder() + "/program ring 65536 3")
          .status,
      0);
  const Outcome dumped = shell("pj_dump t.paje", folder_.path());
  EXPECT_EQ(dumped.status, 0) << dumped.err;
  EXPECT_THAT(dumped.out, HasSubstr("Link, machine, Message"));
  EXPECT_THAT(dumped.out, HasSubstr("MPI_Sendrecv"));
}

TEST_F(Report, TablesHaveUnitsInTheirHeads) {
  ASSERT_EQ(
      run("run -q -n 4 -p m.yaml --tables out " + compiled().folder() + "/program ring 65536 3")
          .status,
      0);
  EXPECT_THAT(file_text(folder_ / "out/ranks.csv"), HasSubstr("rank,end_ps,compute_ps"));
  EXPECT_THAT(file_text(folder_ / "out/links.csv"), HasSubstr("link,bytes,utilisation_fraction"));
  EXPECT_THAT(file_text(folder_ / "out/messages.csv"), HasSubstr("65536"));
  EXPECT_THAT(file_text(folder_ / "out/collectives.csv"),
              HasSubstr("program,communicator,call,round,ranks,bytes"));
}

TEST_F(Report, PagesAreSmallAndCarryTheirSummary) {
  // A thousand ranks with twenty messages each.
  const Outcome outcome =
      run("replay --pattern dissemination --set pattern.ranks=1024 -p torus-512 --report p.html "
          "--summary s.json");
  if (outcome.status != 0 && outcome.err.find("built without the page") != std::string::npos) {
    GTEST_SKIP() << "built without the page";
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string page = file_text(folder_ / "p.html");
  EXPECT_LT(page.size(), 5'000'000U);
  const std::size_t mark = page.find("<script id=\"data\"");
  ASSERT_NE(mark, std::string::npos);
  const std::size_t begin = page.find('>', mark) + 1;
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["summary"], json::parse(file_text(folder_ / "s.json")));
}

TEST_F(Report, SeveralRunsStandSideBySide) {
  const std::string words = "replay --pattern dissemination --set pattern.ranks=8 -p m.yaml ";
  ASSERT_EQ(run(words + "--summary a.json").status, 0);
  ASSERT_EQ(run(words + "--set link.latency=5us --json b.json").status, 0);
  const Outcome both = run("report a.json b.json");
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("b.json"));
  EXPECT_THAT(both.out, HasSubstr("(+"));
  const Outcome wrong = run("report m.yaml");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("holds no result"));
}

// A result of traffic has no length of its own: what is said is what its own page says of loads, or
// how long all messages take.
TEST_F(Report, OfResultsOfTrafficSayWhatArrives) {
  ASSERT_EQ(
      run("traffic -p fat-tree-64 --load 0.2,0.9 --duration 2us --json o.json --summary s.json")
          .status,
      0);
  ASSERT_EQ(run("traffic -p fat-tree-64 --messages 3 --json c.json").status, 0);
  const json page = json::parse(file_text(folder_ / "s.json"));
  const Outcome open = run("report o.json");
  EXPECT_EQ(open.status, 0) << open.err;
  EXPECT_THAT(open.out, HasSubstr(page["verdict"][0].get<std::string>()));
  EXPECT_THAT(open.out, HasSubstr("o.json: fat-tree-64, network queue, uniform traffic, 4 us"));
  EXPECT_THAT(open.out, Not(HasSubstr("The run took")));
  // 64 nodes send three messages of 4 KiB each: 192 messages of 768 KiB in all.
  const Outcome closed = run("report c.json");
  EXPECT_EQ(closed.status, 0) << closed.err;
  EXPECT_THAT(closed.out, HasSubstr("192 messages of 768 KiB in all take 5.266 us"));
}

TEST_F(Report, OfTrafficShowWhatArrivedWhen) {
  // Three messages of each of 64 nodes, 4 KiB each.
  const Outcome outcome =
      run("traffic -p fat-tree-64 --pattern tornado --messages 3 --report p.html --summary s.json");
  if (outcome.status != 0 && outcome.err.find("built without the page") != std::string::npos) {
    GTEST_SKIP() << "built without the page";
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json summary = json::parse(file_text(folder_ / "s.json"));
  ASSERT_EQ(summary["sizes"].size(), 1U);
  EXPECT_EQ(summary["sizes"][0]["messages"], 192);
  EXPECT_EQ(summary["sizes"][0]["bytes"], 192 * 4096);
  for (const json& link : summary["links"]) EXPECT_GE(link["peak"], link["utilisation"]);
  const std::string page = file_text(folder_ / "p.html");
  const std::size_t begin = page.find('>', page.find("<script id=\"data\"")) + 1;
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  std::int64_t arrived = 0;
  for (const json& bytes : data["flow"]["bytes"]) arrived += bytes.get<std::int64_t>();
  EXPECT_EQ(arrived, 192 * 4096);
  EXPECT_EQ(data["flow"]["under_way"].back(), 0) << "at the end everything has arrived";
  EXPECT_EQ(data["matrix"]["count"], 64) << "everybody sends to one";
}

// What others are shown names no folder of whose machine it was; what repeats a run does.
TEST_F(Report, PagesShowNoFoldersOfTheMachine) {
  ASSERT_EQ(shell("cp " + compiled().folder() + "/program " + folder_.path()).status, 0);
  for (const std::string& program : {std::string("./program"), compiled().folder() + "/program"}) {
    const Outcome outcome =
        run("run -q -n 2 -p m.yaml --report r.html --summary s.json --json j.json " + program +
            " ring 1024 3");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json command = json::parse(file_text(folder_ / "s.json"))["command"];
    EXPECT_THAT(command.dump(), HasSubstr(program[0] == '.' ? "\"./program\"" : "\"program\""));
    EXPECT_THAT(file_text(folder_ / "r.html"), Not(HasSubstr(folder_.path())));
    EXPECT_THAT(file_text(folder_ / "r.html"), Not(HasSubstr(compiled().folder())));
    EXPECT_THAT(json::parse(file_text(folder_ / "j.json"))["again"].dump(),
                HasSubstr("/program\""));
  }
}

// A trace that cannot be written ends the run, and is told of once, whatever else cannot.
TEST_F(Report, WhatCannotBeWrittenIsToldOnce) {
  const Outcome outcome =
      run("run -q -n 2 -p bxi-v2 --set mpi.transport=portals --trace /dev/full --json /dev/full " +
          compiled().folder() + "/program ring 8 2000");
  EXPECT_EQ(outcome.status, 1);
  const std::string text = "--trace: cannot write '/dev/full'";
  const std::size_t first = outcome.err.find(text);
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find(text, first + 1), std::string::npos) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--json: cannot write '/dev/full'"));
}

// Random messages of a short window come to a little more or less than a load; what is said is what
// was asked for.
TEST_F(Report, OfTrafficNameTheLoadsAskedForAndHowToRepeatThem) {
  const Outcome outcome =
      run("traffic -p fat-tree-64 --load 0.3,0.9 --duration 5us --summary s.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json summary = json::parse(file_text(folder_ / "s.json"));
  ASSERT_EQ(summary["loads"].size(), 2U);
  EXPECT_EQ(summary["loads"][0]["load"], 0.3);
  EXPECT_EQ(summary["loads"][1]["load"], 0.9);
  EXPECT_EQ(summary["command"], json({"traffic"}));
}

TEST_F(Report, HeatMapsAreDrawings) {
  const Outcome outcome =
      run("traffic -p fat-tree-64 --pattern tornado --messages 3 --heat-map map.svg");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string svg = file_text(folder_ / "map.svg");
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("use of links"));
  EXPECT_THAT(svg, HasSubstr(" %"));
}

}  // namespace
}  // namespace heddle::cli
