// A program that was compiled and loaded, with the C library that ranks see in front of the real
// one, and nothing else: also under the sanitizers, which use that library before they are set up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "host/host_support.hpp"
#include "host/libc/streams.hpp"
#include "host/program/crash_handler.hpp"
#include "host/program/load_program.hpp"
#include "host/program/loading/turn_stubs.hpp"
#include "host/program/sampling/sampled_functions.hpp"
#include "temporary_folder.hpp"

namespace heddle::host {
namespace {

/// Counts in a thread, under a lock, in its own heap and environment, and ends with 10 times its
/// number plus the count.
constexpr const char* kProgram = R"(
  #include <heddle.h>
  #include <pthread.h>
  #include <stdlib.h>
  #include <string.h>
  static int count;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static void* add(void* text) {
    pthread_mutex_lock(&lock);
    count += strlen(text);
    pthread_mutex_unlock(&lock);
    return text;
  }
  int main(int argc, char** argv) {
    pthread_t thread;
    void* text = strdup(argv[1]);
    setenv("WORD", argv[1], 1);
    pthread_create(&thread, NULL, add, text);
    pthread_join(thread, &text);
    heddle_barrier();
    free(text);
    if (strcmp(getenv("WORD"), argv[1]) != 0) exit(99);
    return 10 * heddle_rank() + count;
  })";

/// A program, compiled as a user would.
class Compiled {
 public:
  explicit Compiled(const char* source, const std::string& flags = "") {
    std::ofstream(folder_ / "program.c") << source;
    const auto compiler = std::filesystem::path(HEDDLE_PROGRAM).parent_path() / "heddlecc";
    const std::string command =
        compiler.string() + " " + folder_ / "program.c" + " -lpthread " + flags + " -o " + path();
    status = std::system(command.c_str());
  }
  std::string path() const { return folder_ / "program"; }
  int status = -1;

 private:
  TemporaryFolder folder_;
};

// "abc" has three letters: rank r ends with 10 r + 3.
TEST(Hosted, RanksAreProcesses) {
  constexpr std::uint32_t kRanks = 4;
  const Compiled compiled(kProgram);
  ASSERT_EQ(compiled.status, 0);
  for (const Privatization how : {Privatization::copies, Privatization::swap}) {
    TestMachine machine(kRanks);
    const auto program = load_program({compiled.path(), {"abc"}, how, kRanks});
    Job job(machine.fibers, *machine.platform, *program, {.ranks = kRanks});
    {
      const CrashHandler crashes;
      const RankStreams streams(job.shared(), RankStreams::Lines::plain);
      machine.simulation.run();
      machine.fibers.run();
    }
    for (std::uint32_t r = 0; r < kRanks; ++r) {
      EXPECT_EQ(job.ends().status(RankId{r}), static_cast<int>(10 * r + 3));
    }
  }
}

/// A run of a program on a machine of its own.
struct OneRun {
  OneRun(const Compiled& compiled, const std::vector<std::string>& arguments,
         const CallPatches& patches = {}, std::uint32_t ranks = 1)
      : machine(static_cast<int>(ranks)),
        program(load_program({.path = compiled.path(),
                              .arguments = arguments,
                              .privatize = Privatization::copies,
                              .ranks = ranks,
                              .patches = patches})),
        job(machine.fibers, *machine.platform, *program, {.ranks = ranks}) {
    job.shared().set_sampled(patches.sampled);
  }
  /// With what its first rank ends.
  int status() {
    const CrashHandler crashes;
    machine.simulation.run();
    machine.fibers.run();
    return job.ends().status(RankId{0});
  }
  TestMachine machine;
  std::unique_ptr<HostedProgram> program;
  Job job;
};

/// Calls two functions as often as its arguments say, which are their own to tell, and ends with
/// ten times how often the first was run, plus how often the second was.
constexpr const char* kTwoFunctions = R"(
  #include <stdlib.h>
  static int first_ran, second_ran;
  __attribute__((noinline)) void first(void) { first_ran++; }
  __attribute__((noinline)) void second(void) { second_ran++; }
  int main(int argc, char** argv) {
    for (int i = 0; i < atoi(argv[1]); i++) first();
    for (int i = 0; i < atoi(argv[2]); i++) second();
    return 10 * first_ran + second_ran;
  })";

// Both functions are the first of their run's: each run counts its own calls, and leaves alone what
// the other samples, though both programs are in memory; one that samples nothing runs all.
TEST(Hosted, EachRunSamplesFunctionsOfItsOwn) {
  const Compiled compiled(
      kTwoFunctions, "-O2 -Wl,--export-dynamic-symbol=first -Wl,--export-dynamic-symbol=second");
  ASSERT_EQ(compiled.status, 0);
  SampledFunctions firsts({{.name = "first", .first = 2}});
  SampledFunctions seconds({{.name = "second", .first = 3}});
  OneRun of_first(compiled, {"5", "4"}, {.sampled = &firsts});
  OneRun of_second(compiled, {"5", "4"}, {.sampled = &seconds});
  OneRun of_none(compiled, {"5", "4"});
  firsts.check();
  seconds.check();
  EXPECT_EQ(of_first.status(), 24);
  EXPECT_EQ(of_second.status(), 53);
  EXPECT_EQ(of_none.status(), 54);
  OneRun once_more(compiled, {"5", "4"}, {.sampled = &firsts});
  EXPECT_EQ(once_more.status(), 4);
}

// A program that uses a variable of the C library is known by its own run only.
TEST(Hosted, EachRunFindsTheVariablesThatItsProgramsShare) {
  if (!TurnStubs::possible()) GTEST_SKIP() << "ranks stay on one thread here";
  const Compiled sharing(R"(
    #include <unistd.h>
    int main(int argc, char** argv) { return getopt(argc, argv, "x") == -1 ? optind : 0; })");
  const Compiled alone("int main(int argc, char** argv) { return argc; }");
  ASSERT_EQ(sharing.status + alone.status, 0);
  TurnStubs of_sharing;
  TurnStubs of_alone;
  OneRun first(sharing, {}, {.turns = &of_sharing});
  OneRun second(alone, {}, {.turns = &of_alone});
  EXPECT_EQ(of_sharing.shared_variable(), "optind");
  EXPECT_EQ(of_alone.shared_variable(), "");
  EXPECT_EQ(first.status(), 1);
  EXPECT_EQ(second.status(), 1);
}

// Two runs that have not ended: lines come out whole, and with the prefix that the run of their
// rank has for them, by C and by C++, whichever of the two began last.
TEST(Hosted, EachRunWritesLinesAsItsOwn) {
  const Compiled compiled(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(int argc, char** argv) {
      printf("%s ", argv[1]);
      heddle_barrier();
      write(STDOUT_FILENO, "of ", 3);
      heddle_barrier();
      printf("%d\n", heddle_rank());
      fprintf(stderr, "%d\n", fileno(stdout));
      return 0;
    })");
  ASSERT_EQ(compiled.status, 0);
  OneRun prefixed(compiled, {"first"}, {}, 2);
  OneRun plain(compiled, {"second"}, {}, 2);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  {
    const RankStreams outer(prefixed.job.shared(), RankStreams::Lines::prefixed);
    const RankStreams inner(plain.job.shared(), RankStreams::Lines::plain);
    EXPECT_EQ(prefixed.status(), 0);
    EXPECT_EQ(plain.status(), 0);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "[0] first of 0\n[1] first of 1\nsecond of 0\nsecond of 1\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[0] 1\n[1] 1\n1\n1\n");
}

}  // namespace
}  // namespace heddle::host
