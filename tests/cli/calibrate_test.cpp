// `heddle calibrate`, as its users run it.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/hosted.hpp"
#include "osu_sets.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CalibrateTest : public testing::Test {
 protected:
  Outcome calibrate(const std::string& arguments) const {
    return heddle("calibrate " + arguments, folder_.path());
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// Both files of a machine.
  void write_set(const std::string& set) const {
    write("l.txt", osu_text(set, "osu_latency_us"));
    write("b.txt", osu_text(set, "osu_bw_MBps"));
  }
  json document() const { return json::parse(file_text(folder_ / "c.json")); }
  /// The errors of a test, absolute, sorted.
  static std::vector<double> errors(const json& test) {
    std::vector<double> errors;
    for (const json& point : test["points"]) {
      errors.push_back(std::abs(point["time_error"].get<double>()));
    }
    std::sort(errors.begin(), errors.end());
    return errors;
  }
  TemporaryFolder folder_;
};

// At the sizes that were measured, latencies of four real machines come out to half a percent and
// bandwidths to two, in the median.
TEST_F(CalibrateTest, ReproducesWhatWasMeasured) {
  for (const char* set : kOsuSets) {
    write_set(set);
    const Outcome outcome = calibrate("l.txt b.txt -o mine.yaml --json c.json --svg c.svg");
    ASSERT_EQ(outcome.status, 0) << set << outcome.err;
    const json all = document();
    ASSERT_EQ(all["tests"].size(), 2U);
    const auto latency = errors(all["tests"][0]);
    const auto bandwidth = errors(all["tests"][1]);
    EXPECT_LT(latency[latency.size() / 2], 0.005) << set;
    EXPECT_LT(bandwidth[bandwidth.size() / 2], 0.02) << set;
    pugi::xml_document svg;
    EXPECT_TRUE(svg.load_file((folder_ / "c.svg").c_str()));
  }
}

// The file that is written is a machine, and a program on it takes as long as the real one did.
TEST_F(CalibrateTest, WritesAMachineWithTheOriginsOfItsValues) {
  write_set("lcc2-qdr");
  ASSERT_EQ(calibrate("l.txt b.txt -o mine.yaml").status, 0);
  const std::string text = file_text(folder_ / "mine.yaml");
  EXPECT_THAT(text, HasSubstr("name: mine\n"));
  EXPECT_THAT(text, HasSubstr("#   l.txt:3: 0 B, 3.5 us\n"));
  EXPECT_THAT(text, HasSubstr("# b.txt:25: 4 MiB"));
  EXPECT_THAT(text, HasSubstr("# guessed: "));
  const CompiledProgram program(
      "#include <mpi.h>\n#include <stdio.h>\nstatic char d[1048576];\n"
      "int main(int c, char** v) {\n  int r, i;\n  double t;\n  MPI_Init(&c, &v);\n"
      "  MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
      "  for (i = 0; i < 2; ++i) {\n    t = MPI_Wtime();\n"
      "    if (r == 0) MPI_Send(d, 1048576, MPI_BYTE, 1, 0, MPI_COMM_WORLD);\n"
      "    MPI_Recv(d, 1048576, MPI_BYTE, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
      "    if (r == 1) MPI_Send(d, 1048576, MPI_BYTE, 0, 0, MPI_COMM_WORLD);\n"
      "    t = MPI_Wtime() - t;\n  }\n"
      "  if (r == 0) printf(\"%.1f\\n\", t / 2 * 1e6);\n  MPI_Finalize();\n  return 0;\n}\n");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run_once("-n 2 -p " + (folder_ / "mine.yaml"));
  EXPECT_EQ(run.status, 0) << run.err;
  // 1 MiB took 698.79 us.
  EXPECT_NEAR(std::stod(run.out), 698.8, 0.5);
}

// Left out sizes of smooth curves are met by the lines between the others.
TEST_F(CalibrateTest, TellsTheErrorBetweenSizes) {
  write_set("lcc2-qdr");
  ASSERT_EQ(calibrate("l.txt b.txt --leave-out half --json c.json").status, 0);
  const json between = document()["between_sizes"];
  ASSERT_EQ(between.size(), 2U);
  for (const json& one : between) {
    EXPECT_GE(one["errors"].size(), 10U);
    EXPECT_LT(one["median_error"], 0.02);
    EXPECT_LT(one["error_of_90_percent"], 0.1);
  }
}

// On a machine that is given, links stay as they are, and MPI takes up the rest.
TEST_F(CalibrateTest, LeavesAGivenMachineItsLinks) {
  write_set("sjtu-3");
  const Outcome outcome = calibrate("l.txt b.txt --machine fat-tree-64 -o mine.yaml --json c.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string text = file_text(folder_ / "mine.yaml");
  EXPECT_THAT(text, HasSubstr("kind: fat-tree"));
  EXPECT_THAT(text, HasSubstr("  # what is left of the latency, from\n"));
  const json all = document();
  for (const json& one : all["parameters"]) {
    EXPECT_THAT(one["name"].get<std::string>(), testing::StartsWith("mpi."));
  }
  EXPECT_EQ(heddle("topo " + (folder_ / "mine.yaml")).status, 0);
  const auto latency = errors(all["tests"][0]);
  EXPECT_LT(latency[latency.size() / 2], 0.005);
}

// A collective has as many ranks as the user says, and is compared with, not fitted.
TEST_F(CalibrateTest, ComparesCollectives) {
  write_set("gcp-gke");
  write("a.txt", "# OSU MPI Allreduce Latency Test v5.8\n# Size  Avg Latency(us)\n4 100\n");
  EXPECT_THAT(calibrate("l.txt b.txt a.txt").err,
              HasSubstr("a.txt:1: '# OSU MPI Allreduce Latency Test v5.8' does not say how many "
                        "ranks took part: accepted is --procs N"));
  const Outcome outcome =
      calibrate("l.txt b.txt a.txt --procs 16 --ranks-per-node 4 --json c.json -o mine.yaml");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(file_text(folder_ / "mine.yaml"), HasSubstr("nodes: 4\n"));
  EXPECT_GT(document()["tests"][2]["points"][0]["simulated"], 31.0);
  // A third of 32.29 us between nodes, which is the kernel's work.
  EXPECT_THAT(outcome.out, HasSubstr("mpi.node_latency=10763.333ns"));
  // A quarter of 3.5 us over an adapter that programs reach by themselves.
  write_set("lcc2-qdr");
  EXPECT_THAT(calibrate("l.txt b.txt a.txt --procs 16 --ranks-per-node 4").out,
              HasSubstr("mpi.node_latency=875.000ns"));
}

/// A table of Intel's benchmarks: a collective of so many ranks.
std::string imb_text(const std::string& operation, int ranks, const std::vector<double>& times) {
  static constexpr int kSizes[] = {8, 1024, 65536, 1048576};
  std::string text = "# Benchmarking " + operation + "\n# #processes = " + std::to_string(ranks) +
                     "\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    text += fmt::format("{} 100 {} {} {}\n", kSizes[i], times[i], times[i], times[i]);
  }
  return text;
}

// A machine whose nodes pass a message every 700 ns, with slow memory and slow sums, is told of by
// collectives of 2 nodes: those of 8 come out within 15 %, and without them they do not.
TEST_F(CalibrateTest, LearnsFromCollectivesOfAFewNodes) {
  write("known.yaml",
        "name: known\ntopology: {kind: single-switch, nodes: 8}\n"
        "link: {bandwidth: 1500MBps, latency: 800ns}\nswitch: {latency: 0ns}\nnic: {gap: 700ns}\n"
        "network: {model: queue}\n"
        "mpi: {eager_limit: 8KiB, detached_limit: 8KiB, send_overhead: 500ns, isend_overhead: "
        "500ns, receive_overhead: 500ns, node_latency: 1us, node_bandwidth: 8GBps, "
        "node_memory_bandwidth: 15GBps, reduction_cost: \"0ns:1ns/B\", "
        "copy_cost: \"0ns:0.1ns/B\"}\n");
  // What that machine takes for each test.
  const auto measure = [&](const std::string& text, std::size_t count) {
    write("all.txt", text);
    const Outcome outcome =
        calibrate("all.txt --machine known.yaml --ranks-per-node 16 --json c.json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::vector<double>> values;
    const json tests = document()["tests"];
    for (std::size_t i = 0; i < count; ++i) {
      values.emplace_back();
      for (const json& point : tests[i]["points"]) values.back().push_back(point["simulated"]);
    }
    return values;
  };
  const std::vector<double> ones(4, 1);
  const auto values =
      measure(imb_text("Allreduce", 32, ones) + "\n" + imb_text("Allgather", 32, ones) + "\n" +
                  imb_text("Allreduce", 128, ones) + "\n" + imb_text("Allgather", 128, ones),
              4);
  write("few.txt",
        imb_text("Allreduce", 32, values[0]) + "\n" + imb_text("Allgather", 32, values[1]));
  write("many.txt",
        imb_text("Allreduce", 128, values[2]) + "\n" + imb_text("Allgather", 128, values[3]));
  // Two ranks on two nodes tell nothing of what those of a node share.
  ASSERT_EQ(calibrate("--program measure.c").status, 0);
  const CompiledProgram program(file_text(folder_ / "measure.c"));
  const Outcome run = program.run_once("-n 2 -p " + (folder_ / "known.yaml"));
  ASSERT_EQ(run.status, 0) << run.err;
  write("two.txt", run.out);
  const auto worst_of_many = [&](const std::string& more) {
    const Outcome outcome =
        calibrate("two.txt many.txt " + more + " --ranks-per-node 16 --json c.json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    double worst = 0;
    const json all = document();
    for (const json& test : all["tests"]) {
      if (test["file"] == "many.txt") worst = std::max(worst, errors(test).back());
    }
    return worst;
  };
  EXPECT_GT(worst_of_many(""), 0.3);
  EXPECT_LT(worst_of_many("--collectives few.txt"), 0.15);
}

TEST_F(CalibrateTest, SaysWhatIsWrong) {
  write("x.txt", "hello\n");
  write("b.txt", osu_text("aws-efa", "osu_bw_MBps"));
  EXPECT_EQ(calibrate("x.txt").status, 2);
  EXPECT_THAT(calibrate("x.txt").err, HasSubstr("x.txt:1: no table of a benchmark was found"));
  EXPECT_THAT(calibrate("b.txt").err, HasSubstr("no latency between two nodes was found"));
  EXPECT_THAT(calibrate("").err, HasSubstr("no file given"));
  EXPECT_THAT(calibrate("b.txt --eager-limit much").err, HasSubstr("'much' is not a size"));
  EXPECT_THAT(calibrate("none.txt").err, HasSubstr("none.txt"));
}

// A message that is slower in a row than alone does not go together with its latency.
TEST_F(CalibrateTest, TellsContradictions) {
  write("l.txt", "# OSU MPI Latency Test v5.8\n# Size  Latency (us)\n1 1.0\n1024 1.5\n65536 9.0\n");
  write("b.txt",
        "# OSU MPI Bandwidth Test v5.8\n# Size  Bandwidth (MB/s)\n1 4.0\n1024 2000\n65536 4000\n");
  const Outcome outcome = calibrate("l.txt b.txt");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("l.txt:5 and b.txt:5: a message of 64 KiB takes 9 us alone, "
                                     "but 16.4"));
}

// What the program measures on a machine whose parameters are known gives these back.
TEST_F(CalibrateTest, FindsParametersWithItsOwnProgram) {
  ASSERT_EQ(calibrate("--program measure.c").status, 0);
  const CompiledProgram program(file_text(folder_ / "measure.c"));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  EXPECT_EQ(program.compilation().err, "");
  write("known.yaml",
        "name: known\ntopology: {kind: single-switch, nodes: 2}\n"
        "link: {bandwidth: 10GBps, latency: 300ns}\nswitch: {latency: 0ns}\n"
        "nic: {gap: 100ns}\nnode: {cores: 4}\n"
        "mpi: {eager_limit: 12345, detached_limit: 12345, send_overhead: 150ns, "
        "isend_overhead: 120ns, receive_overhead: 80ns, delay: \"0:200ns;1000:100ns:0.1ns/B\", "
        "gap: 250ns, node_latency: 90ns, node_bandwidth: 8GBps, node_gap: \"0ns:0.125ns/B\", "
        "node_memory_bandwidth: 12GBps}\n");
  const Outcome run = program.run_once("-n 8 --ranks-per-node 4 -p " + (folder_ / "known.yaml"));
  ASSERT_EQ(run.status, 0) << run.err;
  write("measure.txt", run.out);
  const Outcome outcome = calibrate("measure.txt --json c.json -o found.yaml");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, std::string> found;
  const json all = document();
  for (const json& one : all["parameters"]) found[one["name"]] = one["value"];
  EXPECT_EQ(found["mpi.eager_limit"], "12345");
  const auto ns = [&](const std::string& name) {
    return std::stod(found[name].substr(found[name].find(':') + 1));
  };
  EXPECT_NEAR(ns("mpi.send_overhead"), 150, 2) << found["mpi.send_overhead"];
  EXPECT_NEAR(ns("mpi.isend_overhead"), 120, 2) << found["mpi.isend_overhead"];
  EXPECT_NEAR(ns("mpi.receive_overhead"), 80, 2) << found["mpi.receive_overhead"];
  // Pairs that have gone on for long fill each other's gaps a little better than at their
  // beginning.
  EXPECT_NEAR(std::stod(found["nic.gap"]), 100, 5) << found["nic.gap"];
  EXPECT_NEAR(std::stod(found["link.bandwidth"]) / 80e9, 1, 0.03) << found["link.bandwidth"];
  // Two pairs of a node share its memory.
  EXPECT_NEAR(std::stod(found["mpi.node_memory_bandwidth"]) / 96e9, 1, 0.03);
  for (const json& test : all["tests"]) {
    if (test["program"] != "ping_pong" && test["program"] != "stream") continue;
    if (test["program"] == "stream" && test["inside_node"]) continue;
    const auto off = errors(test);
    EXPECT_LT(off[off.size() / 2], 0.005) << test["program"];
  }
}

// What the program that comes with Heddle printed under Open MPI 4.1, two ranks on each of two
// hosts with cables of 25 Mb/s: it found Open MPI's limit of 64 KiB, less a header, by itself, left
// out windows of messages that would have taken longer than a second, and what it says of calls and
// of streams is reproduced.
TEST_F(CalibrateTest, ReadsWhatItsProgramMeasuredWithOpenMpi) {
  const Outcome outcome =
      calibrate(HEDDLE_TEST_DATA "/measure_openmpi.txt -o mine.yaml --json c.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(file_text(folder_ / "mine.yaml"), HasSubstr("eager_limit: 65481"));
  std::map<std::string, double> median;
  const json found = document();
  for (const json& test : found["tests"]) {
    if (test["program"] == "reduce_local") continue;  // No loop is like it.
    const auto all = errors(test);
    median.emplace(test["program"], all[all.size() / 2]);
  }
  EXPECT_LT(median.at("stream"), 0.02);
  EXPECT_LT(median.at("send_call"), 0.02);
  EXPECT_LT(median.at("receive_call"), 0.02);
  // The shapers let the first packets of a message pass without delay, so that it is there sooner
  // than its bytes take; a machine cannot be told that.
  EXPECT_LT(median.at("ping_pong"), 0.15);
}

}  // namespace
}  // namespace heddle::cli
