// The help of every command, and that its examples run as they are written.
#include <gmock/gmock.h>

#include <vector>

#include "cli/hosted.hpp"
#include "core/sanitizer.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// The lines of `text` from the one that begins with `title` to the next blank one.
std::vector<std::string> lines_below(const std::string& text, const std::string& title) {
  std::vector<std::string> lines;
  std::istringstream in(text.substr(std::min(text.find(title), text.size())));
  std::string line;
  for (std::getline(in, line); std::getline(in, line) && !line.empty();) lines.push_back(line);
  return lines;
}

/// "", "run", ..., "goal", "goal gen", ...: every command, by its own help.
std::vector<std::string> commands(const std::string& command = "") {
  std::vector<std::string> all = {command};
  for (const std::string& line : lines_below(heddle(command + " --help").out, "Subcommands:")) {
    if (!line.starts_with("  ") || line[2] == ' ') continue;  // A long sentence goes on.
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    for (const std::string& sub : commands(command.empty() ? name : command + " " + name)) {
      all.push_back(sub);
    }
  }
  return all;
}

/// The examples of a command: lines of the shell, of which some go on in the next.
std::vector<std::string> examples(const std::string& command) {
  std::vector<std::string> all;
  bool goes_on = false;
  for (const std::string& line : lines_below(heddle(command + " --help").out, "Examples:")) {
    if (!line.starts_with("  ")) continue;
    if (goes_on) {
      all.back() += "\n" + line;
    } else {
      all.push_back(line);
    }
    goes_on = line.ends_with('\\');
  }
  return all;
}

// Whoever asks for help gets it, in either order of the words.
TEST(Help, IsACommandToo) {
  EXPECT_EQ(heddle("help").out, heddle("--help").out);
  EXPECT_EQ(heddle("help topo").out, heddle("topo --help").out);
  EXPECT_EQ(heddle("help goal gen").out, heddle("goal gen --help").out);
  EXPECT_EQ(heddle("help topo").status, 0);
  const Outcome wrong = heddle("help tpo");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, StartsWith("error: unknown command 'tpo' (did you mean 'topo'?)"));
  EXPECT_THAT(heddle("hlep").err,
              StartsWith("error: unknown command 'hlep' (did you mean 'help'?)"));
  EXPECT_THAT(heddle("goal gn").err, HasSubstr("unknown command 'gn' (did you mean 'gen'?)"));
  EXPECT_EQ(heddle("coll").err,
            "error: a command of `heddle coll` is missing: accepted are list, nccl\n"
            "Try `heddle coll --help`.\n");
}

class HelpExamples : public testing::Test {
 protected:
  void SetUp() override {
    write("my-machine.yaml", "topology: {kind: single-switch, nodes: 4}\n");
    write("t.txt", "0us 0 1 64KiB\n");
    write("results.txt", "size_B latency_us bandwidth_MBps style\n1 2 3 a\n2 3 4 a\n1 4 5 b\n");
    write("study.yaml",
          "command: traffic\nset: {duration: 5us, warm-up: 2us}\n"
          "grid: {load: [0.1, 0.5], size: [64, 256], platform: [fat-tree-64, dragonfly-72]}\n");
    add_schedules();
    add_traces();
    add_measurements();
    add_programs();
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  void add_schedules() {
    run("heddle goal gen dissemination --set pattern.ranks=4 -o app.goal");
    write("day.jobs", "schedule=app.goal\nranks=2 pattern=dissemination\n");
    run("heddle goal to-chakra app.goal -o custom");
    run("cp app.goal a.goal; cp app.goal b.goal; heddle goal to-binary app.goal -o app.bin");
  }
  void add_traces() {
    const std::string data = HEDDLE_TEST_DATA "/traces/ltest-";
    run("mkdir traces && cp " + data + "0.txt traces/pmpi-trace-rank-0.txt && cp " + data +
        "1.txt traces/pmpi-trace-rank-1.txt && cp traces/* .");
    run("cp " HEDDLE_TEST_DATA "/../fuzz/corpus/workload/pair.xml ring.xml");
    write("0.ti", "0 init\n0 compute 1e9\n0 finalize\n");
    write("t.list", "0.ti\n");
    for (const int ranks : {4, 8, 16, 32}) write("t" + std::to_string(ranks) + ".ti", ring(ranks));
  }
  /// Each rank sends to the next one.
  static std::string ring(int ranks) {
    std::string text;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::string me = std::to_string(rank);
      text += me + " init\n" + me + " send " + std::to_string((rank + 1) % ranks) + " 0 1000\n" +
              me + " recv " + std::to_string((rank + ranks - 1) % ranks) + " 0 1000\n" + me +
              " finalize\n";
    }
    return text;
  }
  void add_programs() {
    const std::string examples = HEDDLE_TEST_DATA "/../../examples/portals/";
    run("cp " + examples + "hello.c " + examples + "common.h . && heddlecc hello.c -o hello");
    run("for name in stencil pingpong solver; do cp hello $name; done");
    run("heddlecc --count hello.c -o counted");
    run("heddle run --trace ops.csv ./hello");
    run("for name in a b; do heddle run --summary $name.json ./hello; done");
    // Graphviz need not be there.
    run("mkdir bin && printf '#!/bin/sh\\ncat\\n' >bin/dot && chmod +x bin/dot");
  }
  void add_measurements() {
    const std::string latency =
        "# OSU MPI Latency Test v5.8\n# Size  Latency (us)\n0 1.5\n1024 2.5\n65536 20\n";
    write("latency.txt", latency);
    write("near.txt", latency);
    write("bw.txt",
          "# OSU MPI Bandwidth Test v5.8\n# Size  Bandwidth (MB/s)\n1 3\n1024 1500\n65536 8000\n");
    write("allreduce.txt",
          "# OSU MPI Allreduce Latency Test v5.8\n# Size  Avg Latency(us)\n4 9.5\n");
    write("measure.txt", "# test ping_pong pairs=1 window=64 inside=0\n0 1.5\n1024 2.5\n");
  }
  /// These take an Open MPI, whose components may have to be built first, a network, a Slurm, or an
  /// hour; they have tests of their own.
  static bool needs_more(const std::string& command, const std::string& line) {
    const auto has = [&](const char* part) { return line.find(part) != line.npos; };
    if (command == "mpirun" || command == "testbed" || command.starts_with("setup") ||
        line.starts_with("  mpirun")) {
      return true;
    }
    if (command == "serve") return true;  // Until somebody ends it.
    if (command == "sweep status" || command == "sweep collect" || command == "sweep cancel" ||
        command == "sweep work") {
      return true;
    }
    return has("slurm") || has("-n 64,512,4096");
  }
  void run(const std::string& line) {
    const Outcome outcome =
        shell("PATH=\"$PWD/bin:" + built("") + ":$PATH\"; export PATH\n" + line, folder_.path());
    // Where npm is not at hand there are no pages.
    if (outcome.err.find("built without the page") != std::string::npos) return;
    EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
    EXPECT_THAT(outcome.err, testing::Not(HasSubstr("warning:"))) << line;
  }

  TemporaryFolder folder_;
};

TEST_F(HelpExamples, RunAsTheyAreWritten) {
#ifdef HEDDLE_ASAN
  GTEST_SKIP() << "whole runs, of which the sanitizers would make minutes";
#endif
  for (const std::string& command : commands()) {
    const std::vector<std::string> lines = examples(command);
    EXPECT_FALSE(lines.empty()) << command;
    for (const std::string& line : lines) {
      if (!needs_more(command, line)) run(line);
    }
  }
}

}  // namespace
}  // namespace heddle::cli
