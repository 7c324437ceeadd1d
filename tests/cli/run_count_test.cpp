// Computation that programs count: what it costs is the same in every run.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "cli/hosted.hpp"
#include "cli/json_schema.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// Each rank adds up ROUNDS numbers, with a call in between, calls a function that sorts, and says
/// how long that took.
constexpr const char* kWork = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static volatile double numbers[64];
static int order(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
int main(int c, char** v) {
  int rank, i, rounds = atoi(v[1]), keys[200];
  double begin, sum = 0;
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  begin = MPI_Wtime();
  for (i = 0; i < rounds; ++i) sum += numbers[i % 64] * i;
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; i < 200; ++i) keys[i] = (i * 7919) % 211;
  qsort(keys, 200, sizeof keys[0], order);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.9f %d %g\n", MPI_Wtime() - begin, keys[100], sum);
  MPI_Finalize();
  return 0;
})";

const CompiledProgram& counting() {
  static const CompiledProgram program(kWork, "c", "-O2 --count");
  return program;
}
const CompiledProgram& silent() {
  static const CompiledProgram program(kWork, "c", "-O2");
  return program;
}

/// What compilers translate in ways of their own: jumps by tables and to labels, calls at the end
/// of functions, by pointers and from libraries, variable and large frames, variables of threads,
/// jumps out of functions, system calls in assembly.
constexpr const char* kOddities = R"(
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#define ALONE __attribute__((noinline))
static __thread int own = 3;
__thread double shown = 1.5;
static jmp_buf place;
ALONE int total(int n, ...) {
  va_list list;
  int sum = 0, i;
  va_start(list, n);
  for (i = 0; i < n; i++) sum += va_arg(list, int);
  sum += (int)va_arg(list, double);
  va_end(list);
  return sum;
}
ALONE int interpreted(const char* p) {
  static void* const steps[] = {&&add, &&subtract, &&twice, &&end};
  int value = 1;
  goto *steps[*p++ - '0'];
add: value += 3; goto *steps[*p++ - '0'];
subtract: value -= 1; goto *steps[*p++ - '0'];
twice: value *= 2; goto *steps[*p++ - '0'];
end: return value;
}
ALONE int leap(int n) { if (n > 5) longjmp(place, n); return leap(n + 1) + 1; }
ALONE int varying(int n) {
  char x[n];
  int sum = 0, i;
  memset(x, n, (size_t)n);
  for (i = 0; i < n; i++) sum += x[i];
  return sum;
}
ALONE int large(int n) { volatile char b[200000]; b[n] = 7; b[199999] = 1; return b[n] + b[199999]; }
ALONE static int even(int n);
ALONE static int odd(int n) { return n == 0 ? 42 : even(n - 1); }
static int even(int n) { return n == 0 ? 43 : odd(n - 1); }
ALONE static int (*chosen(int i))(int) { return i & 1 ? odd : even; }
ALONE int passed_on(int i) { return chosen(i)(i); }
ALONE int by_table(int n, int m) {
  switch (n) {
    case 0: return m + 1;
    case 1: return m * 3;
    case 2: return m - 9;
    case 3: return m ^ 0x55;
    case 4: return m / 7;
    case 5: return m % 11;
    case 6: return passed_on(m % 5);
    case 7: return m << 2;
    default: return 0;
  }
}
static int order(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static long number(void) {
  long result;
#if defined(__x86_64__)
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getpid) : "rcx", "r11", "memory");
#else
  register long call __asm__("x8") = SYS_getpid;
  register long answer __asm__("x0");
  __asm__ volatile("svc 0" : "=r"(answer) : "r"(call) : "memory");
  result = answer;
#endif
  return result;
}
int main(void) {
  int keys[100], i, sum = 0;
  volatile int leapt = 0;
  double d = 0;
  for (i = 0; i < 100; i++) keys[i] = (i * 37) % 101;
  qsort(keys, 100, sizeof keys[0], order);
  if (setjmp(place) == 0) leap(0); else leapt = 1;
  for (i = 0; i < 2000; i++) sum += by_table(i % 9, i) + passed_on(i % 50);
  for (i = 1; i < 2000; i++) d += sqrt(i) + sin(i) / i;
  own += sum & 7;
  shown *= 2;
  printf("%d %d %d %d %d %d %d %.6f %d %.2f %d\n", total(3, 1, 2, 3, 4.5), interpreted("0212013"), leapt,
         varying(77), large(1234), sum, keys[50], d, own, shown, number() == getpid());
  return 0;
})";

class Counting : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(counting().compilation().status, 0) << counting().compilation().err;
    ASSERT_EQ(silent().compilation().status, 0) << silent().compilation().err;
  }
  static Outcome run(const CompiledProgram& program, const std::string& options,
                     const std::string& arguments) {
    return heddle("run -q --fingerprint " + options + " ./program " + arguments, program.folder());
  }
  static double seconds(const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return std::atof(outcome.out.c_str());
  }
};

// A program that counts is charged for what it does, unless the user says something else. A round
// is some instructions, all of the same weight but a multiplication and an addition of numbers:
// ten times the rounds take ten times as long, and half the rate twice.
TEST_F(Counting, IsWhatSuchAProgramCosts) {
  const double one = seconds(run(counting(), "--compute count:1G", "1000000"));
  const double ten = seconds(run(counting(), "--compute count:1G", "10000000"));
  EXPECT_GT(one, 0.003) << "a round is more than three instructions";
  EXPECT_LT(one, 0.02) << "and less than twenty";
  EXPECT_NEAR(ten / one, 10, 0.1);
  EXPECT_NEAR(seconds(run(counting(), "--compute count:500M", "1000000")) / one, 2, 0.01);
  EXPECT_EQ(run(counting(), "", "1000000").out,
            run(counting(), "--compute count:4G", "1000000").out);
  EXPECT_LT(seconds(run(counting(), "--compute none", "1000000")), one / 10);
  EXPECT_LT(seconds(run(silent(), "", "1000000")), one / 10);
}

// Ten runs of four ranks while other threads keep all processors busy have one fingerprint and one
// output; so have copies and exchanged globals.
TEST_F(Counting, IsTheSameUnderLoad) {
  std::atomic<bool> over = false;
  std::vector<std::thread> load;
  for (int i = 0; i < 4; ++i) {
    load.emplace_back([&] {
      while (!over) std::this_thread::yield();
    });
  }
  std::set<std::string> seen;
  for (int i = 0; i < 10; ++i) {
    const char* how = i % 2 == 0 ? "-n 4 --privatize copies" : "-n 4 --privatize swap";
    const Outcome outcome = run(counting(), how, "300000");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    seen.insert(outcome.out + outcome.err);
  }
  over = true;
  for (std::thread& thread : load) thread.join();
  EXPECT_EQ(seen.size(), 1U) << testing::PrintToString(seen);
}

// Without counts there is nothing to charge, which is said with what to do.
TEST_F(Counting, NeedsAProgramThatCounts) {
  const Outcome outcome = run(silent(), "--compute count", "10");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'./program' does not count what it does"));
  EXPECT_THAT(outcome.err, HasSubstr("heddlecc --count"));
  EXPECT_EQ(run(counting(), "--compute count --processes", "10").status, 2);
}

// Slower nodes take longer, in proportion to their speed.
TEST_F(Counting, SlowerNodesTakeLonger) {
  const TemporaryFolder folder;
  std::ofstream(folder / "two.xml") << R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="10Gf"/><host id="b" speed="5Gf"/>
<link id="l" bandwidth="10GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>)";
  const std::string options = "-n 1 --compute count:1G -p " + (folder / "two.xml") + " --nodes ";
  const double fast = seconds(run(counting(), options + "0", "1000000"));
  const double slow = seconds(run(counting(), options + "1", "1000000"));
  EXPECT_NEAR(slow / fast, 2, 0.01);
}

// Started by itself it runs as usual; and libraries and C++ with exceptions count as well.
TEST_F(Counting, ProgramsRunByThemselves) {
  const Project project({{"main.cpp", R"(
#include <mpi.h>
#include <cstdio>
#include <stdexcept>
double work(int n);
static int thrown(int i) { if (i % 3 == 0) throw std::runtime_error("no"); return i; }
int main(int c, char** v) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) try { sum += thrown(i); } catch (const std::exception&) { --sum; }
  if (c > 1) { std::printf("%d\n", sum); return 0; }
  MPI_Init(&c, &v);
  double begin = MPI_Wtime();
  double result = work(1000000);
  std::printf("%d %d %g\n", sum, MPI_Wtime() - begin > 0.001, result);
  MPI_Finalize();
})"},
                         {"work.cpp",
                          "double work(int n) { volatile double s = 0; for (int i = 0; i < n; ++i) "
                          "s = s + i; return s; }\n"}},
                        "HEDDLE_COUNT=1");
  const Outcome made = project(
      "heddlecxx -O2 -shared work.cpp -o libwork.so && heddlecxx -O2 main.cpp -L. -lwork "
      "-Wl,-rpath,$PWD -o program && ./program alone");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out, "3233\n");
  const Outcome outcome = project.run("-n 1 --compute count:1G ./program");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "3233 1 5e+11\n");
}

// Counting changes no result, whatever the compiler makes of a program.
TEST_F(Counting, ChangesNoResult) {
  const Project project({{"odd.c", kOddities}});
  const Outcome expected = project("heddlecc -w -O1 odd.c -o plain -lm && ./plain");
  ASSERT_EQ(expected.status, 0) << expected.err;
  for (const char* level : {"-O0", "-O2", "-O3 -g -funroll-loops", "-Os -pipe"}) {
    const Outcome outcome =
        project(std::string("heddlecc --count -w ") + level + " odd.c -o counted -lm && ./counted");
    EXPECT_EQ(outcome.status, 0) << level << outcome.err;
    EXPECT_EQ(outcome.out, expected.out) << level;
  }
}

// The calibration of computation runs the program, with counts and without, and says what a machine
// should be told; with a time that another machine took, the rate is that machine's.
TEST_F(Counting, IsCalibrated) {
  const std::string commands = "calibrate --compute '" + counting().folder() +
                               "/program 3000000' --plain " + silent().folder() +
                               "/program --repeat 2";
  const TemporaryFolder folder;
  const Outcome outcome = heddle(commands + " --machine bxi-v2 -o m.yaml", folder.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("host.count_rate="));
  EXPECT_THAT(outcome.out, HasSubstr("varied here"));
  EXPECT_THAT(file_text(folder / "m.yaml"), HasSubstr("count_rate: "));
  const Outcome run =
      heddle("run -q -p m.yaml -n 1 " + counting().folder() + "/program 1000000", folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  // A time of 1 s for what was counted: the rate is the count.
  const Outcome given = heddle(commands + " --native 1s", folder.path());
  ASSERT_EQ(given.status, 0) << given.err;
  const double at_1G = seconds(this->run(counting(), "-n 1 --compute count:1G", "3000000"));
  const std::size_t at = given.out.find("host.count_rate=");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NEAR(std::atof(given.out.c_str() + at + 16), at_1G, at_1G * 0.05);
  // As JSON: the rate is the count over the native time, which is 1 s.
  const Outcome json = heddle(commands + " --native 1s --machine bxi-v2 --json -", folder.path());
  ASSERT_EQ(json.status, 0) << json.err;
  const auto document = nlohmann::json::parse(json.out);
  EXPECT_EQ(document["schema"], "heddle.computation/1");
  const auto schema = nlohmann::json::parse(
      file_text(std::string(HEDDLE_SCHEMAS) + "/heddle.computation-1.schema.json"));
  EXPECT_EQ(JsonSchema::problem(schema, document), "");
  EXPECT_NEAR(document["count_rate"], document["runs"][0]["counted"].get<double>(), 1);
  EXPECT_EQ(document["runs"][0]["native_ps"], 1'000'000'000'000);
  EXPECT_EQ(document["runs"][0]["by_count_ps"], 1'000'000'000'000);
  EXPECT_THAT(document["machine"].get<std::string>(), HasSubstr("count_rate: "));
  EXPECT_EQ(heddle(commands + " --machine bxi-v2", folder.path()).status, 2) << "where to?";
  EXPECT_EQ(heddle("calibrate --plain x", folder.path()).status, 2);
  EXPECT_EQ(heddle(commands + " -o m.yaml", folder.path()).status, 2) << "of which machine?";
  EXPECT_EQ(heddle("calibrate --compute /bin/true --repeat 1", folder.path()).status, 1);
}

}  // namespace
}  // namespace heddle::cli
