// Programs with several threads in a rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string lines(const std::string& line, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line + "\n";
  return text;
}

/// Expects that each rank prints `line`, however ranks get their globals.
void expect_line(const CompiledProgram& program, const std::string& line,
                 const std::string& options = "", std::initializer_list<int> numbers = {1, 3, 16}) {
  for (const std::string how : kPrivatizations) {
    for (const int ranks : numbers) {
      const Outcome run =
          program.run("-n " + std::to_string(ranks) + " --privatize " + how + " " + options);
      EXPECT_EQ(run.out, lines(line, ranks)) << how << run.err;
      EXPECT_EQ(run.status, 0);
    }
  }
}

// Four threads add one three times each to a global, with a sleep of 10 us between reading and
// writing it, under a mutex: 12 in 120 us. Each has its own thread-local variable, which begins
// with 7 and to which it adds its number: 7 + 8 + 9 + 10 = 34, the first thread's stays 7. A key's
// destructor sees each of them once.
TEST(RunThreads, ShareGlobalsAndHaveTheirOwnThreadLocals) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static __thread int mine = 7;
    static int shared, destroyed;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_key_t key;
    static void destroy(void* value) { destroyed += *(int*)value; }
    static void* work(void* number) {
      mine += (int)(long)number;
      pthread_setspecific(key, &mine);
      for (int i = 0; i < 3; ++i) {
        pthread_mutex_lock(&lock);
        const int seen = shared;
        usleep(10);
        shared = seen + 1;
        pthread_mutex_unlock(&lock);
      }
      return (void*)(long)mine;
    }
    int main(void) {
      pthread_t threads[4];
      long sum = 0;
      pthread_key_create(&key, destroy);
      for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
      for (int i = 0; i < 4; ++i) {
        void* result;
        pthread_join(threads[i], &result);
        sum += (long)result;
      }
      printf("%d %ld %d %d %.6f\n", shared, sum, mine, destroyed, heddle_time());
    })");
  expect_line(program, "12 34 7 34 0.000120");
}

// C++: conditions give four threads their turn, a variable in a function is made once although that
// takes time, an atomic wakes who waits for it, a barrier and a semaphore bring three together.
TEST(RunThreads, OfCxxWaitForEachOther) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <atomic>
    #include <barrier>
    #include <condition_variable>
    #include <cstdio>
    #include <future>
    #include <mutex>
    #include <semaphore>
    #include <shared_mutex>
    #include <thread>
    #include <vector>
    static int& counter() { static int c = (heddle_compute(1e-6), 40); return c; }
    int main() {
      std::mutex mutex; std::condition_variable changed; int turn = 0; std::vector<int> order;
      std::vector<std::thread> threads;
      for (int i = 3; i >= 0; --i)
        threads.emplace_back([&, i] {
          ++counter();
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return turn == i; });
          order.push_back(i); ++turn;
          changed.notify_all();
        });
      for (auto& thread : threads) thread.join();
      for (int i : order) std::printf("%d ", i);
      const int five = std::async(std::launch::async, [] { return 5; }).get();
      std::atomic<int> flag = 0;
      std::thread waiter([&] { flag.wait(0); flag += 4; });
      heddle_compute(1e-6);
      flag = 1; flag.notify_all();
      waiter.join();
      std::barrier meeting(3); std::counting_semaphore<3> done(0); std::shared_mutex shared; int in = 0;
      std::vector<std::jthread> others;
      for (int i = 0; i < 3; ++i)
        others.emplace_back([&] {
          { std::shared_lock lock(shared); }
          meeting.arrive_and_wait();
          { std::unique_lock lock(shared); ++in; }
          done.release();
        });
      for (int i = 0; i < 3; ++i) done.acquire();
      std::printf("%d %d %d %d %u\n", counter(), five, flag.load(), in, std::thread::hardware_concurrency());
    })",
                                "cpp", "-std=c++20");
  expect_line(program, "0 1 2 3 44 5 5 3 2", "--threads-per-rank 2");
}

// C's own threads: the result is twice 21, and what runs once did.
TEST(RunThreads, OfCWaitForEachOther) {
  const CompiledProgram program(R"(
    #include <stdio.h>
    #include <threads.h>
    static mtx_t mutex; static cnd_t changed; static tss_t key; static once_flag flag = ONCE_FLAG_INIT;
    static int ready, times;
    static void once(void) { ++times; }
    static int work(void* value) {
      call_once(&flag, once);
      tss_set(key, value);
      mtx_lock(&mutex);
      while (!ready) cnd_wait(&changed, &mutex);
      mtx_unlock(&mutex);
      return *(int*)tss_get(key) * 2;
    }
    int main(void) {
      int value = 21, result = 0;
      thrd_t thread;
      mtx_init(&mutex, mtx_plain); cnd_init(&changed); tss_create(&key, NULL);
      thrd_create(&thread, work, &value);
      thrd_sleep(&(struct timespec){0, 1000}, NULL);
      mtx_lock(&mutex); ready = 1; cnd_signal(&changed); mtx_unlock(&mutex);
      thrd_join(thread, &result);
      call_once(&flag, once);
      printf("%d %d %d\n", result, times, tss_get(key) == NULL);
    })");
  expect_line(program, "42 1 1");
}

// POSIX's barriers, spin locks, locks for readers and writers, semaphores, detached threads and the
// end of the first thread before the last.
TEST(RunThreads, OfPosixWaitForEachOther) {
  const CompiledProgram program(R"(
    #define _GNU_SOURCE
    #include <heddle.h>
    #include <errno.h>
    #include <pthread.h>
    #include <semaphore.h>
    #include <stdio.h>
    #include <unistd.h>
    static pthread_barrier_t barrier; static pthread_spinlock_t spin;
    static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER; static sem_t done;
    static pthread_mutex_t checked; static int count, serial, readers, most;
    static void* work(void* unused) {
      if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
      pthread_spin_lock(&spin); int c = count; usleep(1); count = c + 1; pthread_spin_unlock(&spin);
      pthread_rwlock_rdlock(&rwlock);
      if (++readers > most) most = readers;
      usleep(5); --readers;
      pthread_rwlock_unlock(&rwlock);
      pthread_rwlock_wrlock(&rwlock); c = count; usleep(1); count = c + 1; pthread_rwlock_unlock(&rwlock);
      sem_post(&done);
      return NULL;
    }
    static void* late(void* unused) { usleep(1000); printf("%d %d %d at %.3f\n", count, serial, most, heddle_time()); return NULL; }
    int main(void) {
      pthread_t thread; pthread_mutexattr_t kind;
      pthread_mutexattr_init(&kind); pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
      pthread_mutex_init(&checked, &kind);
      pthread_mutex_lock(&checked);
      if (pthread_mutex_lock(&checked) != EDEADLK || pthread_mutex_trylock(&checked) != EBUSY) return 1;
      pthread_barrier_init(&barrier, NULL, 3); pthread_spin_init(&spin, 0); sem_init(&done, 0, 0);
      for (int i = 0; i < 3; ++i) { pthread_create(&thread, NULL, work, NULL); pthread_detach(thread); }
      for (int i = 0; i < 3; ++i) sem_wait(&done);
      pthread_create(&thread, NULL, late, NULL);
      pthread_exit(NULL);
    })");
  expect_line(program, "6 1 3 at 0.001");
}

// Four threads of OpenMP: each 1 ms of computing, 0.1 ms of it one after the other. On four cores
// that takes 1.3 ms, on one 4 ms; as many threads as a rank finds cores start by default.
TEST(RunThreads, OfOpenMpComputeOnTheNodesCores) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <omp.h>
    #include <stdio.h>
    int main(void) {
      int threads = 0, tasks = 0, sum = 0;
      const int most = omp_get_max_threads();
      #pragma omp parallel num_threads(4) reduction(+ : threads)
      {
        threads += 1;
        #pragma omp critical
        heddle_compute(1e-4);
        #pragma omp barrier
        heddle_compute(9e-4);
        #pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < 100; ++i) sum += i;
      }
      #pragma omp parallel num_threads(3)
      #pragma omp single
      for (int i = 0; i < 10; ++i) {
        #pragma omp task shared(tasks)
        {
          #pragma omp atomic
          ++tasks;
        }
      }
      printf("%d of %d, %d, %d, %.4f\n", threads, most, sum, tasks, heddle_time());
    })",
                                "c", "-fopenmp");
  expect_line(program, "4 of 4, 4950, 10, 0.0013", "--threads-per-rank 4 --set node.cores=4",
              {1, 3});
  // Many copies of OpenMP's library have more thread-local variables than the C library has room
  // for.
  expect_line(program, "4 of 1, 4950, 10, 0.0040", "--set node.cores=4", {1, 3});
  const Outcome many = program.run_once("-n 16 --threads-per-rank 4 --set node.cores=4");
  EXPECT_EQ(many.out, lines("4 of 4, 4950, 10, 0.0013", 16)) << many.err;
}

// Who locks its own mutex a second time waits for ever: the report says where, for what, and where
// that was locked.
TEST(RunThreads, DeadlocksOfMutexesNameOwnerAndPlace) {
  const CompiledProgram program(R"(
    #include <pthread.h>
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    __attribute__((noinline)) void again(void) { pthread_mutex_lock(&mutex); }
    int main(void) { pthread_mutex_lock(&mutex); again(); })",
                                "c", "-g");
  for (const std::string how : kPrivatizations) {
    const Outcome run = program.run("-n 1 --privatize " + how);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err,
                AllOf(HasSubstr("deadlock"), HasSubstr("rank 0 waits at again+"),
                      HasSubstr("(program.c:4) for a mutex that rank 0 holds, locked at main+"),
                      HasSubstr("(program.c:5)")))
        << how;
  }
}

// Three threads meet by looking at a counter under a lock that is always free when they look, and
// one of them comes 1 ms late: the others let that time pass, and see it within a microsecond.
TEST(RunThreads, WaitByLookingUnderALock) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
    static int left = 3, left_again = 3;
    static void* meet(void* late) {
      if (late) usleep(1000);
      pthread_mutex_lock(&mutex);
      int seen = --left;
      pthread_mutex_unlock(&mutex);
      while (seen > 0) {
        pthread_mutex_lock(&mutex);
        seen = left;
        pthread_mutex_unlock(&mutex);
      }
      pthread_rwlock_wrlock(&rwlock);
      seen = --left_again;
      pthread_rwlock_unlock(&rwlock);
      while (seen > 0) {
        pthread_rwlock_rdlock(&rwlock);
        seen = left_again;
        pthread_rwlock_unlock(&rwlock);
      }
      return 0;
    }
    int main(void) {
      pthread_t threads[3];
      for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, meet, (void*)(i == 1));
      for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
      printf("%d us\n", (int)(heddle_time() * 1e6));
    })");
  expect_line(program, "1000 us");
}

// A library of the system's kind, shared by two ranks, holds a lock of its own while time passes:
// the second rank waits for the first, for 1 ms.
TEST(RunThreads, RanksWaitForLocksOfSharedLibraries) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    int main(void) {
      static pthread_mutex_t* mutex;
      if (heddle_rank() == 0) {
        mutex = malloc(sizeof *mutex);
        pthread_mutex_init(mutex, NULL);
        heddle_put("mutex", &mutex, sizeof mutex);
      }
      heddle_fence();
      heddle_get(0, "mutex", &mutex, sizeof mutex);
      pthread_mutex_lock(mutex);
      usleep(1000);
      pthread_mutex_unlock(mutex);
      printf("%.3f\n", heddle_time());
    })");
  for (const std::string how : kPrivatizations) {
    EXPECT_EQ(program.run("-n 2 --privatize " + how).out, "0.001\n0.002\n") << how;
  }
}

// Two threads of a rank wait for two ranks' messages, each for its own; a rank ends although a
// thread of it still waits.
TEST(RunThreads, WaitInPortalsEachForItself) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <pthread.h>
    #include <stdio.h>
    static ptl_handle_ni_t ni; static ptl_handle_ct_t ct[3]; static ptl_handle_md_t md; static char buffer[8];
    static ptl_ct_event_t event;
    static void* wait_for(void* counter) {
      ptl_ct_event_t seen;
      PtlCTWait(ct[(long)counter], 1, &seen);
      return NULL;
    }
    int main(void) {
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL, PTL_PID_ANY, NULL, NULL, &ni);
      for (int i = 0; i < 3; ++i) {
        ptl_pt_index_t index; ptl_handle_le_t le;
        PtlCTAlloc(ni, &ct[i]);
        PtlPTAlloc(ni, 0, PTL_EQ_NONE, i, &index);
        const ptl_le_t entry = {buffer, 8, ct[i], PTL_UID_ANY, PTL_LE_OP_PUT | PTL_LE_EVENT_CT_COMM};
        PtlLEAppend(ni, index, &entry, PTL_PRIORITY_LIST, NULL, &le);
      }
      heddle_barrier();
      const ptl_md_t source = {buffer, 8, 0, PTL_EQ_NONE, PTL_CT_NONE};
      PtlMDBind(ni, &source, &md);
      if (heddle_rank() > 0) {
        const ptl_process_t target = {.phys = {heddle_nid(0), heddle_pid(0)}};
        heddle_compute(1e-3 * (3 - heddle_rank()));
        PtlPut(md, 0, 8, PTL_NO_ACK_REQ, target, heddle_rank() - 1, 0, 0, NULL, 0);
        PtlCTWait(ct[2], 1, &event);
      } else {
        pthread_t threads[3];
        for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, wait_for, (void*)i);
        pthread_join(threads[1], NULL); printf("%.3f\n", heddle_time());
        pthread_join(threads[0], NULL); printf("%.3f\n", heddle_time());
        for (int i = 1; i < 3; ++i) {
          const ptl_process_t target = {.phys = {heddle_nid(i), heddle_pid(i)}};
          PtlPut(md, 0, 8, PTL_NO_ACK_REQ, target, 2, 0, 0, NULL, 0);
        }
        heddle_compute(1e-3);
      }
    })");
  for (const std::string how : kPrivatizations) {
    const Outcome run = program.run("-n 3 --privatize " + how);
    EXPECT_EQ(run.out, "0.001\n0.002\n") << run.err;
    EXPECT_EQ(run.status, 0) << run.err;
  }
}

// A thread that crashes is named by its rank; threads churn without end of resources.
TEST(RunThreads, MayCrashAndMayBeMany) {
  const CompiledProgram program(R"(
    #include <pthread.h>
    #include <stdio.h>
    static int count;
    static void* add(void* one) { return (void*)(long)++count; }
    void* fault(void* where) { *(volatile int*)where = 1; return NULL; }
    int main(int argc, char** argv) {
      pthread_t thread;
      if (argc > 1) { pthread_create(&thread, NULL, fault, (void*)16); pthread_join(thread, NULL); }
      for (int i = 0; i < 2000; ++i) { pthread_create(&thread, NULL, add, NULL); pthread_join(thread, NULL); }
      printf("%d\n", count);
    })");
  EXPECT_EQ(program.run("-n 2").out, "2000\n2000\n");
  const Outcome crash = program.run("-n 2", "crash");
  EXPECT_EQ(crash.status, 128 + 11);
  EXPECT_THAT(crash.err,
              HasSubstr("rank 0 (node n0) crashed with SIGSEGV at address 0x10, in fault"));
}

// One thread waits for a counter of Portals that another changes, by adding and by setting, after
// 50 ms each; a third polls two counters at a time.
TEST(RunThreads, ChangeCountersThatOthersWaitFor) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static ptl_handle_ct_t counter[2];
    static void* add(void* nothing) {
      const ptl_ct_event_t one = {1, 0};
      usleep(50000);
      for (int i = 0; i < 10; ++i) PtlCTInc(counter[0], one);
      return nothing;
    }
    static void* set(void* nothing) {
      const ptl_ct_event_t value = {20, 0};
      usleep(100000);
      PtlCTSet(counter[1], value);
      return nothing;
    }
    static void* poll_both(void* nothing) {
      const ptl_size_t wanted[2] = {11, 20}; ptl_ct_event_t event; unsigned int which;
      PtlCTPoll(counter, wanted, 2, PTL_TIME_FOREVER, &event, &which);
      printf("poll: %u at %.2f\n", which, heddle_time());
      return nothing;
    }
    int main(void) {
      ptl_handle_ni_t ni; pthread_t threads[3]; ptl_ct_event_t event;
      void* (*functions[3])(void*) = {add, set, poll_both};
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL, PTL_PID_ANY, NULL, NULL, &ni);
      for (int i = 0; i < 2; ++i) PtlCTAlloc(ni, &counter[i]);
      for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, functions[i], NULL);
      PtlCTWait(counter[0], 10, &event);
      printf("wait: %d at %.2f\n", (int)event.success, heddle_time());
      for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    })",
                                "c", "-pthread");
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.out, "wait: 10 at 0.05\npoll: 1 at 0.10\n") << run.err;
}

}  // namespace
}  // namespace heddle::cli
