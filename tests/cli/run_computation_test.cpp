// What programs compute for free is told of, in every place that says where the time went.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"
#include "cli/json_schema.hpp"
#include "cli/plain_program.hpp"
#include "run/left_out.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// work MILLISECONDS: each rank computes for so much of this computer's processor time, then meets
/// the others; the kernel's clock is asked by a system call, for the C library's is simulated.
/// clock MILLISECONDS: rank 0 repeats something until the clock has moved on by so much.
/// messages COUNT: little else.
constexpr const char* kComputing = R"(
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static double used(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
static volatile double sink = 1;
static void compute(double seconds) {
  for (double end = used() + seconds; used() < end;)
    for (int i = 0; i < 20000; ++i) sink = sink * 1.0000001;
}
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, n = atoi(v[2]), i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(v[1], "work")) compute(n * 1e-3);
  if (!strcmp(v[1], "declared")) { compute(n * 1e-3); heddle_compute(n * 1e-2); }
  if (!strcmp(v[1], "clock") && rank == 0)
    for (double end = MPI_Wtime() + n * 1e-3; MPI_Wtime() < end;) compute(1e-3);
  for (i = 0; i < n && !strcmp(v[1], "messages"); ++i) {
    char byte = 0;
    MPI_Sendrecv_replace(&byte, 1, MPI_CHAR, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
})";

const CompiledProgram& computing() {
  static const CompiledProgram program(kComputing, "c", "-O1");
  return program;
}

class FreeComputation : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(computing().compilation().status, 0) << computing().compilation().err;
  }
  Outcome run(const std::string& options, const std::string& arguments) const {
    return heddle("run " + options + " " + computing().folder() + "/program " + arguments,
                  folder_.path());
  }
  json read(const std::string& name) const {
    return json::parse(file_text(folder_ / name), nullptr, false);
  }
  TemporaryFolder folder_;
};

// The rule: computation is free, ranks took ten times more here than they were charged for and more
// than a fifth of what the run took, and one of them more than a tenth of the simulated time: the
// busiest, if it was seen for 50 ms, or the mean of ranks that were seen for 50 ms together, if
// that is 1 ms.
TEST(LeftOut, IsWhatWouldHaveMattered) {
  run::Computation c;
  c.ranks = 4;
  c.here = {Time::ms(200), Time::ms(60)};
  c.simulated = Time::ms(599);
  EXPECT_TRUE(is_left_out(c)) << "60 ms are more than 59.9";
  c.simulated = Time::ms(600);
  EXPECT_FALSE(is_left_out(c)) << "and not more than 60";
  c.simulated = Time::us(3);
  c.charged = Time::ms(20);
  EXPECT_FALSE(is_left_out(c)) << "a tenth was declared: for another processor";
  c.charged = Time::ms(19);
  EXPECT_TRUE(is_left_out(c));
  c.spent = Time::s(1);
  EXPECT_FALSE(is_left_out(c)) << "not more than a fifth: it is messages that take the time";
  c.spent = Time::ms(999);
  EXPECT_TRUE(is_left_out(c));
  c.model = host::ComputeModel::measure;
  EXPECT_FALSE(is_left_out(c)) << "it costs what it takes";
}

TEST(LeftOut, IsSeenForLongEnough) {
  run::Computation c;
  c.simulated = Time::us(3);
  c.ranks = 2;
  c.here = {Time::ms(49), Time::ms(49)};
  EXPECT_FALSE(is_left_out(c)) << "nine looks";
  c.here = {Time::ms(50), Time::ms(25)};
  EXPECT_TRUE(is_left_out(c)) << "25 ms each, in ten looks";
  c.ranks = 1000;
  c.here = {Time::ms(900), Time::ms(10)};
  EXPECT_FALSE(is_left_out(c)) << "0.9 ms each, which may be how the program begins";
  c.here = {Time::ms(900), Time::ms(50)};
  EXPECT_TRUE(is_left_out(c)) << "one rank alone takes 50 ms";
}

// Two ranks compute for 150 ms of processor time each, and a barrier between them takes some
// microseconds: that is all that is simulated, and the table, the results, the summary and the
// verdict say that 0.3 s were left out, and what to set. Nothing of it is in the fingerprint.
TEST_F(FreeComputation, LeftOutIsSaidEverywhere) {
  const Outcome outcome = run("-n 2 --json r.json --summary s.json --report p.html", "work 150");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("\nleft out        computation of about "),
                    HasSubstr(" of processor time here"), HasSubstr("--compute measure:1"),
                    HasSubstr("--compute fixed:TIME"), HasSubstr("heddle_compute()")));
  const json result = read("r.json");
  EXPECT_LT(result["time_ps"].get<double>(), 1e9);
  EXPECT_EQ(result["simulator"]["computation_left_out"], true);
  // Sampled: all that is sure is that most of it was seen, and no more than the run took.
  const double seen = result["simulator"]["ranks_processor_s"].get<double>();
  EXPECT_GT(seen, 0.2);
  EXPECT_LE(seen, result["simulator"]["processor_s"].get<double>() + 0.02);
  const json summary = read("s.json");
  EXPECT_EQ(summary["computation_left_out"], true);
  EXPECT_EQ(summary["ranks_processor_s"], result["simulator"]["ranks_processor_s"]);
  EXPECT_THAT(summary["verdict"].front().get<std::string>(),
              AllOf(HasSubstr("Computation is left out: ranks took about "),
                    HasSubstr("--compute measure:1")));
  EXPECT_GT(summary["verdict"].size(), 1U) << "what limits the rest is said as well";
  EXPECT_THAT(file_text(folder_ / "p.html"), HasSubstr("Computation is left out: ranks took"));
  EXPECT_EQ(run("-n 2 --json again.json", "work 20").status, 0);
  EXPECT_EQ(read("again.json")["fingerprint"], result["fingerprint"]);
}

// Whoever has it measured, or fixed, has decided; and a program that declares 1.5 s for what takes
// 0.15 s here has left nothing out.
TEST_F(FreeComputation, NothingIsSaidWhereItCosts) {
  for (const char* options : {"-n 1 --compute measure:1", "-n 1 --compute fixed:1us"}) {
    EXPECT_THAT(run(options, "work 150").err, Not(HasSubstr("left out"))) << options;
  }
  const Outcome declared = run("-n 1 --json r.json --summary s.json", "declared 150");
  EXPECT_THAT(declared.err, Not(HasSubstr("left out")));
  EXPECT_EQ(read("r.json")["simulator"]["computation_left_out"], false);
  EXPECT_EQ(read("s.json")["computation_left_out"], false);
  EXPECT_THAT(read("s.json")["verdict"].front().get<std::string>(), Not(HasSubstr("left out")));
}

// A hundred thousand messages take the simulator some tenths of a second, and the program next to
// nothing.
TEST_F(FreeComputation, MessagesAreNoComputation) {
  const Outcome outcome = run("-n 2 --json r.json", "messages 100000");
  EXPECT_THAT(outcome.err, Not(HasSubstr("left out")));
  const json result = read("r.json");
  EXPECT_GT(result["simulator"]["processor_s"], 0.03) << "long enough to be looked at";
  EXPECT_EQ(result["simulator"]["computation_left_out"], false);
}

// A loop that computes for 1 ms and looks at the clock moves it by some nanoseconds: to see 100 us
// pass takes it thousands of rounds. After 50 ms, instead of the usual 5 s, that is said, once,
// with the rank, the simulated time and what to set. The run itself is not ended by that, but by
// the limit on what a rank may take without a call, for which looks at the clock are none.
TEST_F(FreeComputation, ProgramsThatWaitForTheirClockAreToldOf) {
  const Outcome outcome =
      run("-q -n 2 --set host.spin_patience=200ms --max-host-time-per-step 300ms", "clock 100");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(
      outcome.err,
      AllOf(HasSubstr("heddle: rank 0 has computed for "), HasSubstr("of processor time, at "),
            HasSubstr("without a call other than looks at the clock, and simulated time "
                      "stands at "),
            HasSubstr("host.compute=measure"), HasSubstr("a limit on the processor time")));
  EXPECT_EQ(outcome.err.find("stands at"), outcome.err.rfind("stands at")) << "once";
  EXPECT_THAT(outcome.err,
              HasSubstr("has computed for more than 300 ms of processor time without a "
                        "call"));
}

// Where computation takes the time that it takes here, the clock moves on and the same program
// ends: 20 ms of its clock are 20 ms of computation. Nothing is said.
TEST_F(FreeComputation, MeasuredProgramsSeeTheirClockMove) {
  const Outcome outcome =
      run("-q -n 2 --compute measure:1 --set host.spin_patience=200ms", "clock 20");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

// The same of ranks that are processes, which the simulator looks at from outside.
TEST_F(FreeComputation, ProcessesAreToldOfAlike) {
  const PlainProgram program(R"(
#include <portals4.h>
#include <time.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static double used(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
int main(void) {
  volatile double sink = 1;
  PtlInit();
  for (double end = used() + 0.4; used() < end;)
    for (int i = 0; i < 20000; ++i) sink = sink * 1.0000001;
  PtlFini();
  return 0;
})");
  const Outcome outcome = program.run("-n 1 --processes --set host.spin_patience=800ms");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("heddle: rank 0 has computed for "),
                                 HasSubstr("host.compute=measure")));
}

}  // namespace
}  // namespace heddle::cli
