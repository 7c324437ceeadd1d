// What a program does to itself and its surroundings: jumps, streams, clocks, children, cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What Portals programs here begin with.
constexpr const char* kPortals = R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <setjmp.h>
    #include <signal.h>
    #include <stdio.h>
    #include <string.h>
    #include <sys/time.h>
    #include <unistd.h>
    static ptl_handle_ni_t ni; static ptl_handle_ct_t ct; static ptl_handle_eq_t eq;
    static ptl_pt_index_t pt; static char buffer[8];
    static ptl_ct_event_t count; static ptl_event_t event;
    static void begin(void) {
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
      PtlCTAlloc(ni, &ct);
      PtlEQAlloc(ni, 8, &eq);
      PtlPTAlloc(ni, 0, eq, 0, &pt);
    }
)";

// A handler that runs every 10 us adds to the counter that its rank waits for, until that is five:
// less than 1 ms. It may as well set it, or wait itself meanwhile.
TEST(RunProcess, HandlersEndTheWaitsTheyInterrupt) {
  const CompiledProgram program(std::string(kPortals) + R"(
    static const char* how;
    static void ring(int signal) {
      if (how[0] == 'n') usleep(1);
      if (how[0] == 's') PtlCTSet(ct, (ptl_ct_event_t){5, 0}); else PtlCTInc(ct, (ptl_ct_event_t){1, 0});
    }
    int main(int argc, char** argv) {
      how = argv[1];
      begin();
      signal(SIGALRM, ring);
      struct itimerval timer = {{0, 10}, {0, 10}};
      setitimer(ITIMER_REAL, &timer, NULL);
      PtlCTWait(ct, 5, &count);
      printf("%d %d\n", (int)count.success, heddle_time() < 1e-3);
    })");
  EXPECT_EQ(program.run("-n 1", "increment").out, "5 1\n");
  EXPECT_EQ(program.run("-n 1", "set").out, "5 1\n");
  EXPECT_EQ(program.run("-n 1", "nap").out, "5 1\n");
}

// A jump out of a wait for an event, at 1 s; the event comes at 2 s and is found at 4 s. A second
// jump, 1 s later, shows that the signal is no longer blocked.
TEST(RunProcess, ProgramsMayJumpOutOfWaits) {
  const CompiledProgram program(std::string(kPortals) + R"(
    static sigjmp_buf place;
    static void ring(int signal) { siglongjmp(place, 1); }
    static int clobber(int depth) {
      volatile char here[2000];
      memset((char*)here, 0x5a, sizeof here);
      return depth > 0 ? clobber(depth - 1) + here[7] : 0;
    }
    static int waits(void) { alarm(1); return PtlEQWait(eq, &event); }
    int main(void) {
      begin();
      ptl_le_t entry = {.start = buffer, .length = 8, .ct_handle = PTL_CT_NONE, .uid = PTL_UID_ANY,
                        .options = PTL_LE_OP_PUT | PTL_LE_EVENT_LINK_DISABLE};
      ptl_md_t bound = {.start = buffer, .length = 8, .eq_handle = PTL_EQ_NONE, .ct_handle = PTL_CT_NONE};
      ptl_handle_le_t le; ptl_handle_md_t md; ptl_process_t target; target.rank = 1;
      PtlLEAppend(ni, pt, &entry, PTL_PRIORITY_LIST, NULL, &le);
      PtlMDBind(ni, &bound, &md);
      if (heddle_rank() == 0) {
        sleep(2);
        return PtlPut(md, 0, 8, PTL_NO_ACK_REQ, target, pt, 0, 0, NULL, 0);
      }
      signal(SIGALRM, ring);
      if (sigsetjmp(place, 1) == 0) waits();
      printf("jumped at %.0f\n", heddle_time());
      clobber(5); sleep(3); clobber(5);
      printf("found %d at %.0f\n", PtlEQGet(eq, &event) == PTL_OK, heddle_time());
      if (sigsetjmp(place, 1) == 0) waits();
      printf("jumped at %.0f\n", heddle_time());
    })");
  EXPECT_EQ(program.run("-n 2").out, "jumped at 1\nfound 1 at 4\njumped at 5\n");
}

// After a jump out of a sleep, calls are calls again: 5 us of computation before each of two.
TEST(RunProcess, ComputationIsChargedAfterAJump) {
  const CompiledProgram program(std::string(kPortals) + R"(
    static sigjmp_buf place;
    static void ring(int signal) { siglongjmp(place, 1); }
    int main(void) {
      signal(SIGALRM, ring);
      if (sigsetjmp(place, 1) == 0) { alarm(1); sleep(5); }
      const unsigned long long before = heddle_time_ps();
      heddle_compute(0);
      printf("%llu\n", (unsigned long long)heddle_time_ps() - before);
    })");
  EXPECT_EQ(program.run("-n 1 --compute fixed:5us").out, "10000000\n");
}

// Each rank's standard output goes to a file of its own from there on, its error output stays.
TEST(RunProcess, StreamsMayBeReopened) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      char name[2] = {(char)('a' + heddle_rank()), 0};
      printf("before");
      FILE* file = freopen(name, "w", stdout);
      printf("%d inside\n", heddle_rank());
      usleep(1);
      printf("%d\n", file == stdout);
      fprintf(stderr, "error %d\n", freopen("/no/such", "w", stderr) == NULL);
    })");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.out, "before\nbefore\n");
  EXPECT_EQ(run.err, "error 1\nerror 1\n");
  EXPECT_EQ(file_text(program.folder() + "/a"), "0 inside\n1\n");
  EXPECT_EQ(file_text(program.folder() + "/b"), "1 inside\n1\n");
}

TEST(RunProcess, WideCharactersArePrinted) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <clocale>
    #include <cstdio>
    #include <cwchar>
    #include <iostream>
    int main() {
      std::setlocale(LC_ALL, "C.UTF-8");
      const int size = std::wprintf(L"wide %d \u00e9\n", 7);
      std::printf("%d narrow\n", size);
      std::wcout << L"wcout " << 8 << std::endl;
      std::fputws(L"fputws\n", stderr);
    })",
                                "cpp");
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.out, "wide 7 \u00e9\n9 narrow\nwcout 8\n");
  EXPECT_EQ(run.err, "fputws\n");
}

// 2 s of computing and 3 s of sleep: clocks of processor time show 2 (and what looking costs).
TEST(RunProcess, ProcessorTimeIsThatOfComputing) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <sys/resource.h>
    #include <sys/times.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
      struct timespec process, thread;
      struct rusage usage;
      struct tms ticks;
      heddle_compute(2);
      sleep(3);
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &process);
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &thread);
      getrusage(RUSAGE_SELF, &usage);
      const clock_t elapsed = times(&ticks);
      printf("%.0f %ld %ld %ld %ld of %ld\n", (double)clock() / CLOCKS_PER_SEC, (long)process.tv_sec,
             (long)thread.tv_sec, (long)usage.ru_utime.tv_sec, (long)ticks.tms_utime, (long)elapsed);
    })");
  EXPECT_EQ(program.run("-n 1").out, "2 2 2 2 200 of 500\n");
}

// What rank 0 raises, rank 1 does not see.
TEST(RunProcess, FloatingPointFlagsAreEachRanksOwn) {
  const CompiledProgram program(R"(
    #include <fenv.h>
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      feclearexcept(FE_ALL_EXCEPT);
      if (heddle_rank() == 0) feraiseexcept(FE_DIVBYZERO);
      heddle_barrier();
      printf("%d\n", fetestexcept(FE_DIVBYZERO) != 0);
    })",
                                "c", "-lm");
  EXPECT_EQ(program.run("-n 2").out, "1\n0\n");
}

// Ranks cannot fork or become another program, and are told so once; children of the C library and
// of vfork work.
TEST(RunProcess, ForkIsRefusedAndOtherChildrenWork) {
  const CompiledProgram program(R"(
    #define _GNU_SOURCE
    #include <errno.h>
    #include <heddle.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/wait.h>
    #include <unistd.h>
    int main(void) {
      char line[20] = "";
      int status = 0;
      int answer = fork();
      printf("%d %d\n", answer, errno == ENOSYS);
      errno = 0;
      answer = execlp("true", "true", (char*)NULL);
      printf("%d %d\n", answer, errno == ENOSYS);
      FILE* pipe = popen("echo child", "r");
      fgets(line, sizeof line, pipe);
      printf("%d %s", system("exit 3") >> 8, line);
      pclose(pipe);
      const pid_t child = vfork();
      if (child == 0) { execl("/bin/sh", "sh", "-c", "exit 4", (char*)NULL); _exit(9); }
      waitpid(child, &status, 0);
      printf("%d\n", WEXITSTATUS(status));
      const pid_t failing = vfork();
      if (failing == 0) { execl("/no/such", "such", (char*)NULL); _exit(9); }
      waitpid(failing, &status, 0);
      printf("%d\n", WEXITSTATUS(status));
    })",
                                "c", "-Wno-unused-result -Wno-deprecated-declarations");
  const Outcome run = program.run("-n 2");
  const std::string one = "-1 1\n-1 1\n3 child\n4\n9\n";
  EXPECT_EQ(run.out, one + one);
  EXPECT_EQ(run.err,
            "heddle: ranks cannot fork; system, popen and posix_spawn work\n"
            "heddle: ranks cannot execute another program in their place\n");
}

// A rank has one core, unless it is given more; OpenMP starts as many threads as it is asked for.
TEST(RunProcess, RanksHaveOneCore) {
  const CompiledProgram program(R"(
    #define _GNU_SOURCE
    #include <heddle.h>
    #include <sched.h>
    #include <stdio.h>
    #include <sys/sysinfo.h>
    #include <unistd.h>
    int main(void) {
      cpu_set_t set;
      int threads = 0;
      sched_getaffinity(0, sizeof set, &set);
      #pragma omp parallel num_threads(4) reduction(+ : threads)
      threads += 1;
      printf("%ld %d %d %d\n", sysconf(_SC_NPROCESSORS_ONLN), get_nprocs(), CPU_COUNT(&set), threads);
    })",
                                "c", "-fopenmp");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.out, "1 1 1 4\n1 1 1 4\n") << run.err;
  EXPECT_EQ(program.run("-n 1 --threads-per-rank 3").out, "3 3 3 4\n");
}

// Ways to wait for a time: 7 ms each.
TEST(RunProcess, WaitsForNothingTakeTheirTime) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <chrono>
    #include <condition_variable>
    #include <cstdio>
    #include <mutex>
    #include <poll.h>
    #include <semaphore.h>
    #include <time.h>
    static double last;
    static void took(const char* what) {
      std::printf("%s %.6f\n", what, heddle_time() - last);
      last = heddle_time();
    }
    int main() {
      const timespec nap{0, 7000000};
      poll(nullptr, 0, 7); took("poll");
      ppoll(nullptr, 0, &nap, nullptr); took("ppoll");
      std::mutex mutex; std::condition_variable condition;
      std::unique_lock lock(mutex);
      condition.wait_for(lock, std::chrono::milliseconds(7)); took("wait_for");
      sem_t semaphore;
      sem_init(&semaphore, 0, 0);
      timespec end;
      clock_gettime(CLOCK_REALTIME, &end);
      end.tv_nsec += 7000000;
      sem_timedwait(&semaphore, &end); took("sem_timedwait");
    })",
                                "cpp");
  EXPECT_EQ(program.run("-n 1").out,
            "poll 0.007000\nppoll 0.007000\nwait_for 0.007000\nsem_timedwait 0.007000\n");
}

TEST(RunProcess, FoldersByDescriptorAreEachRanksOwn) {
  const CompiledProgram program(R"(
    #include <fcntl.h>
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      char folder[100];
      if (heddle_rank() == 0 && fchdir(open("/usr", O_RDONLY)) != 0) return 1;
      heddle_barrier();
      printf("%d\n", getcwd(folder, sizeof folder) != NULL && folder[1] == 'u' && folder[4] == 0);
    })");
  EXPECT_EQ(program.run("-n 2").out, "1\n0\n");
}

TEST(RunProcess, NamesAndMissingKeys) {
  const CompiledProgram program(R"(
    #define _GNU_SOURCE
    #include <errno.h>
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      printf("%s %s\n", program_invocation_name, program_invocation_short_name);
      printf("%d %d %ld\n", heddle_put(NULL, "x", 1), heddle_put("key", NULL, 1),
             heddle_get(0, NULL, NULL, 0));
    })",
                                "c", "-Wno-nonnull");
  EXPECT_EQ(program.run("-n 1").out, "./program program\n-1 -1 -1\n");
}

// Rank 0 closes its standard output and input: what it wrote before is there, what it writes after
// is not, and rank 1 notices nothing.
TEST(RunProcess, StandardStreamsAreClosedForOneRankOnly) {
  const CompiledProgram program(R"(
    #include <errno.h>
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      printf("%d before\n", heddle_rank());
      if (heddle_rank() == 0) {
        fclose(stdin);
        close(1);
        const int answer = write(1, "lost\n", 5);
        fprintf(stderr, "%d %d %d\n", answer, errno == EBADF, close(1));
      }
      heddle_barrier();
      printf("%d after\n", heddle_rank());
    })");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.out, "0 before\n1 before\n1 after\n");
  EXPECT_EQ(run.err, "-1 1 -1\n");
}

// Output that cannot be written is an error.
TEST(RunProcess, LostOutputIsAnError) {
  const CompiledProgram program(R"(
    #include <stdio.h>
    int main(void) { puts("hello"); })");
  const Outcome run =
      shell(built("heddle") + " run -q -n 1 ./program >/dev/full", program.folder());
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("cannot write the program's output: No space left on device"));
}

// dlopen(NULL) is the program, of which each rank has its own.
TEST(RunProcess, DlopenFindsTheProgramsOwnSymbols) {
  const CompiledProgram program(R"(
    #include <dlfcn.h>
    #include <heddle.h>
    #include <stdio.h>
    int number = 5;
    int main(void) {
      number += heddle_rank();
      heddle_barrier();
      int* found = dlsym(dlopen(NULL, RTLD_NOW), "number");
      printf("%d %d\n", found == &number, found ? *found : 0);
    })");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "1 5\n1 6\n") << how;
  }
}

}  // namespace
}  // namespace heddle::cli
