// Threads of a rank that wait by looking at memory that they share, without a call that waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A thread looks at a flag that another one sets after 1 ms.
TEST(RunSpin, ThreadsLookAtEachOthersFlags) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static volatile int flag;
    static void* set(void* unused) { usleep(1000); flag = 1; return NULL; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, NULL, set, NULL);
      while (!flag);
      printf("%.3f\n", heddle_time());
      pthread_join(thread, NULL);
    })",
                                "c", "-O2");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "0.001\n0.001\n") << how;
  }
}

// Two threads hand a turn to each other ten times through their memory alone.
TEST(RunSpin, ThreadsTakeTurnsWithoutACall) {
  const CompiledProgram program(R"(
    #include <pthread.h>
    #include <stdio.h>
    static volatile int turn;
    static void* answer(void* nothing) {
      for (int i = 0; i < 10; ++i) {
        while (turn != 1);
        turn = 0;
      }
      return nothing;
    }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, NULL, answer, NULL);
      for (int i = 0; i < 10; ++i) {
        turn = 1;
        while (turn != 0);
      }
      pthread_join(thread, NULL);
      puts("done");
    })",
                                "c", "-O2");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 1 --privatize " + how).out, "done\n") << how;
  }
}

// Four threads share out work by flags, 200 times, as the runtimes of some libraries do. What they
// compare with changes each time, so that none of these waits looks like the one before; still each
// is noticed in a fraction of a millisecond, for such threads are looked at often. A look every
// five milliseconds would make it most of a minute.
TEST(RunSpin, ThreadsThatOftenWaitAreNoticedSoon) {
  const CompiledProgram program(R"(
    #include <pthread.h>
    #include <stdio.h>
    #define THREADS 4
    static volatile int job, done[THREADS];
    static long sums[THREADS];
    static void part(int me, int round) {
      for (int i = 0; i < 1000; ++i) sums[me] += (i + round) % 3;
    }
    static void* work(void* argument) {
      int me = (int)(long)argument, seen = 0;
      for (;;) {
        while (job == seen);
        seen = job;
        if (seen < 0) return NULL;
        part(me, seen);
        __sync_synchronize();
        done[me] = seen;
      }
    }
    int main(void) {
      pthread_t threads[THREADS];
      for (long i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
      for (int round = 1; round <= 200; ++round) {
        __sync_synchronize();
        job = round;
        part(0, round);
        for (int i = 1; i < THREADS; ++i) while (done[i] != round);
      }
      job = -1;
      long sum = 0;
      for (int i = 0; i < THREADS; ++i) {
        if (i > 0) pthread_join(threads[i], NULL);
        sum += sums[i];
      }
      printf("%ld\n", sum);
    })",
                                "c", "-O2 -pthread");
  // As one thread has it.
  long expected = 0;
  for (int round = 1; round <= 200; ++round) {
    for (int i = 0; i < 1000; ++i) expected += 4 * ((i + round) % 3);
  }
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 1 --privatize " + how).out, std::to_string(expected) + "\n") << how;
  }
}

// A helper thread waits by looking in each of many phases, before which the other sleeps so often
// that nobody expects it any more. Each phase is 1.5 ms long, and the run has its end. Several such
// programs, each alone and then together, are five runs in one process.
TEST(RunSpin, AHelperThreadMayWaitInEveryPhase) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <pthread.h>
    #include <semaphore.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    static volatile int flag; static sem_t done; static int phases;
    static void* helper(void* unused) {
      for (int p = 1; p <= phases; ++p) {
        while (flag != p);
        sem_post(&done);
      }
      return NULL;
    }
    int main(int count, char** arguments) {
      pthread_t thread;
      phases = atoi(arguments[1]);
      sem_init(&done, 0, 0);
      pthread_create(&thread, NULL, helper, NULL);
      for (int p = 1; p <= phases; ++p) {
        for (int i = 0; i < 1500; ++i) usleep(1);
        flag = p;
        sem_wait(&done);
      }
      pthread_join(thread, NULL);
      printf("%.4f\n", heddle_time());
    })",
                                "c", "-O2 -pthread");
  EXPECT_EQ(program.run("-n 1", "8").out, "0.0120\n");
  EXPECT_EQ(program.run_once("-n 1", "100").out, "0.1500\n");
  const Outcome apart = heddle(
      "run -q --worlds apart --slowdown -n 1 ./program 2 : -n 1 ./program 2 : -n 1 ./program 2",
      program.folder());
  EXPECT_EQ(apart.status, 0) << apart.err;
  EXPECT_EQ(apart.out, "0.0030\n0.0030\n0.0030\n");
}

// Two threads hand a variable to and fro thousands of times without a call: with plain loads and
// with fences, counting in between, compiled with and without optimisation.
TEST(RunSpin, ThreadsHandAVariableToAndFro) {
  const std::string text = R"(
    #include <pthread.h>
    #include <stdio.h>
    static volatile int first, second, result;
    #ifdef FENCES
    #define FENCE __sync_synchronize()
    #else
    #define FENCE
    #endif
    static void* answer(void* nothing) {
      for (int i = 0; i < 2000; ++i) {
        while (first != 1);
        result++; FENCE; first = 0; second = 1;
      }
      return nothing;
    }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, NULL, answer, NULL);
      for (int i = 0; i < 2000; ++i) {
        FENCE; first = 1;
        while (second != 1);
        result++; FENCE; second = 0;
      }
      pthread_join(thread, NULL);
      printf("%d\n", result);
    })";
  for (const std::string options : {"-O2 -pthread", "-O0 -pthread", "-O2 -pthread -DFENCES"}) {
    const CompiledProgram program(text, "c", options);
    const Outcome run = program.run("-n 2");
    EXPECT_EQ(run.out, "4000\n4000\n") << options << run.err;
  }
}

// Both wait for the other, in loops that write: nothing will ever happen.
TEST(RunSpin, WritingWhileLookingInVainIsADeadlock) {
  const CompiledProgram program(R"(
    #include <pthread.h>
    static volatile int flag, other; static volatile long looks[2];
    static void* wait_for_other(void* nothing) { while (!other) ++looks[1]; flag = 1; return nothing; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, NULL, wait_for_other, NULL);
      while (!flag) ++looks[0];
      other = 1;
      pthread_join(thread, NULL);
    })",
                                "c", "-O1 -pthread");
  const Outcome run = program.run("-n 1 --set host.spin_patience=1h");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("deadlock"), HasSubstr("rank 0 looks at its memory"),
                             HasSubstr("rank 0, thread 1 looks at its memory")));
}

// Pools of threads that look for work without end, as OpenMP's do if asked to.
TEST(RunSpin, OpenMpMayWaitByLooking) {
  const CompiledProgram program(R"(
    #include <omp.h>
    #include <stdio.h>
    int main(void) {
      long sum = 0;
      for (int round = 0; round < 50; ++round) {
        #pragma omp parallel for reduction(+ : sum) num_threads(4)
        for (int i = 0; i < 100; ++i) sum += i;
      }
      printf("%ld\n", sum);
    })",
                                "c", "-O2 -fopenmp");
  for (const std::string how : {"GOMP_SPINCOUNT=infinite", "OMP_WAIT_POLICY=active"}) {
    const Outcome run =
        shell(how + " " + built("heddle") + " run -q -n 2 --threads-per-rank 4 ./program",
              program.folder());
    EXPECT_EQ(run.out, "247500\n247500\n") << how << run.err;
  }
}

}  // namespace
}  // namespace heddle::cli
