// Ranks that wait by looking at their memory or at a clock, without a call that waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Rank 0 puts a flag into the memory of all others after 1 ms; each looks at its own until it is
// there, and is told to begin anew after that.
TEST(RunSpin, LooksAtMemoryUntilAPutArrives) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <stdio.h>
    static volatile long flag; static long value;
    int main(void) {
      ptl_handle_ni_t ni; ptl_pt_index_t index; ptl_handle_le_t le; ptl_handle_md_t md;
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL, PTL_PID_ANY, NULL, NULL, &ni);
      PtlPTAlloc(ni, 0, PTL_EQ_NONE, 0, &index);
      const ptl_le_t entry = {(void*)&flag, sizeof flag, PTL_CT_NONE, PTL_UID_ANY, PTL_LE_OP_PUT};
      PtlLEAppend(ni, index, &entry, PTL_PRIORITY_LIST, NULL, &le);
      const ptl_md_t source = {&value, sizeof value, 0, PTL_EQ_NONE, PTL_CT_NONE};
      PtlMDBind(ni, &source, &md);
      heddle_barrier();
      for (value = 1; value <= 2; ++value) {
        if (heddle_rank() == 0) {
          heddle_compute(1e-3);
          for (int r = 1; r < heddle_size(); ++r) {
            const ptl_process_t target = {.phys = {heddle_nid(r), heddle_pid(r)}};
            PtlPut(md, 0, sizeof value, PTL_NO_ACK_REQ, target, 0, 0, 0, NULL, 0);
          }
          heddle_compute(1e-5);
        } else {
          while (flag != value);
          printf("%ld at %.3f\n", flag, heddle_time());
        }
      }
    })",
                                "c", "-O2");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "1 at 0.001\n2 at 0.002\n") << how;
    EXPECT_EQ(program.run("-n 3 --privatize " + how).out,
              "1 at 0.001\n1 at 0.001\n2 at 0.002\n2 at 0.002\n")
        << how;
  }
}

/// Ranks 0 and 1 hand a number to and fro twenty times: `send` writes `round` to `number` of the
/// rank `to`, and who waits looks at its own while `look` says so. All others sleep for 100 ms.
/// Answers how many microseconds rank 0 says that took.
double time_beside_sleepers(const std::string& send, const std::string& look,
                            const std::string& options) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <mpi.h>
    #include <sched.h>
    #include <shmem.h>
    #include <stdio.h>
    #include <unistd.h>
    static long cell; static MPI_Win window;
    static void send(long* number, long round, int to) { )" +
                                    send + R"( }
    int main(void) {
      shmem_init();
      MPI_Init(NULL, NULL);
      const int me = shmem_my_pe();
      MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
      MPI_Win_lock_all(0, window);
      volatile long* const number = &cell;
      shmem_barrier_all();
      const double begin = heddle_time();
      if (me > 1) usleep(100000);
      for (long round = 1; me <= 1 && round <= 20; ++round) {
        if (me == 0) send(&cell, round, 1);
        while ()" + look + R"();
        if (me == 1) send(&cell, round, 0);
      }
      if (me == 0) printf("%.3f\n", 1e6 * (heddle_time() - begin));
      shmem_barrier_all();
      MPI_Win_unlock_all(window);
      MPI_Win_free(&window);
      MPI_Finalize();
      shmem_finalize();
    })",
                                "c", "-O1");
  return std::stod(program.run("-n 4 " + options).out);
}

// What arrives is seen when it arrives, whoever writes it, by a loop without a call and by one that
// yields, and not when nothing else is left to do: forty messages of about 1 us each take less than
// 200 us, while others sleep for 100 ms.
TEST(RunSpin, WhatArrivesIsSeenAtOnceWhileOthersAreBusy) {
  const std::string put = "shmem_long_p(number, round, to);";
  const std::string add = "shmem_long_atomic_add(number, 1, to);";
  const std::string mpi_put =
      "MPI_Put(&round, 1, MPI_LONG, to, 0, 1, MPI_LONG, window); MPI_Win_flush(to, window);";
  const std::string mpi_add =
      "const long one = 1;"
      "MPI_Accumulate(&one, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_SUM, window);"
      "MPI_Win_flush(to, window);";
  for (const std::string& send : {put, add, mpi_put, mpi_add}) {
    EXPECT_LT(time_beside_sleepers(send, "*number < round", "--privatize copies"), 200) << send;
    EXPECT_LT(time_beside_sleepers(send, "*number < round && !sched_yield()", ""), 200) << send;
  }
  EXPECT_LT(time_beside_sleepers(put, "*number < round", "--privatize swap"), 200);
  EXPECT_LT(time_beside_sleepers(put, "*number < round", "--set shmem.transport=portals"), 200);
}

/// Ranks hand a token round, and wait for it in a loop that goes on while `look` says so.
std::string token_ring(const std::string& look) {
  return R"(
    #include <heddle.h>
    #include <sched.h>
    #include <shmem.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static volatile long token;
    static volatile size_t length = sizeof token;
    static volatile int places[2000];
    static int any_place(void) {
      for (int i = 0; i < 2000; ++i)
        if (places[i] != 0) return 1;
      return 0;
    }
    static const char* text_of(long number) {
      static char texts[2][8];
      static int which;
      char* const text = texts[which = !which];
      for (int i = 0; i < 7; ++i, number /= 10) text[i] = '0' + number % 10;
      return text;
    }
    int main(int count, char** arguments) {
      const long rounds = atol(arguments[1]);
      shmem_init();
      const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
      shmem_barrier_all();
      for (long round = 1; round <= rounds; ++round) {
        if (me == 0) shmem_long_p((long*)&token, round, next);
        while ()" +
         look + R"();
        if (me != 0) shmem_long_p((long*)&token, round, next);
      }
      if (me == 0) printf("%.12e\n", heddle_time());
      shmem_finalize();
    })";
}

// A thousand turns are a thousand times as long as one, also where loops yield so often that they
// look less often after a while: a turn of 16 hops of about 1 us takes less than 40 us.
TEST(RunSpin, LoopsThatYieldSeeWhatArrivesHoweverLongTheyHaveLooked) {
  const CompiledProgram program(token_ring("token < round && !sched_yield()"), "c", "-O1");
  const Outcome run = program.run("-n 16", "1000");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(std::stod(run.out), 1000 * 40e-6);
}

// Whoever is known to wait by looking is noticed by the next look, not at a tick of 5 ms, however
// long a machine takes to set a timer: 16,000 waits would take minutes.
TEST(RunSpin, AThousandTurnsOfATokenAreNoticedSoon) {
  const CompiledProgram program(token_ring("token < round"), "c", "-O2");
  EXPECT_EQ(program.run("-n 16", "1000").status, 0);
}

// The same of a loop that looks at thousands of places each time.
TEST(RunSpin, LooksAtThousandsOfPlacesAreNoticedSoon) {
  const CompiledProgram program(token_ring("token < round && !any_place()"), "c", "-O2");
  EXPECT_EQ(program.run("-n 16", "500").status, 0);
}

// Functions of the C library that compare are understood, whatever instructions they have here: to
// wait by them takes no ticks of 5 ms either, of which 2,000 waits would take minutes.
TEST(RunSpin, LooksByFunctionsThatCompareAreNoticedSoon) {
  for (const std::string look : {"memcmp((const void*)&token, &round, length)",
                                 "strcmp(text_of((long)token), text_of(round))"}) {
    const CompiledProgram program(token_ring(look), "c", "-O2 -fno-builtin");
    EXPECT_EQ(program.run("-n 4", "500").status, 0) << look;
  }
}

// A loop that has been seen to wait is passed a million times more while there is nothing to wait
// for, and waits again after that, in one rank and the other.
TEST(RunSpin, LoopsThatAlsoComputeAreLeftToIt) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <shmem.h>
    #include <stdio.h>
    static volatile long token;
    static volatile long sum;
    __attribute__((noinline)) void until(long wanted) {
      while (token < wanted) sum += 0;
    }
    int main(void) {
      shmem_init();
      const int me = shmem_my_pe();
      shmem_barrier_all();
      for (long round = 1; round <= 40; ++round) {
        if (me == 0) shmem_long_p((long*)&token, round, 1);
        until(round);
        if (me == 1) shmem_long_p((long*)&token, round, 0);
        if (round == 20) for (long i = 0; i < 1000000; ++i) { until(1); sum += 1; }
      }
      printf("%ld %ld\n", (long)token, (long)sum);
      shmem_finalize();
    })",
                                "c", "-O2");
  EXPECT_EQ(program.run("-n 2").out, "40 1000000\n40 1000000\n");
}

// What a rank looks at is no longer where it looks: the fault is where the program has it, also
// where the rank had waited before.
TEST(RunSpin, FaultsInLoopsThatWaitedAreThePrograms) {
  const CompiledProgram program(R"(
    #include <shmem.h>
    static long token;
    static long* volatile looked_at = &token;
    __attribute__((noinline)) void until(long wanted) {
      while (*(volatile long*)looked_at < wanted) {}
    }
    int main(void) {
      shmem_init();
      const int me = shmem_my_pe();
      shmem_barrier_all();
      for (long round = 1; round <= 10; ++round) {
        if (me == 0) shmem_long_p(&token, round, 1);
        until(round);
        if (me == 1) shmem_long_p(&token, round, 0);
      }
      if (me == 0) shmem_long_p((long*)&looked_at, 8, 1);
      else until(11);
      shmem_finalize();
    })",
                                "c", "-O1 -g");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 128 + 11);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("rank 1 (node n1) crashed with SIGSEGV"), HasSubstr("until+")));
}

// A loop that has waited hundreds of times in the same way goes another way when another place has
// been written, and what was known of it does not hold any more: rank 1 answers forty questions in
// the middle of its waits, and rank 0 waits for each answer.
TEST(RunSpin, LoopsThatHaveWaitedOftenSeeWhateverChanges) {
  const CompiledProgram program(R"(
    #include <shmem.h>
    #include <stdio.h>
    static volatile long token, asked, answer;
    static volatile unsigned long drawn = 1;
    static long answered;
    __attribute__((noinline)) void until(long wanted) {
      while (token < wanted) {
        if (asked != answered) {
          answered = asked;
          shmem_long_p((long*)&answer, answered, 0);
        }
        for (int i = 0; i < 50; ++i) drawn = drawn * 6364136223846793005UL + 1442695040888963407UL;
      }
    }
    int main(void) {
      shmem_init();
      const int me = shmem_my_pe();
      shmem_barrier_all();
      for (long round = 1; round <= 400; ++round) {
        if (me == 0 && round % 10 == 0) {
          shmem_long_p((long*)&asked, round, 1);
          while (answer != round) {}
        }
        if (me == 0) shmem_long_p((long*)&token, round, 1);
        until(round);
        if (me == 1) shmem_long_p((long*)&token, round, 0);
      }
      if (me == 1) printf("%ld\n", answered);
      shmem_finalize();
    })",
                                "c", "-O2");
  EXPECT_EQ(program.run("-n 2").out, "400\n");
}

// What a rank does between its looks may take long: 3,500 instructions that draw numbers which
// nobody needs, in a register or in memory. Signals of timers that come while it is thought of are
// not dealt with on top of each other, on a stack of 64 KiB.
TEST(RunSpin, LooksMayTakeLong) {
  const auto run = [](const std::string& between) {
    const std::string look = "token < round && ({ " + between + " 1; })";
    return CompiledProgram(token_ring(look), "c", "-O2").run_once("-n 2 --stack 64KiB", "500");
  };
  const std::string often =
      "for (int i = 0; i < 500; ++i) { "
      "drawn = drawn * 6364136223846793005UL + 1442695040888963407UL;";
  const Outcome in_register =
      run("static unsigned long drawn; " + often + R"( __asm__ volatile("" : "+r"(drawn)); })");
  EXPECT_EQ(in_register.status, 0) << in_register.err;
  const Outcome in_memory = run("static volatile unsigned long drawn; " + often + " }");
  EXPECT_EQ(in_memory.status, 0) << in_memory.err;
}

// A loop looks at 64 places by turns, one in each round: it sees what arrives at any of them when
// it arrives, after each of four milliseconds and the barriers between them, though a third rank
// has something to do for longer.
TEST(RunSpin, LooksByTurnsSeeWhatArrives) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <shmem.h>
    #include <stdio.h>
    #include <unistd.h>
    static volatile long places[64];
    int main(void) {
      shmem_init();
      const int me = shmem_my_pe();
      shmem_barrier_all();
      for (long round = 1; me < 2 && round <= 4; ++round) {
        if (me == 0) {
          usleep(1000);
          shmem_long_p((long*)&places[round * 17 % 64], round, 1);
        } else {
          unsigned i = 0;
          while (places[i = (i + 1) % 64] != round) {}
          printf("%u at %.3f\n", i, heddle_time());
        }
      }
      if (me == 2) usleep(9000);
      shmem_barrier_all();
      shmem_finalize();
    })",
                                "c", "-O2");
  EXPECT_EQ(program.run("-n 3").out, "17 at 0.001\n34 at 0.002\n51 at 0.003\n4 at 0.004\n");
}

// However long a look takes and whatever finds that it waits, a trap or a timer: all runs fire the
// same events at the same times as where a look takes two instructions.
TEST(RunSpin, LongLooksEndAlwaysAtTheSameTime) {
  const auto run = [](const CompiledProgram& program, const std::string& how) {
    const Outcome outcome = program.run_once("-n 4 --fingerprint --privatize " + how, "60");
    return outcome.out + outcome.err;
  };
  const CompiledProgram plain(token_ring("token < round"), "c", "-O2");
  const std::string expected = run(plain, "copies");
  EXPECT_THAT(expected, HasSubstr("fingerprint"));
  for (const std::string often : {"200", "500", "1000"}) {
    const CompiledProgram program(
        token_ring("token < round && ({ static volatile unsigned long drawn; for (int i = 0; i < " +
                   often + "; ++i) drawn = drawn * 6364136223846793005UL + 1; 1; })"),
        "c", "-O2");
    for (const std::string how : kPrivatizations) {
      for (int i = 0; i < 2; ++i) EXPECT_EQ(run(program, how), expected) << often << " " << how;
    }
  }
}

// Where floating-point numbers decide, threads are known by their registers alone. One that has
// just gone on has the same ones, though it has not looked yet: it is not set aside again, and so
// all runs end at the same time.
TEST(RunSpin, LooksThatAreNotUnderstoodEndAlwaysAtTheSameTime) {
  const CompiledProgram program(token_ring("(double)token < (double)round"), "c", "-O2");
  const std::string first = program.run("-n 8", "10").out;
  EXPECT_THAT(first, HasSubstr("e-"));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(program.run("-n 8", "10").out, first);
}

// Nobody will ever write the flag: a deadlock, which says where it is looked at.
TEST(RunSpin, InVainIsADeadlock) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    static volatile int flag;
    __attribute__((noinline)) void wait_for_flag(void) { while (!flag); }
    int main(void) {
      if (heddle_rank() == 1) wait_for_flag();
      heddle_barrier();
    })",
                                "c", "-g");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("deadlock"), HasSubstr("rank 0 waits in heddle_barrier"),
                             HasSubstr("rank 1 looks at its memory again and again at "
                                       "wait_for_flag+"),
                             HasSubstr("(program.c:4)")));
}

// Computing is not waiting: it takes no simulated time, however long it takes here, also if another
// rank has something to do meanwhile.
TEST(RunSpin, ComputingIsLeftAlone) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      unsigned long x = 1;
      if (heddle_rank() == 1) heddle_compute(1);
      else for (long i = 0; i < 150000000; ++i) x = x * 6364136223846793005UL + 1442695040888963407UL;
      if (heddle_rank() == 0) printf("%d %.6f\n", x != 0, heddle_time());
    })",
                                "c", "-O1");
  EXPECT_EQ(program.run("-n 2").out, "1 0.000000\n");
}

// Loops on clocks alone end, in nanoseconds that the processor's counter shows as well.
TEST(RunSpin, LoopsOnClocksEnd) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <stdio.h>
    #include <time.h>
    #if defined(__x86_64__)
    static unsigned long counter(void) { unsigned lo, hi; __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)); return lo | (unsigned long)hi << 32; }
    #else
    static unsigned long counter(void) { unsigned long count; __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count)); return count; }
    #endif
    int main(void) {
      while (heddle_time() < 1e-4);
      struct timespec now = {0, 0};
      while (now.tv_nsec < 200000) clock_gettime(CLOCK_MONOTONIC, &now);
      const unsigned long begin = counter();
      heddle_compute(1e-3);
      printf("%lu us\n", (counter() - begin) / 1000);
      while (counter() < begin + 1010000);
      PtlInit();
      while (heddle_time() < 2e-3) PtlAtomicSync();
      printf("%.3f\n", heddle_time());
    })");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "1000 us\n1000 us\n0.002\n0.002\n")
        << how;
  }
}

// Eight ranks hand a token round and wait for it with MPI_Test, long enough to be known to do so.
// They are told when it is there, and so it takes the time that it takes with MPI_Wait, but for the
// 10 ns of a look in vain each time.
TEST(RunSpin, TestsFindWhatWaitsWouldFind) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    #include <stdio.h>
    #include <stdlib.h>
    int main(int count, char** arguments) {
      const int waits = atoi(arguments[1]);
      int rank, size, done; long token = 0; MPI_Request request;
      MPI_Init(NULL, NULL);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &size);
      for (long round = 0; round < 50; ++round) {
        if (rank == 0) MPI_Send(&round, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
        MPI_Irecv(&token, 1, MPI_LONG, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
        if (waits) MPI_Wait(&request, MPI_STATUS_IGNORE);
        else do MPI_Test(&request, &done, MPI_STATUS_IGNORE); while (!done);
        if (rank != 0) MPI_Send(&token, 1, MPI_LONG, (rank + 1) % size, 0, MPI_COMM_WORLD);
      }
      if (rank == 0) printf("%.9f\n", MPI_Wtime());
      MPI_Finalize();
    })");
  const double by_wait = std::stod(program.run("-n 8", "1").out);
  const double by_test = std::stod(program.run("-n 8", "0").out);
  EXPECT_GT(by_wait, 100e-6);
  EXPECT_NEAR(by_test, by_wait, 50 * 8 * 10e-9);
}

// Without files and without a time limit, select waits for a signal, as poll does.
TEST(RunSpin, SelectWithoutFilesWaitsForASignal) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <errno.h>
    #include <signal.h>
    #include <stdio.h>
    #include <sys/select.h>
    #include <unistd.h>
    static void ring(int signal) {}
    int main(void) {
      signal(SIGALRM, ring);
      alarm(2);
      const int answer = select(0, NULL, NULL, NULL, NULL);
      printf("%d %d %.0f\n", answer, errno == EINTR, heddle_time());
    })");
  EXPECT_EQ(program.run("-n 1").out, "-1 1 2\n");
}

// A rank looks at memory that another puts into, and does more than that at each look: counts its
// looks in memory, looks at places by turns, draws random numbers, looks in a library's way. All
// find it when it comes.
TEST(RunSpin, LooksMayWriteMemory) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <stdio.h>
    #include <stdlib.h>
    static volatile long flags[2]; static long values[2] = {1, 1};
    static long looks; static size_t start; static unsigned seed;
    __attribute__((noinline)) static int test_any(int mode) {
      if (mode == 1) ++looks;
      if (mode == 2) start = (start + 1) % 2;
      if (mode == 3) start = rand_r(&seed) % 2;
      for (size_t i = 0; i < 2; ++i) if (flags[(start + i) % 2] != 0) return 1;
      return 0;
    }
    int main(int count, char** arguments) {
      const int mode = atoi(arguments[1]);
      ptl_handle_ni_t ni; ptl_pt_index_t index; ptl_handle_le_t le; ptl_handle_md_t md;
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL, PTL_PID_ANY, NULL, NULL, &ni);
      PtlPTAlloc(ni, 0, PTL_EQ_NONE, 0, &index);
      const ptl_le_t entry = {(void*)flags, sizeof flags, PTL_CT_NONE, PTL_UID_ANY, PTL_LE_OP_PUT};
      PtlLEAppend(ni, index, &entry, PTL_PRIORITY_LIST, NULL, &le);
      const ptl_md_t source = {values, sizeof values, 0, PTL_EQ_NONE, PTL_CT_NONE};
      PtlMDBind(ni, &source, &md);
      heddle_barrier();
      if (heddle_rank() == 0) {
        const ptl_process_t target = {.phys = {heddle_nid(1), heddle_pid(1)}};
        heddle_compute(1e-3);
        PtlPut(md, 0, sizeof values, PTL_NO_ACK_REQ, target, 0, 0, 0, NULL, 0);
      } else {
        while (!test_any(mode));
        printf("%.3f\n", heddle_time());
      }
      heddle_barrier();
    })",
                                "c", "-O1");
  for (const std::string mode : {"0", "1", "2", "3"}) {
    const Outcome run = program.run("-n 2 --set host.spin_patience=1h", mode);
    EXPECT_EQ(run.out, "0.001\n") << mode << run.err;
  }
}

}  // namespace
}  // namespace heddle::cli
