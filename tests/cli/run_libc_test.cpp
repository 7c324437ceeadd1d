// What a process has to itself in the C library, each rank has to itself; time is simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Sleeps of 1 s, 2 us and 3 ns; each of the clocks says so (and costs 20 ns per look). The calendar
// starts in 2024.
TEST(RunLibc, ClocksShowSimulatedTime) {
  const CompiledProgram program(R"(
    #include <stdio.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
      struct timespec nap = {0, 3}, t;
      struct timeval tv;
      sleep(1); usleep(2); nanosleep(&nap, NULL);
      clock_gettime(CLOCK_MONOTONIC, &t);
      printf("%ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
      clock_gettime(CLOCK_REALTIME, &t);
      printf("%ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
      gettimeofday(&tv, NULL);
      printf("%ld.%06ld %ld\n", (long)tv.tv_sec, (long)tv.tv_usec, (long)time(NULL));
      struct timespec until = {5, 0};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
      clock_gettime(CLOCK_MONOTONIC, &t);
      printf("%ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
    })");
  EXPECT_EQ(program.run("-n 1").out,
            "1.000002023\n1704067201.000002043\n1704067201.000002 1704067201\n5.000000020\n");
}

// A loop on the clock ends, because looking costs time: 1 ms in steps of 20 ns.
TEST(RunLibc, LoopsOnTheClockEnd) {
  const CompiledProgram program(R"(
    #include <chrono>
    #include <cstdio>
    int main() {
      using Clock = std::chrono::steady_clock;
      const auto end = Clock::now() + std::chrono::milliseconds(1);
      int looks = 0;
      while (Clock::now() < end) ++looks;
      std::printf("%d\n", looks);
    })",
                                "cpp");
  EXPECT_EQ(program.run("-n 1").out, "49999\n");
}

// SIGALRM after 2 s ends a sleep of 10 s; 8 are left. A timer that goes off every second is
// heard three times in 3.5 s; a rank without a handler is ended.
TEST(RunLibc, SignalsComeInSimulatedTime) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <signal.h>
    #include <stdio.h>
    #include <sys/time.h>
    #include <unistd.h>
    static volatile int rings;
    static void ring(int signal) { ++rings; printf("%d at %g\n", signal, heddle_time()); }
    int main(int argc, char** argv) {
      struct sigaction action = {0};
      action.sa_handler = ring;
      sigaction(SIGALRM, &action, NULL);
      alarm(2);
      printf("left %u\n", sleep(10));
      struct itimerval timer = {{1, 0}, {1, 0}};
      setitimer(ITIMER_REAL, &timer, NULL);
      while (rings < 4) pause();
      alarm(0);
      signal(SIGUSR1, ring);
      raise(SIGUSR1);
      kill(getpid(), SIGUSR1);
      if (argc > 1) { signal(SIGALRM, SIG_DFL); alarm(1); pause(); }
    })");
  EXPECT_EQ(program.run("-n 1").out,
            "14 at 2\nleft 8\n14 at 3\n14 at 4\n14 at 5\n10 at 5\n10 at 5\n");
  const Outcome ended = program.run("-n 1", "end");
  EXPECT_EQ(ended.status, 128 + 14);
  EXPECT_THAT(ended.err, HasSubstr("rank 0 (node n0) was ended by SIGALRM"));
}

// A handler runs in the middle of a barrier, which goes on afterwards.
TEST(RunLibc, SignalsInterruptWaits) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <signal.h>
    #include <stdio.h>
    #include <unistd.h>
    static void ring(int signal) { printf("rings at %g\n", heddle_time()); }
    int main(void) {
      if (heddle_rank() == 0) { signal(SIGALRM, ring); alarm(1); }
      else sleep(2);
      heddle_barrier();
      if (heddle_rank() == 0) printf("leaves at %g\n", heddle_time());
    })");
  EXPECT_EQ(program.run("-n 2").out, "rings at 1\nleaves at 2\n");
}

// A program may handle its own faults.
TEST(RunLibc, ProgramsMayHandleFaults) {
  const CompiledProgram program(R"(
    #include <setjmp.h>
    #include <signal.h>
    #include <stdio.h>
    static sigjmp_buf place;
    static void fault(int signal) { siglongjmp(place, 1); }
    int main(void) {
      signal(SIGSEGV, fault);
      if (sigsetjmp(place, 1) == 0) *(volatile int*)8 = 1;
      printf("survived\n");
    })");
  EXPECT_EQ(program.run("-n 2").out, "survived\nsurvived\n");
}

// Two ranks take turns in the middle of everything that remembers something; each must see what it
// would see alone, which is what the same text prints for a single rank.
TEST(RunLibc, WhatTheLibraryRemembersIsEachRanksOwn) {
  const CompiledProgram program(R"(
    #include <errno.h>
    #include <getopt.h>
    #include <heddle.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    static void turn(void) { errno = 5; usleep(1); if (errno != 5) printf("errno\n"); }
    int main(int argc, char** argv) {
      char line[1000] = "", piece[100], text[] = "a b c";
      struct option options[] = {{"size", required_argument, NULL, 's'}, {"fast", no_argument, NULL, 'f'}, {NULL, 0, NULL, 0}};
      for (char* word = strtok(text, " "); word; word = strtok(NULL, " ")) { strcat(line, word); turn(); }
      srand(3);
      for (int i = 0; i < 3; ++i) {
        snprintf(piece, sizeof piece, " %d %ld %.6f", rand(), random(), drand48());
        strcat(line, piece);
        turn();
      }
      for (int c; (c = getopt_long(argc, argv, "ab:", options, NULL)) != -1; turn()) {
        snprintf(piece, sizeof piece, " %c=%s", c, optarg ? optarg : "-");
        strcat(line, piece);
      }
      snprintf(piece, sizeof piece, " %d %s", optind, argv[optind]);
      strcat(line, piece);
      char name[20];
      sprintf(name, "VARIABLE%d", heddle_rank());
      setenv(name, "set", 1);
      turn();
      strcat(line, getenv(name));
      sprintf(name, "VARIABLE%d", 1 - heddle_rank());
      strcat(line, getenv(name) ? " seen" : " hidden");
      printf("%s\n", line);
    })");
  const std::string arguments = "-a word --size=3 -b 4 --fast";
  const std::string alone = program.run("-n 1", arguments).out;
  EXPECT_THAT(alone, AllOf(HasSubstr("abc "), HasSubstr("a=- s=3 b=4 f=- 6 word"),
                           HasSubstr("set hidden")));
  for (const std::string how : {"copies", "swap"}) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how, arguments).out, alone + alone) << how;
  }
}

// Random numbers are those of the C library itself.
TEST(RunLibc, RandomNumbersAreTheUsualOnes) {
  const char* text = R"(
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
      printf("%d %ld %f %ld\n", rand(), random(), drand48(), lrand48());
      srand(5); srand48(6);
      printf("%d %ld %f %ld\n", rand(), random(), drand48(), mrand48());
    })";
  const CompiledProgram program(text);
  EXPECT_EQ(program.run("-n 1").out, shell("./program", program.folder()).out);
}

// Pieces of lines that two ranks write in turns come out as whole lines, whatever they are written
// with; with --prefix-output they begin with the rank.
TEST(RunLibc, LinesAreNotTorn) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <cstdio>
    #include <iostream>
    #include <unistd.h>
    int main() {
      std::ios_base::sync_with_stdio(false);
      printf("printf "); usleep(1);
      std::cout << "cout " << std::flush; usleep(1);
      if (write(1, "write ", 6) != 6) return 1;
      usleep(1);
      dprintf(1, "dprintf %d\n", fileno(stdout)); usleep(1);
      std::cerr << "cerr "; usleep(1);
      fprintf(stderr, "stderr\n");
    })",
                                "cpp");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.out, "printf cout write dprintf 1\nprintf cout write dprintf 1\n");
  EXPECT_EQ(run.err, "cerr stderr\ncerr stderr\n");
  EXPECT_EQ(program.run("-n 2 --prefix-output").out,
            "[0] printf cout write dprintf 1\n[1] printf cout write dprintf 1\n");
}

// Rank 0 writes as runtimes of languages do, which keep back what goes to a regular file; rank 1
// ends the job. The line is there although all output goes to a file, as it would be under mpirun.
TEST(RunLibc, StandardStreamsArePipes) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>
    int main(void) {
      struct stat status;
      char line[64];
      fstat(1, &status);
      snprintf(line, sizeof line, "pipe %d, file %d\n", S_ISFIFO(status.st_mode) != 0, S_ISREG(status.st_mode) != 0);
      if (heddle_rank() == 0 && !S_ISREG(status.st_mode)) write(1, line, strlen(line));
      heddle_barrier();
      if (heddle_rank() == 1) heddle_abort(3);
      heddle_barrier();
      return 0;
    })");
  const Outcome outcome =
      shell(built("heddle") + " run -q -n 2 ./program >lines; status=$?; cat lines; exit $status",
            program.folder());
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "pipe 1, file 0\n");
}

TEST(RunLibc, FoldersAreEachRanksOwn) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      char name[2] = {(char)('a' + heddle_rank()), 0}, folder[1000];
      if (chdir(name) != 0) return 1;
      usleep(1);
      FILE* file = fopen("here", "w");
      fprintf(file, "%d", heddle_rank());
      fclose(file);
      usleep(1);
      printf("%c\n", getcwd(folder, sizeof folder)[0]);
    })");
  ASSERT_EQ(shell("mkdir a b", program.folder()).status, 0);
  EXPECT_EQ(program.run("-n 2 --json out.json").status, 0);
  EXPECT_EQ(file_text(program.folder() + "/a/here"), "0");
  EXPECT_EQ(file_text(program.folder() + "/b/here"), "1");
  EXPECT_NE(file_text(program.folder() + "/out.json"), "");
}

// Blocks of 1 MiB and more, of as many ranks as have them side by side: each keeps what its rank
// wrote, while it grows and when it shrinks; what calloc gives is zero, also when it was used
// before.
TEST(RunLibc, LargeBlocksAreEachRanksOwn) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <malloc.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    enum { MiB = 1 << 20 };
    static int is(const char* memory, size_t size, int value) {
      return memory[0] == (char)value && memcmp(memory, memory + 1, size - 1) == 0;
    }
    int main(void) {
      int rank = heddle_rank();
      char *a = malloc(MiB), *b = calloc(2, MiB), *c = aligned_alloc(2 * MiB, 4 * MiB);
      memset(a, rank, MiB);
      if (!is(b, 2 * MiB, 0) || malloc_usable_size(b) < 2 * MiB) return 1;
      memset(b, -rank, 2 * MiB);
      heddle_barrier();
      a = realloc(a, 3 * MiB);
      if (!is(a, MiB, rank) || !is(b, 2 * MiB, -rank)) return 2;
      memset(a, rank + 1, 3 * MiB);
      heddle_barrier();
      a = realloc(a, 100);
      if (!is(a, 100, rank + 1) || malloc_usable_size(a) > MiB) return 3;
      free(b);
      heddle_barrier();
      b = calloc(2, MiB);
      if (!is(b, 2 * MiB, 0)) return 4;
      b = realloc(b, 40 * MiB);
      if (!is(b, 2 * MiB, 0)) return 5;
      free(a), free(b), free(c);
      if (rank == 0) puts("fine");
      return 0;
    })");
  const Outcome outcome = program.run("-n 64");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "fine\n");
}

}  // namespace
}  // namespace heddle::cli
