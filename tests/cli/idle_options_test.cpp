// Options that do nothing, or contradict each other, are said to.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"
#include "core/sanitizer.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class IdleOptions : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    program_ = new CompiledProgram(
        "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char** v) {\n  MPI_Init(&c, &v);\n"
        "  MPI_Barrier(MPI_COMM_WORLD);\n  puts(\"said\");\n  MPI_Finalize();\n  return 0;\n}\n");
  }
  static void TearDownTestSuite() {
    delete program_;
    program_ = nullptr;
  }
  void SetUp() override {
    ASSERT_EQ(program_->compilation().status, 0) << program_->compilation().err;
  }
  static Outcome run(const std::string& options) {
    return heddle("run -q -n 2 " + options + " ./program", program_->folder());
  }
  /// It runs, and the user is told.
  static void expect_warning(const std::string& options, const std::string& text) {
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, 0) << options << "\n" << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("warning: "), HasSubstr(text))) << options;
  }
  static void expect_refused(const std::string& options, const std::string& text) {
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(text)) << options;
    EXPECT_EQ(outcome.out, "") << options;
  }

  static CompiledProgram* program_;
};

CompiledProgram* IdleOptions::program_ = nullptr;

TEST_F(IdleOptions, OfTraces) {
  expect_warning("--trace-only ranks=0", "--trace-only has no effect here");
  expect_warning("--trace-limit 1MiB", "--trace-limit has no effect here");
  expect_warning("--trace-only ranks=99 --perfetto p.json", "there is no rank 99: the last is 1");
  expect_warning("--trace-only time=5s:6s --paje p.paje", "nothing happens from 5 s on");
  expect_refused("--trace-only time=2ms:1ms --perfetto p.json", "ends before it begins");
}

TEST_F(IdleOptions, OfFidelity) {
  expect_refused("--fidelity 'nodes[9999]:portals/packet, *:hybrid/queue'",
                 "there is no node 9999");
  expect_refused("--fidelity '2ms:portals/packet, 1ms:hybrid/queue'",
                 "the times are not in their order");
  expect_refused("--fidelity hybrid/queue --network packet", "--network: contradicts --fidelity");
  expect_refused("--fidelity hybrid/queue --set mpi.transport=portals",
                 "--set mpi.transport=portals: contradicts --fidelity");
  const Outcome suits = run("--fidelity hybrid/queue --network queue");
  EXPECT_EQ(suits.status, 0) << suits.err;
  EXPECT_EQ(suits.err, "");
}

TEST_F(IdleOptions, OfJobs) {
  expect_warning("--parallel 4", "--parallel has no effect here: no rank is a process of its own");
  expect_warning("--worlds apart", "--worlds apart has no effect here: there is one program");
  expect_warning("--private-library libnope", "no program is linked with it");
  expect_warning("--set mpi.node_bandwidth=1Gbps", "mpi.node_latency is auto");
  expect_refused("--set link.latency=1us --set link.latency=2us",
                 "--set link.latency=1us says otherwise");
  expect_refused("--set mpi.send_overhead=5", "mpi.send_overhead");
  expect_refused("--fingerprint=3", "fingerprint");
}

TEST(IdleOptionsOfMpirun, AreRefused) {
  for (const auto& [options, text] :
       {std::pair{"--mca x", "'x' is not accepted: accepted is NAME=VALUE"},
        {"--mca =1", "accepted is NAME=VALUE"},
        {"--osc x", "accepted are portals4, pt2pt"},
        {"--shared-memory", "accepted with --over btl"}}) {
    const Outcome outcome = heddle(std::string("mpirun ") + options + " /bin/true");
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(text)) << options;
  }
}

TEST(IdleOptionsOfTune, AreRefused) {
  EXPECT_THAT(heddle("tune nope").err, HasSubstr("Open MPI has no rules for 'nope'"));
  EXPECT_THAT(heddle("tune allreduce").err, HasSubstr("accepted is --ranks N"));
  const Outcome outcome = heddle("tune barrier -n 4 --sizes 8");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("a barrier has no size"));
}

// Results on the standard output stand there alone; the program's words are on the standard error.
TEST_F(IdleOptions, ResultsAndOutputDoNotMix) {
  for (const char* option : {"--json", "--summary", "--perfetto"}) {
    const Outcome outcome = run(std::string(option) + " -");
    EXPECT_EQ(outcome.status, 0) << option << outcome.err;
    EXPECT_EQ(outcome.out.front(), '{') << option;
    EXPECT_THAT(outcome.out, Not(HasSubstr("\nsaid\n"))) << option;
    EXPECT_THAT(outcome.err, HasSubstr("said\nsaid\n")) << option;
  }
  EXPECT_THAT(run("--trace - --set mpi.transport=portals").out,
              AllOf(testing::StartsWith("operation,"), Not(HasSubstr("said"))));
  expect_refused("--json - --summary -", "- for one of them only");
}

// A batch system's limit: two ranks want no more than they need.
TEST_F(IdleOptions, LimitsOfTheAddressSpaceSuffice) {
#ifdef HEDDLE_ASAN
  GTEST_SKIP() << "sanitizers want all of it";
#endif
  const std::string heddle_run = std::string(HEDDLE_PROGRAM) + " run -q -n 2 ./program";
  const Outcome outcome = shell("ulimit -v 2000000; " + heddle_run, program_->folder());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "said\nsaid\n");
  const Outcome many =
      shell("ulimit -v 2000000; " + std::string(HEDDLE_PROGRAM) + " run -q -n 1000 ./program",
            program_->folder());
  EXPECT_EQ(many.status, 1);
  EXPECT_THAT(many.err, AllOf(HasSubstr("raise the limit on virtual memory (ulimit -v)"),
                              HasSubstr("--stack")));
}

// TMPDIR is the user's, and may be wrong.
TEST_F(IdleOptions, AFolderThatIsNoneIsNamed) {
  const Outcome outcome = shell(
      "TMPDIR=/nope " + std::string(HEDDLE_PROGRAM) + " run -n 2 ./program", program_->folder());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("TMPDIR: '/nope' is not a folder"));
}

}  // namespace
}  // namespace heddle::cli
