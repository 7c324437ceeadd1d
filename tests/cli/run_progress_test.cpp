// How far a run is, on terminals that can show it.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"
#include "cli/run/run_progress.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Two ranks that compute for 0.15 s here, twice, and say something in between.
constexpr const char* kSlowProgram = R"(
#include <heddle.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static double used(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
int main(void) {
  volatile double sink = 1;
  for (int k = 0; k < 2; ++k) {
    for (double end = used() + 0.15; used() < end;)
      for (int i = 0; i < 20000; ++i) sink = sink * 1.0000001;
    heddle_compute(1e-3);
    printf("rank %d has computed\n", heddle_rank());
  }
  return 0;
})";

/// What a terminal of the given kind is sent.
std::string on_terminal(const CompiledProgram& program, const std::string& kind,
                        const std::string& options = "") {
  const Outcome outcome = shell("TERM=" + kind + " script -qec '" + HEDDLE_PROGRAM + " run -n 2 " +
                                    options + " ./program' /dev/null",
                                program.folder());
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  return outcome.out;
}

// The line says how far simulated time is, how fast events follow each other and how many ranks
// have ended; it is taken away before the program's own lines, which stand at the beginnings of
// theirs.
TEST(RunProgress, IsShownOnTerminals) {
  const CompiledProgram program(kSlowProgram);
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const std::string shown = on_terminal(program, "xterm");
  EXPECT_THAT(shown,
              AllOf(HasSubstr("\r\033[Krun  0 ps simulated  0 k events/s  0 of 2 ranks done"),
                    HasSubstr("\r\033[Krank 0 has computed"), HasSubstr("simulated time")));
  EXPECT_THAT(on_terminal(program, "xterm", "-q"), Not(HasSubstr("ranks done")));
  EXPECT_THAT(on_terminal(program, "dumb"), Not(HasSubstr("\033")));
  const Outcome files = heddle("run -n 2 ./program", program.folder());
  EXPECT_THAT(files.err, AllOf(Not(HasSubstr("\033")), Not(HasSubstr("ranks done"))));
  EXPECT_EQ(files.out,
            "rank 0 has computed\nrank 1 has computed\nrank 0 has computed\nrank 1 has computed\n");
}

// 3.1 million events in a second, and what does not fit is cut off.
TEST(RunProgress, SaysHowFar) {
  char line[80];
  const RunProgress::State state{Time::us(1250), 6'200'000, 12, 64};
  char* end = RunProgress::text("run", state, 2, line, sizeof line);
  EXPECT_EQ(std::string(line, end), "run  1.25 ms simulated  3.1 M events/s  12 of 64 ranks done");
  end = RunProgress::text("replay", state, 0, line, 16);
  EXPECT_EQ(std::string(line, end), "replay  1.25 ms ");
}

}  // namespace
}  // namespace heddle::cli
