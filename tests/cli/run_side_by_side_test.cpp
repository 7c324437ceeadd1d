// Ranks that compute on several threads of this computer: nothing but real time tells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Some arithmetic, and what programs have on top of it.
const std::string kBeginning = R"(
    #include <math.h>
    #include <mpi.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    static int rank, size;
    static double state;
    static double work(int steps) {
      double* numbers = malloc(sizeof(double) * 1000);
      for (int i = 0; i < 1000; ++i) numbers[i] = state + i;
      for (int s = 0; s < steps; ++s)
        for (int i = 1; i < 1000; ++i) numbers[i] = 0.5 * (numbers[i - 1] + sqrt(fabs(numbers[i])));
      state = numbers[999];
      free(numbers);
      return state;
    }
    static void begin(int* count, char*** arguments) {
      MPI_Init(count, arguments);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &size);
      state = rank + 1;
    }
)";

/// Halos by requests, sums, rings by pairs, collectives that are trees, clocks, and output from
/// all ranks in the middle of it; each rank takes a different time.
const std::string kMixed = kBeginning + R"(
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      const int next = (rank + 1) % size, last = (rank + size - 1) % size;
      static double out[2000], in[2][2000], sum, all[64];
      for (int step = 0; step < 12; ++step) {
        MPI_Request requests[4];
        out[0] = work(20 + 10 * (rank % 3));
        const int length = step % 3 == 0 ? 2000 : 1 + step;
        MPI_Irecv(in[0], length, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, requests);
        MPI_Irecv(in[1], length, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, requests + 1);
        MPI_Isend(out, length, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, requests + 2);
        MPI_Isend(out, length, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, requests + 3);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        state += 1e-3 * (in[0][0] + in[1][0]);
        work(20);
        if (step % 4 == rank % 4) printf("%d: %d %.15g at %.12f\n", step, rank, state, MPI_Wtime());
        MPI_Allreduce(&state, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        state += 1e-6 * sum;
        work(10 + 30 * (rank == step));
        MPI_Sendrecv(&state, 1, MPI_DOUBLE, next, 3, in[0], 1, MPI_DOUBLE, last, 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        work(20);
        MPI_Bcast(&in[0][0], 1, MPI_DOUBLE, step % size, MPI_COMM_WORLD);
        work(10);
        MPI_Allgather(&in[0][0], 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        if (rank == 0) {
          for (int r = 1; r < size; ++r) {
            MPI_Recv(in[1], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            state += 1e-9 * in[1][0];
          }
        } else {
          work(rank % 5);
          MPI_Send(&state, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        work(15);
      }
      printf("rank %d: %.15g at %.12f\n", rank, state, MPI_Wtime());
      MPI_Finalize();
      return rank == 2 ? 3 : 0;
    })";

/// What may go on while it is certain what it finds, and what may not: long messages that need
/// their receives, buffers that are written to at once, wildcards, probes, tests, requests that are
/// waited for later or some at a time, persistent ones, sums of the program's own, windows.
const std::string kManyWaits = kBeginning + R"(
    enum { kLong = 20000 };
    static double out[kLong], in[kLong], sums[8], all[64];
    static void larger(void* a, void* b, int* n, MPI_Datatype* type) {
      (void)type;
      for (int i = 0; i < *n; ++i)
        if (((double*)a)[i] > ((double*)b)[i]) ((double*)b)[i] = ((double*)a)[i];
    }
    static void take(double number) { state += 1e-6 * fmod(number, 1000); }
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      const int next = (rank + 1) % size, last = (rank + size - 1) % size;
      MPI_Op largest;
      MPI_Op_create(larger, 1, &largest);
      MPI_Request early, later, always[2];
      MPI_Send_init(sums, 8, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, always);
      MPI_Recv_init(all, 8, MPI_DOUBLE, last, 7, MPI_COMM_WORLD, always + 1);
      MPI_Status status;
      for (int step = 0; step < 6; ++step) {
        for (int i = 0; i < kLong; ++i) out[i] = state + i;
        MPI_Irecv(in, kLong, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &early);
        MPI_Send(out, step % 2 ? kLong : 50, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
        memset(out, 0, sizeof out);
        work(30 + 20 * (rank % 3));
        MPI_Wait(&early, &status);
        take(in[10]);
        work(30);
        MPI_Sendrecv(in, kLong, MPI_DOUBLE, last, 2, out, kLong, MPI_DOUBLE, next, 2,
                     MPI_COMM_WORLD, &status);
        for (int i = 0; i < kLong; ++i) in[i] = i;
        take(out[11]);
        work(25 * (1 + rank % 2));
        MPI_Isend(&state, 1, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &later);
        double got[2];
        if (rank % 2) {
          MPI_Recv(got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        } else {
          MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
          MPI_Recv(got, 1, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status);
        }
        work(20);
        MPI_Wait(&later, MPI_STATUS_IGNORE);
        take(got[0]);
        memset(sums, 0, sizeof sums);
        sums[0] = state;
        MPI_Startall(2, always);
        work(10);
        int done = 0;
        while (!done) MPI_Testall(2, always, &done, MPI_STATUSES_IGNORE);
        take(all[0]);
        MPI_Request both[2];
        MPI_Irecv(got, 1, MPI_DOUBLE, last, 4, MPI_COMM_WORLD, both);
        MPI_Irecv(got + 1, 1, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, both + 1);
        MPI_Ssend(&state, 1, MPI_DOUBLE, next, 4, MPI_COMM_WORLD);
        work(5 * (rank % 4));
        MPI_Send(&state, 1, MPI_DOUBLE, last, 5, MPI_COMM_WORLD);
        for (int i = 0; i < 2; ++i) {
          int which;
          MPI_Waitany(2, both, &which, MPI_STATUS_IGNORE);
          work(15);
          take(got[which] * (1 + which));
        }
        MPI_Allreduce(&state, sums, 1, MPI_DOUBLE, largest, MPI_COMM_WORLD);
        work(20);
        MPI_Reduce(sums, sums + 1, 1, MPI_DOUBLE, MPI_SUM, step % size, MPI_COMM_WORLD);
        work(20);
        MPI_Alltoall(in, 4, MPI_DOUBLE, out, 4, MPI_DOUBLE, MPI_COMM_WORLD);
        work(20);
        MPI_Scan(&state, sums + 2, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        work(20);
        MPI_Gather(&state, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        work(20);
        MPI_Ibarrier(MPI_COMM_WORLD, &early);
        MPI_Recv_init(got, 1, MPI_DOUBLE, last, 6, MPI_COMM_WORLD, &later);
        MPI_Start(&later);
        MPI_Send(&state, 1, MPI_DOUBLE, next, 6, MPI_COMM_WORLD);
        MPI_Wait(&later, MPI_STATUS_IGNORE);
        MPI_Request_free(&later);
        work(20);
        MPI_Wait(&early, MPI_STATUS_IGNORE);
        take(sums[0] + sums[2] + out[3] + got[0]);
        if (step == 4) {
          double* memory;
          MPI_Win window;
          MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
          memory[0] = 0;
          MPI_Win_fence(0, window);
          MPI_Accumulate(&state, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, MPI_SUM, window);
          MPI_Win_fence(0, window);
          work(20);
          take(memory[0]);
          MPI_Win_free(&window);
        }
        if (step == rank) printf("%d %.15g at %.12f\n", rank, state, MPI_Wtime());
      }
      printf("rank %d: %.15g at %.12f\n", rank, state, MPI_Wtime());
      MPI_Finalize();
      return 0;
    })";

/// What is printed, the fingerprint and the exit status: everything but how long it really took.
void expect_same(const Outcome& one, const Outcome& other, const std::string& how) {
  EXPECT_EQ(other.out, one.out) << how;
  EXPECT_EQ(other.err, one.err) << how;
  EXPECT_EQ(other.status, one.status) << how;
}

// A fingerprint is a hash of when every event happened, and in what order.
TEST(RunSideBySide, NumberOfThreadsMakesNoDifference) {
  for (const std::string& text : {kMixed, kManyWaits}) {
    const CompiledProgram program(text, "c", "-O2 -lm");
    for (const std::string machine :
         {"-p fat-tree-64", "-p torus-512 --map random:3", "-p quito --ranks-per-node 2",
          "-p fat-tree-64 --network packet", "-p bxi-v2 --set mpi.transport=portals"}) {
      const std::string options = "-n 8 --privatize copies --fingerprint " + machine;
      const Outcome one = program.run(options);
      EXPECT_EQ(one.status, text == kMixed ? 3 : 0) << one.err;
      for (const std::string threads : {"2", "3", "8"}) {
        expect_same(one, program.run(options + " --threads " + threads), machine + ", " + threads);
      }
    }
  }
}

// Where the time went is the same, too: of each call, each rank, and of the adapters.
TEST(RunSideBySide, NorToWhatARunSaysOfItself) {
  for (const std::string& text : {kMixed, kManyWaits}) {
    const CompiledProgram program(text, "c", "-O2 -lm");
    const std::string options = "-n 8 --privatize copies -p fat-tree-64 --mpi-calls ";
    program.run(options + "one.csv");
    program.run(options + "two.csv --threads 2");
    const std::string calls = file_text(program.folder() + "/one.csv");
    EXPECT_THAT(calls, HasSubstr("MPI_Allreduce"));
    EXPECT_EQ(calls, file_text(program.folder() + "/two.csv"));
  }
}

// A message to each of two ranks, which the farther one gets later by more than a receiver's
// overhead. Both compute until they see that the other one does: whoever computes alone gives up.
TEST(RunSideBySide, WhatIsUnderWayIsCertain) {
  const CompiledProgram program(kBeginning + R"(
    #include <sys/mman.h>
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      volatile int* there = 0;
      if (rank == 0) there = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      MPI_Bcast((void*)&there, sizeof there, MPI_BYTE, 0, MPI_COMM_WORLD);
      // So that long stretches of computation are expected.
      for (int i = 0; i < 12; ++i) {
        work(200);
        MPI_Barrier(MPI_COMM_WORLD);
      }
      if (rank == 0) {
        usleep(50);
        for (int r = 1; r < size; ++r) MPI_Send(&state, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
      } else {
        double got;
        MPI_Recv(&got, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        __atomic_add_fetch(there, 1, __ATOMIC_SEQ_CST);
        long patience = 2000000000;
        while (*there < size - 1 && --patience > 0);
        printf("%s\n", patience > 0 ? "together" : "alone");
      }
      MPI_Finalize();
      return 0;
    })",
                                "c", "-O2 -lm");
  std::ofstream(program.folder() + "/places") << "n0\nn1\nn40\n";
  EXPECT_EQ(program.run("-n 3 -p fat-tree-64 --map file:places --privatize copies --threads 2").out,
            "together\ntogether\n");
}

// Threads take up what they are given in random orders, and pause.
TEST(RunSideBySide, NorDoesTheOrderInWhichTheyCompute) {
  const CompiledProgram program(kManyWaits, "c", "-O2 -lm");
  const std::string options = "-n 7 --privatize copies --fingerprint -p fat-tree-64";
  const Outcome one = program.run(options);
  for (int seed = 1; seed <= 12; ++seed) {
    const std::string how = " --threads 3 --set host.disturb_threads=" + std::to_string(seed);
    expect_same(one, program.run(options + how), how);
  }
}

// A sum costs the processor 100 ns, which what computes ahead is charged in its turn, before it
// looks at its clock: also where the turn comes before a thread has begun with what follows the
// sum. That is often so, for threads pause up to 64 us before they begin, and nothing is computed
// here.
TEST(RunSideBySide, WhatIsLeftForTheTurnIsChargedThen) {
  const CompiledProgram program(kBeginning + R"(
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      double sum, times = 0, of_all[4];
      for (int step = 0; step < 50; ++step) {
        MPI_Allreduce(&state, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        times += MPI_Wtime();
      }
      MPI_Gather(&times, 1, MPI_DOUBLE, of_all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      if (rank == 0) printf("%.12f %.12f %.12f\n", of_all[0], of_all[1], of_all[3]);
      MPI_Finalize();
      return 0;
    })",
                                "c", "-O2 -lm");
  const std::string options =
      "-n 4 --privatize copies --fingerprint -p fat-tree-64 --set mpi.reduction_cost=100ns";
  const Outcome one = program.run(options);
  for (int seed = 1; seed <= 4; ++seed) {
    const std::string how = " --threads 2 --set host.disturb_threads=" + std::to_string(seed);
    expect_same(one, program.run(options + how), how);
  }
}

// Each stretch of computation takes 1 us of simulated time.
TEST(RunSideBySide, NorWhenComputationTakesAFixedTime) {
  const CompiledProgram program(kMixed, "c", "-O2 -lm");
  const std::string options = "-n 6 --privatize copies --fingerprint --compute fixed:1us";
  expect_same(program.run(options), program.run(options + " --threads 3"), options);
}

// Rank 2 falls at an instant at which others compute as well; what all have written by then is
// there, and nothing after it.
TEST(RunSideBySide, ARankFailsInItsTurn) {
  for (const std::string failure :
       {"*(volatile int*)0 = 1;", "abort();", "exit(7);", "MPI_Abort(MPI_COMM_WORLD, 5);"}) {
    const CompiledProgram program(kBeginning + R"(
      int main(int count, char** arguments) {
        begin(&count, &arguments);
        for (int step = 0; step < 20; ++step) {
          work(100);
          double sum;
          MPI_Allreduce(&state, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          work(100);
          printf("%d %d\n", step, rank);
          if (rank == 2 && step == 10) { )" +
                                      failure +
                                      R"( }
        }
        MPI_Finalize();
        return 0;
      })",
                                  "c", "-O2 -lm");
    const std::string options = "-n 4 --privatize copies";
    const Outcome one = program.run(options);
    EXPECT_NE(one.status, 0) << failure;
    for (int i = 0; i < 3; ++i) expect_same(one, program.run(options + " --threads 2"), failure);
  }
}

// Rank 1 never comes back from its own code, in which it is ahead of its turn: it is taken back and
// counts as hanging, as ever.
TEST(RunSideBySide, ARankThatComputesForeverIsNamed) {
  const CompiledProgram program(kBeginning + R"(
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      for (int step = 0; step < 5; ++step) {
        double sum;
        work(200);
        MPI_Allreduce(&state, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      }
      if (rank == 1) for (volatile long i = 0;; ++i);
      MPI_Finalize();
      return 0;
    })",
                                "c", "-O2 -lm");
  const Outcome outcome =
      program.run("-n 4 --privatize copies --threads 2 --max-host-time-per-step 100ms");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("rank 1"));
}

// Code of a rank keeps what belongs to a thread, whichever thread runs it: errno, variables of the
// thread, and what rounds.
TEST(RunSideBySide, WhatBelongsToAThreadFollowsItsRank) {
  const CompiledProgram program(kBeginning + R"(
    #include <errno.h>
    #include <fenv.h>
    static _Thread_local int own;
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      own = errno = 100 + rank;
      fesetround(rank % 2 ? FE_UPWARD : FE_DOWNWARD);
      int wrong = 0;
      for (int step = 0; step < 30; ++step) {
        double sum;
        work(50);
        volatile double third = 1;
        third /= 3;
        wrong += own != 100 + rank || errno != 100 + rank || (third * 3 > 1) != (rank % 2);
        MPI_Allreduce(&state, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      }
      printf("%d\n", wrong);
      MPI_Finalize();
      return 0;
    })",
                                "c", "-O2 -lm");
  EXPECT_EQ(program.run("-n 4 --privatize copies --threads 3").out, "0\n0\n0\n0\n");
}

TEST(RunSideBySide, SaysWhyRanksStayOnOneThread) {
  const CompiledProgram program(kBeginning + R"(
    int main(int count, char** arguments) {
      begin(&count, &arguments);
      int option = getopt(count, arguments, "x");
      MPI_Finalize();
      return option + optind;
    })",
                                "c", "-O2 -lm");
  const auto why = [&](const std::string& options) {
    return program.run_once("-n 2 --threads 2 " + options).err;
  };
  const std::string stays = "ranks stay on one thread: ";
  EXPECT_THAT(why("--privatize swap"), HasSubstr(stays + "their globals are not in memory"));
  EXPECT_THAT(why("--privatize copies"),
              HasSubstr(stays + "they share a variable of a library, opt"));
  EXPECT_THAT(why("--privatize copies --check"), HasSubstr(stays + "their use of MPI"));
  EXPECT_THAT(program.run_once("-n 2 --privatize swap --threads 1").err, Not(HasSubstr(stays)));
}

}  // namespace
}  // namespace heddle::cli
