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

/// What is printed, the fingerprint and the exit status: everything but how long it really took.
void expect_same(const Outcome& one, const Outcome& other, const std::string& how) {
  EXPECT_EQ(other.out, one.out) << how;
  EXPECT_EQ(other.err, one.err) << how;
  EXPECT_EQ(other.status, one.status) << how;
}

// A fingerprint is a hash of when every event happened, and in what order.
TEST(RunSideBySide, NumberOfThreadsMakesNoDifference) {
  const CompiledProgram program(kMixed, "c", "-O2 -lm");
  for (const std::string machine :
       {"-p fat-tree-64", "-p torus-512 --map random:3", "-p quito --ranks-per-node 2",
        "-p fat-tree-64 --network packet", "-p bxi-v2 --set mpi.transport=portals"}) {
    const std::string options = "-n 8 --privatize copies --fingerprint " + machine;
    const Outcome one = program.run(options);
    EXPECT_EQ(one.status, 3) << one.err;
    for (const std::string threads : {"2", "3", "8"}) {
      expect_same(one, program.run(options + " --threads " + threads), machine + ", " + threads);
    }
  }
}

// Threads take up what they are given in random orders, and pause.
TEST(RunSideBySide, NorDoesTheOrderInWhichTheyCompute) {
  const CompiledProgram program(kMixed, "c", "-O2 -lm");
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
