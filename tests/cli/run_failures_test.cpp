// Programs that crash, wait for ever or are stopped: what their user is told.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// The system's loader believes what a program's file says of the places that it is to change, and
// crashes where there is nothing.
TEST(Run, DamagedProgramsAreRefused) {
  const CompiledProgram program(
      "#include <stdio.h>\nint main() {\n  puts(\"said\");\n  return 0;\n}\n");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const std::string path = program.folder() + "/program";
  std::string bytes = file_text(path);
  auto* const head = reinterpret_cast<Elf64_Ehdr*>(bytes.data());
  auto* const sections = reinterpret_cast<Elf64_Shdr*>(bytes.data() + head->e_shoff);
  for (int i = 0; i < head->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_RELA || sections[i].sh_size == 0) continue;
    reinterpret_cast<Elf64_Rela*>(bytes.data() + sections[i].sh_offset)->r_offset = 0x414141414000;
  }
  std::ofstream(path, std::ios::binary) << bytes;
  const Outcome outcome = shell("mkdir tmp; TMPDIR=$PWD/tmp " + std::string(HEDDLE_PROGRAM) +
                                    " run --privatize copies -n 2 ./program; echo $?; ls tmp",
                                program.folder());
  EXPECT_EQ(outcome.out, "2\n") << "nothing stays in the folder for temporary files";
  EXPECT_THAT(outcome.err, HasSubstr("program: the file is damaged"));
}

TEST(Run, CrashesNameTheRank) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <stdlib.h>
    __attribute__((noinline)) void go_wrong(volatile int* where) { *where = 1; }
    int main(int argc, char** argv) {
      printf("rank %d is here\n", heddle_rank());
      heddle_barrier();
      if (heddle_rank() == 3 && argv[1][0] == 's') go_wrong((int*)16);
      if (heddle_rank() == 3 && argv[1][0] == 'a') abort();
      if (heddle_rank() == 3 && argv[1][0] == 't') __builtin_trap();
      return 0;
    })");
  const Outcome fault = program.run("-n 4", "segv");
  EXPECT_EQ(fault.status, 128 + 11);
  EXPECT_EQ(fault.out, "rank 0 is here\nrank 1 is here\nrank 2 is here\nrank 3 is here\n");
  EXPECT_THAT(fault.err,
              HasSubstr("error: rank 3 (node n3) crashed with SIGSEGV at address 0x10, in "
                        "go_wrong"));
  const Outcome aborted = program.run("-n 4 --privatize swap", "abort");
  EXPECT_EQ(aborted.status, 128 + 6);
  EXPECT_THAT(aborted.err, HasSubstr("rank 3 (node n3) crashed with SIGABRT"));
  // What traps is an illegal instruction on x86-64, a breakpoint on AArch64.
  EXPECT_THAT(program.run("-n 4", "trap").err,
              AnyOf(HasSubstr("rank 3 (node n3) crashed with SIGILL, in main"),
                    HasSubstr("rank 3 (node n3) crashed with SIGTRAP, in main")));
}

// A fault in the C library is told with the library and with the program's function that called it.
TEST(Run, CrashesInLibrariesNameTheCaller) {
  const CompiledProgram program(R"(
    #include <string.h>
    __attribute__((noinline)) size_t measure(const char* text) { return strlen(text) + 1; }
    int main(int argc, char** argv) { return (int)measure((char*)(size_t)(argc * 16)); })");
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.status, 128 + 11);
  EXPECT_THAT(run.err, AllOf(HasSubstr("crashed with SIGSEGV at address 0x"),
                             HasSubstr("called from measure+0x")));
}

// An exception that nobody catches ends the process as anywhere else.
TEST(Run, ExceptionsWorkAndMayEndTheProgram) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <cstdio>
    #include <stdexcept>
    int main(int argc, char**) {
      try {
        heddle_barrier();
        throw std::runtime_error("caught");
      } catch (const std::exception& error) {
        heddle_barrier();
        std::puts(error.what());
      }
      if (argc > 1) throw std::runtime_error("not caught");
    })",
                                "cpp");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "caught\ncaught\n") << how;
  }
  const Outcome run = program.run("-n 1", "throw");
  EXPECT_EQ(run.status, 128 + 6);
  EXPECT_THAT(run.err, AllOf(HasSubstr("not caught"), HasSubstr("rank 0 (node n0) crashed")));
}

TEST(Run, DeadlocksSayWhoWaitsForWhat) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    int main(void) {
      if (heddle_rank() > 0) heddle_barrier();
    })");
  const Outcome run = program.run("-n 3");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("deadlock"), HasSubstr("rank 1 waits in heddle_barrier: 2 of "
                                                     "3 ranks are there")));
}

// A rank that has given up is named beside those that wait for it.
TEST(Run, DeadlocksNameRanksThatFailed) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    int main(void) {
      if (heddle_rank() == 0) return 2;
      heddle_barrier();
    })");
  EXPECT_THAT(program.run("-n 2").err, AllOf(HasSubstr("rank 1 waits in heddle_barrier"),
                                             HasSubstr("rank 0 has ended with status 2")));
}

// So is one that left MPI without a word, as Fortran's STOP does, though its status is 0; one that
// has called MPI_Finalize is not.
TEST(Run, DeadlocksNameRanksThatLeftMpi) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    #include <stdlib.h>
    int main(int argc, char** argv) {
      int rank;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 2) exit(0);
      if (rank == 0) MPI_Recv(0, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Finalize();
    })");
  EXPECT_THAT(program.run("-n 3").err,
              AllOf(HasSubstr("rank 0 waits in MPI_Recv"),
                    HasSubstr("\n  rank 2 has ended with status 0, without MPI_Finalize"),
                    Not(HasSubstr("rank 1 has ended"))));
}

// A run that fails leaves its trace and its results up to there: both ranks compute for 1 us, then
// the second crashes or waits for ever.
TEST(Run, FailuresLeaveTracesAndResults) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdlib.h>
    int main(int argc, char** argv) {
      heddle_compute(1e-6);
      if (heddle_rank() == 1 && argc > 1) abort();
      if (heddle_rank() == 1) heddle_barrier();
    })");
  const std::string options = "-n 2 --trace ops.csv --json out.json";
  const auto results = [&] {
    return nlohmann::json::parse(file_text(program.folder() + "/out.json"));
  };
  EXPECT_EQ(program.run(options).status, 1);
  EXPECT_EQ(results()["outcome"], "deadlock");
  EXPECT_THAT(results()["problem"], HasSubstr("rank 1 waits in heddle_barrier"));
  EXPECT_EQ(results()["status"], 1);
  EXPECT_THAT(file_text(program.folder() + "/ops.csv"), HasSubstr("COMPUTE"));
  EXPECT_EQ(program.run(options, "abort").status, 128 + 6);
  EXPECT_EQ(results()["outcome"], "crash");
  EXPECT_EQ(results()["status"], 128 + 6);
  EXPECT_EQ(results()["time_ps"], 1'000'000);
  EXPECT_EQ(results()["ranks"][1]["end_ps"], 1'000'000);
}

// Who ends the simulator sees what ranks had printed, also where that goes to a file; a shell sees
// the signal.
TEST(Run, SignalsToTheSimulatorLoseNoOutput) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <signal.h>
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    int main(void) {
      printf("printed by %d\n", heddle_rank());
      heddle_barrier();
      if (heddle_rank() == 1) syscall(SYS_kill, syscall(SYS_getpid), SIGTERM);
      for (;;) heddle_compute(1e-6);
    })");
  const Outcome run = shell(built("heddle") + " run -q -n 2 ./program; echo $?", program.folder());
  EXPECT_EQ(run.out, "printed by 0\nprinted by 1\n143\n");
  EXPECT_THAT(run.err, HasSubstr("the run was ended by SIGTERM"));
}

// 3 MB on the stack are no problem; 3 MB on one of 1 MiB are one, whose remedy is named.
TEST(Run, StacksAreGenerousAndChecked) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <string.h>
    __attribute__((noinline)) int fill(volatile char* p) { memset((char*)p, 1, 3000000); return p[5]; }
    int main(void) {
      volatile char large[3000000];
      return fill(large) - 1;
    })");
  EXPECT_EQ(program.run("-n 2").status, 0);
  const Outcome small = program.run("-n 2 --stack 1MiB");
  EXPECT_EQ(small.status, 1);
  EXPECT_THAT(small.err, AllOf(HasSubstr("overflowed its stack"), HasSubstr("--stack")));
}

// Fortran's run-time library, and others, handle faults to print where they were, and then end the
// process by the same signal. What is told is the fault, and where; not the second signal.
TEST(Run, CrashesThatAProgramHandlesAreToldAllTheSame) {
  const CompiledProgram program(R"(
    #include <signal.h>
    #include <stdio.h>
    #include <string.h>
    __attribute__((noinline)) void go_wrong(volatile int* where) { *where = 1; }
    __attribute__((noinline)) int fill(volatile char* p) { memset((char*)p, 1, 9000000); return p[5]; }
    __attribute__((noinline)) int grow(void) { volatile char large[9000000]; return fill(large); }
    void handler(int number) {
      puts("handled");
      signal(number, SIG_DFL);
      raise(number);
    }
    int main(int argc, char** argv) {
      signal(SIGSEGV, handler);
      if (argv[1][0] == 'o') return grow();
      go_wrong((int*)16);
    })");
  const Outcome fault = program.run("-n 1", "fault");
  EXPECT_EQ(fault.status, 128 + 11);
  EXPECT_EQ(fault.out, "handled\n");
  EXPECT_THAT(fault.err, HasSubstr("crashed with SIGSEGV at address 0x10, in go_wrong"));
  // A handler without a stack of its own cannot run where there is none left.
  const Outcome overflow = program.run("-n 1", "overflow");
  EXPECT_EQ(overflow.status, 1);
  EXPECT_EQ(overflow.out, "");
  EXPECT_THAT(overflow.err, HasSubstr("overflowed its stack: give ranks more (--stack)"));
}

// Small frames end with a call whose return address does not fit, before the stack pointer moves.
TEST(Run, RecursionWithoutEndIsAnOverflow) {
  const CompiledProgram program(R"(
    int deep(int n) { return n < 0 ? 0 : 1 + deep(n + 1); }
    int main(void) { return deep(0); })");
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("rank 0 (node n0) has overflowed its stack"));
}

TEST(Run, NamesARankThatNeverComesBack) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    __attribute__((noinline)) void spin(void) { for (volatile int i = 0;; ++i); }
    int main(void) {
      if (heddle_rank() == 1) spin();
    })");
  const Outcome run = program.run("-n 2 --max-host-time-per-step 100ms");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("rank 1 (node n1) has computed for more than 100 ms"),
                             HasSubstr("in spin")));
}
// Somebody asks the simulator to end while its rank makes one call after the other, none of which
// ever waits.
TEST(Run, StopsAmongCallsThatNeverWait) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      char value[8];
      fclose(fopen("begun", "w"));
      for (;;) heddle_find("nothing", value, sizeof value);
    })");
  for (const std::string how : kPrivatizations) {
    const Outcome outcome =
        shell("rm -f begun; " + built("heddle") + " run -q -n 2 --privatize " + how +
                  " ./program & until [ -e begun ]; do sleep 0.02; done; sleep 0.1; "
                  "kill -TERM $!; wait $!",
              program.folder());
    EXPECT_EQ(outcome.status, 128 + 15) << how;
    EXPECT_THAT(outcome.err, HasSubstr("the run was ended by SIGTERM")) << how;
  }
}

// An assertion that fails in a rank that has had threads is what it is: its function is named, and
// a shell sees the signal.
TEST(Run, AFailedAssertionIsNoOverflow) {
  const CompiledProgram program(R"(
    #include <assert.h>
    #include <pthread.h>
    #include <unistd.h>
    static void* sleep_a_little(void* argument) { usleep(10); return argument; }
    int main(int count, char** arguments) {
      pthread_t thread;
      for (int i = 0; i < 2; ++i) {
        pthread_create(&thread, NULL, sleep_a_little, NULL);
        pthread_join(thread, NULL);
      }
      assert(count == 5);
    })",
                                "c", "-pthread");
  for (const std::string ranks : {"1", "2"}) {
    const Outcome run = program.run("-n " + ranks);
    EXPECT_EQ(run.status, 128 + 6) << ranks;
    EXPECT_THAT(run.err, AllOf(HasSubstr("rank 0 (node n0) crashed with SIGABRT"),
                               HasSubstr("called from main")))
        << ranks;
  }
}

// Time ends after 106 days: whoever goes beyond is named, whatever else is asked for.
TEST(Run, TimeHasAnEnd) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    int main(void) {
      if (heddle_rank() == 1) for (int i = 0; i < 20; ++i) heddle_compute(1e6);
      heddle_barrier();
    })");
  for (const std::string options :
       {"", "--summary summary.json", "--report page.html", "--json results.json"}) {
    const Outcome run = program.run("-n 2 " + options);
    EXPECT_EQ(run.status, 1) << options;
    EXPECT_THAT(run.err,
                AllOf(HasSubstr("rank 1"), HasSubstr("simulated time goes beyond 106 days"),
                      HasSubstr("2^63 ps"), Not(HasSubstr("terminate"))))
        << options;
  }
}

// Nobody reads what ranks print, so that the simulator waits to write it when it is asked to end:
// it ends within seconds.
TEST(Run, EndsThoughNobodyReadsItsOutput) {
  const CompiledProgram program(R"(
    #include <stdio.h>
    int main(void) { for (;;) puts("a line that nobody reads"); })");
  const Outcome run = shell(
      "mkfifo pipe; sleep 30 <pipe & exec 3>pipe; " + built("heddle") +
          " run -q -n 1 ./program >&3 & heddle=$!; sleep 1; kill -TERM $heddle; wait $heddle; "
          "echo $?",
      program.folder());
  EXPECT_EQ(run.out, "143\n");
}

}  // namespace
}  // namespace heddle::cli
