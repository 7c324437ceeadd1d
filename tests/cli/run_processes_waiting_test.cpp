// Ranks that are processes, and wait by other means than calls of ours: time limits of locks,
// timers, and looks at their memory. All that takes simulated time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/plain_program.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// A program with the usual headers, and `at()`: seconds of simulated time since it began.
std::string timed_text(const std::string& text) {
  return R"(
      #define _GNU_SOURCE
      #include <errno.h>
      #include <heddle.h>
      #include <poll.h>
      #include <pthread.h>
      #include <semaphore.h>
      #include <signal.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <string.h>
      #include <sys/epoll.h>
      #include <sys/timerfd.h>
      #include <time.h>
      #include <unistd.h>
      static struct timespec in(clockid_t clock, long seconds) {
        struct timespec t;
        clock_gettime(clock, &t);
        t.tv_sec += seconds;
        return t;
      }
      static double at(void) { return (double)(long)(heddle_time() + 0.001); }
      )" +
         text;
}

/// Runs one rank of it; answers what it writes.
std::string written_by(const std::string& text, const std::string& options = "") {
  const PlainProgram program(timed_text(text), "-pthread");
  EXPECT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1 --processes " + options);
  EXPECT_EQ(run.status, 0) << run.err;
  return run.out;
}

// Who waits 10, 20, 30 and 40 s in vain is told so then, one after the other: after 10, 30, 60 and
// 100 s.
TEST(RunProcessesWaiting, LimitsOfLocksAreOnesOfSimulatedTime) {
  EXPECT_EQ(written_by(R"(
      int main() {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
        pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
        sem_t semaphore;
        sem_init(&semaphore, 0, 0);
        struct timespec t = in(CLOCK_REALTIME, 10);
        pthread_mutex_lock(&mutex);
        int error = 0;
        while (error == 0) error = pthread_cond_timedwait(&condition, &mutex, &t);
        printf("%d %.0f\n", error == ETIMEDOUT, at());
        t = in(CLOCK_MONOTONIC, 20);
        error = sem_clockwait(&semaphore, CLOCK_MONOTONIC, &t);
        printf("%d %.0f\n", error == -1 && errno == ETIMEDOUT, at());
        t = in(CLOCK_REALTIME, 30);
        error = pthread_mutex_timedlock(&mutex, &t);
        printf("%d %.0f\n", error == ETIMEDOUT, at());
        pthread_rwlock_wrlock(&lock);
        t = in(CLOCK_REALTIME, 40);
        error = pthread_rwlock_timedrdlock(&lock, &t);
        printf("%d %.0f\n", error == ETIMEDOUT, at());
        return 0;
      })"),
            "1 10\n1 30\n1 60\n1 100\n");
}

// A thread that sleeps 3 s, says so, sleeps 4 s and posts: who waits for it for up to an hour goes
// on after 3 and 7 s.
TEST(RunProcessesWaiting, ThreadsEndEachOthersTimedWaits) {
  EXPECT_EQ(written_by(R"(
      static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
      static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
      static sem_t semaphore;
      static int said = 0;
      static void* other(void* nothing) {
        sleep(3);
        pthread_mutex_lock(&mutex);
        said = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
        sleep(4);
        sem_post(&semaphore);
        sleep(5);
        return nothing;
      }
      int main() {
        pthread_t thread;
        sem_init(&semaphore, 0, 0);
        pthread_create(&thread, NULL, other, NULL);
        struct timespec t = in(CLOCK_REALTIME, 3600);
        pthread_mutex_lock(&mutex);
        int error = 0;
        while (!said && error == 0) error = pthread_cond_timedwait(&condition, &mutex, &t);
        printf("%d %.0f\n", error, at());
        error = sem_timedwait(&semaphore, &t);
        printf("%d %.0f\n", error, at());
        pthread_join(thread, NULL);
        return 0;
      })"),
            "0 3\n0 7\n");
}

// A lock as Python has it: who wants it looks every 5 ms, or when it is told. Forty hand-overs take
// no time, wherever the other thread is when it is told.
TEST(RunProcessesWaiting, WhoIsToldWhileItBeginsToWaitIsNotWaitingInVain) {
  EXPECT_EQ(written_by(R"(
      static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
      static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
      static sem_t semaphore;
      static int held = 0;
      static void take(void) {
        pthread_mutex_lock(&mutex);
        while (held) {
          struct timespec t = in(CLOCK_REALTIME, 0);
          t.tv_nsec += 5000000;
          if (t.tv_nsec >= 1000000000) ++t.tv_sec, t.tv_nsec -= 1000000000;
          pthread_cond_timedwait(&condition, &mutex, &t);
        }
        held = 1;
        pthread_mutex_unlock(&mutex);
      }
      static void drop(void) {
        pthread_mutex_lock(&mutex);
        held = 0;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
      }
      static void* other(void* nothing) {
        take();
        sem_post(&semaphore);
        drop();
        return nothing;
      }
      int main() {
        sem_init(&semaphore, 0, 0);
        take();
        for (int i = 0; i < 20; ++i) {
          pthread_t thread;
          pthread_create(&thread, NULL, other, NULL);
          drop();
          sem_wait(&semaphore);
          take();
          pthread_join(thread, NULL);
        }
        printf("%.0f ms\n", heddle_time() * 1e3);
        return 0;
      })"),
            "0 ms\n");
}

// Two thousand threads, one after the other, that do nothing but end: more than can be known at a
// time, and none of them is a call of the program's.
TEST(RunProcessesWaiting, ThreadsThatEndAtOnceAreManyMore) {
  EXPECT_EQ(written_by(R"(
      static sem_t semaphore;
      static void* other(void* nothing) {
        sem_post(&semaphore);
        return nothing;
      }
      int main() {
        sem_init(&semaphore, 0, 0);
        for (int i = 0; i < 2000; ++i) {
          pthread_t thread;
          pthread_create(&thread, NULL, other, NULL);
          sem_wait(&semaphore);
          pthread_join(thread, NULL);
        }
        printf("%.0f s\n", at());
        return 0;
      })"),
            "0 s\n");
}

// Blocked signals: none comes within 10 s, one of an alarm 5 s later, one of another 7 s after that
// for who has no limit, and one of another thread 3 s later.
TEST(RunProcessesWaiting, SignalsAreWaitedForInSimulatedTime) {
  EXPECT_EQ(written_by(R"(
      static void* other(void* nothing) {
        sleep(3);
        kill(getpid(), SIGUSR1);
        return nothing;
      }
      int main() {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGALRM);
        sigaddset(&signals, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &signals, NULL);
        const struct timespec limit = {10, 0};
        siginfo_t info;
        int number = sigtimedwait(&signals, &info, &limit);
        printf("%d %.0f\n", number == -1 && errno == EAGAIN, at());
        alarm(5);
        number = sigtimedwait(&signals, &info, &limit);
        printf("%d %.0f\n", number == SIGALRM && info.si_signo == SIGALRM, at());
        alarm(7);
        sigwait(&signals, &number);
        printf("%d %.0f\n", number == SIGALRM, at());
        pthread_t thread;
        pthread_create(&thread, NULL, other, NULL);
        number = sigwaitinfo(&signals, &info);
        printf("%d %.0f\n", number == SIGUSR1, at());
        pthread_join(thread, NULL);
        return 0;
      })"),
            "1 10\n1 15\n1 22\n1 25\n");
}

// A thread of 30 s is waited for 10 s in vain, then for up to 100 s until it ends; and one of 2 s
// by another clock.
TEST(RunProcessesWaiting, LimitsOfWaitingForThreadsAreOnesOfSimulatedTime) {
  EXPECT_EQ(written_by(R"(
      static void* other(void* seconds) {
        sleep((unsigned)(long)seconds);
        return seconds;
      }
      int main() {
        pthread_t thread;
        void* result = NULL;
        pthread_create(&thread, NULL, other, (void*)30);
        struct timespec t = in(CLOCK_REALTIME, 10);
        int error = pthread_timedjoin_np(thread, &result, &t);
        printf("%d %.0f\n", error == ETIMEDOUT, at());
        t = in(CLOCK_REALTIME, 100);
        error = pthread_timedjoin_np(thread, &result, &t);
        printf("%d %ld %.0f\n", error, (long)result, at());
        pthread_create(&thread, NULL, other, (void*)2);
        t = in(CLOCK_MONOTONIC, 50);
        error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &t);
        printf("%d %ld %.0f\n", error, (long)result, at());
        return 0;
      })"),
            "1 10\n0 30 30\n0 2 32\n");
}

// A timer sends signals after 5, 7 and 9 s; then it is put off for ever, and nothing ends a sleep
// of 10 s. Another calls a function after 2 s.
TEST(RunProcessesWaiting, TimersExpireInSimulatedTime) {
  EXPECT_EQ(written_by(R"(
      static volatile int rings = 0, value = 0, called = 0;
      static void ring(int number, siginfo_t* info, void* context) {
        ++rings;
        value = info->si_value.sival_int;
      }
      static void call(union sigval value) { called = value.sival_int; }
      int main() {
        struct sigaction action = {.sa_sigaction = ring, .sa_flags = SA_SIGINFO};
        sigaction(SIGUSR1, &action, NULL);
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value = {.sival_int = 42}};
        timer_t timer, other;
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 1;
        struct itimerspec when = {{2, 0}, {5, 0}}, left;
        timer_settime(timer, 0, &when, NULL);
        timer_gettime(timer, &left);
        printf("%ld\n", (long)left.it_value.tv_sec + (left.it_value.tv_nsec > 0));
        for (int i = 0; i < 3; ++i) {
          sleep(100);
          printf("%d %d %.0f\n", rings, value, at());
        }
        memset(&when, 0, sizeof when);
        timer_settime(timer, 0, &when, NULL);
        timer_delete(timer);
        event.sigev_notify = SIGEV_THREAD;
        event.sigev_notify_function = call;
        timer_create(CLOCK_REALTIME, &event, &other);
        when.it_value.tv_sec = 2;
        timer_settime(other, 0, &when, NULL);
        printf("%u ", sleep(10));
        printf("%d %d %.0f\n", rings, called, at());
        timer_delete(other);
        return 0;
      })"),
            "5\n1 42 5\n2 42 7\n3 42 9\n0 3 42 19\n");
}

// A file that is a timer expires after 6 s and every 4 s: its reader goes on at 6 s; after 9 more
// seconds it has expired twice more, at 10 and 14 s; epoll sees the next at 18 s, poll at 22 s.
TEST(RunProcessesWaiting, TimersThatAreFilesExpireInSimulatedTime) {
  EXPECT_EQ(written_by(R"(
      int main() {
        const int file = timerfd_create(CLOCK_MONOTONIC, 0), all = epoll_create1(0);
        const struct itimerspec when = {{4, 0}, {6, 0}};
        uint64_t times = 0;
        timerfd_settime(file, 0, &when, NULL);
        if (read(file, &times, sizeof times) != sizeof times) return 1;
        printf("%d %.0f\n", (int)times, at());
        sleep(9);
        if (read(file, &times, sizeof times) != sizeof times) return 1;
        printf("%d %.0f\n", (int)times, at());
        struct epoll_event event = {.events = EPOLLIN};
        epoll_ctl(all, EPOLL_CTL_ADD, file, &event);
        printf("%d ", epoll_wait(all, &event, 1, -1));
        printf("%.0f\n", at());
        if (read(file, &times, sizeof times) != sizeof times) return 1;
        struct pollfd ready = {file, POLLIN, 0};
        printf("%d ", poll(&ready, 1, 60000));
        printf("%.0f\n", at());
        return 0;
      })"),
            "1 6\n2 15\n1 18\n1 22\n");
}

// The processor's counter counts simulated nanoseconds: 3e9 in 3 s. A child sees that of the real
// machine, and a fault of the program's own is still the program's.
TEST(RunProcessesWaiting, TheProcessorsCounterIsSimulated) {
  EXPECT_EQ(written_by(R"(
      #include <setjmp.h>
      #include <stdlib.h>
      static sigjmp_buf place;
      static void fault(int number) { siglongjmp(place, 1); }
      static unsigned long counter(void) {
      #if defined(__x86_64__)
        unsigned lo, hi;
        __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
        return lo | (unsigned long)hi << 32;
      #else
        unsigned long count, frequency;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
        __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
        return frequency == 1000000000 ? count : 0;
      #endif
      }
      int main() {
        const unsigned long before = counter();
        sleep(3);
        const unsigned long counted = counter() - before;
        printf("%d %d\n", counted >= 3000000000ul && counted < 3000001000ul, system("date >/dev/null"));
        signal(SIGSEGV, fault);
        if (sigsetjmp(place, 1) == 0) *(volatile int*)8 = 1;
        printf("still there, %d\n", counter() > before);
        return 0;
      })"),
            "1 0\nstill there, 1\n");
}

#if defined(__x86_64__)  // Others tell the frequency themselves.
// Who reads the counter finds its frequency, 1 GHz, where libraries look for it: 1000 MHz in every
// entry, and twice as many turns of the kernel's loop. All else stays, such as the vendor.
TEST(RunProcessesWaiting, TheCountersFrequencyIsInTheProcessorsDescription) {
  EXPECT_EQ(written_by(R"(
      #include <fcntl.h>
      #include <string.h>
      static int vendors = 0, others = 0, found = 0;
      static void look(const char* line) {
        if (strncmp(line, "vendor_id", 9) == 0) ++vendors;
        const char* value = strchr(line, ':');
        if (strncmp(line, "cpu MHz", 7) == 0) strcmp(value, ": 1000.000\n") == 0 ? ++found : ++others;
        if (strncmp(line, "bogomips", 8) == 0) strcmp(value, ": 2000.00\n") == 0 ? ++found : ++others;
      }
      int main() {
        unsigned lo, hi;
        __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
        char line[4096];
        FILE* streams[] = {fopen("/proc/cpuinfo", "r"), fdopen(open("/proc/cpuinfo", O_RDONLY), "r")};
        for (int i = 0; i < 2; ++i) {
          while (fgets(line, sizeof line, streams[i]) != NULL) look(line);
          fclose(streams[i]);
        }
        printf("%d %d\n", found == 2 * vendors && vendors > 0, others);
        return 0;
      })"),
            "1 0\n");
}
#endif

/// Two ranks: one puts a word into the other's memory after 2 s, which looks at it without a call.
constexpr const char* kLooking = R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <stdio.h>
    static volatile long word = 0;
    int main(int argc, char** argv) {
      ptl_handle_ni_t ni; ptl_handle_md_t md; ptl_handle_le_t le; ptl_pt_index_t pt;
      ptl_process_t target; target.rank = 1;
      static long one = 1;
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
      PtlPTAlloc(ni, 0, PTL_EQ_NONE, 3, &pt);
      ptl_le_t entry = {.start = (void*)&word, .length = sizeof word, .ct_handle = PTL_CT_NONE, .uid = PTL_UID_ANY,
                        .options = PTL_LE_OP_PUT};
      ptl_md_t bound = {.start = &one, .length = sizeof one, .eq_handle = PTL_EQ_NONE, .ct_handle = PTL_CT_NONE};
      PtlLEAppend(ni, pt, &entry, PTL_PRIORITY_LIST, NULL, &le);
      PtlMDBind(ni, &bound, &md);
      heddle_barrier();
      if (heddle_rank() == 0) {
        heddle_compute(2);
        PtlPut(md, 0, sizeof one, PTL_NO_ACK_REQ, target, pt, 0, 0, NULL, 0);
      } else {
        while (word == 0) {}
        printf("%.0f s\n", heddle_time());
      }
      heddle_barrier();
      return 0;
    })";

TEST(RunProcessesWaiting, WhoLooksAtMemoryGoesOnWhenItIsWritten) {
  const PlainProgram program(kLooking);
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 2 --processes");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "2 s\n");
}

// A thread looks at a variable that another one sets after 2 s; both are one rank's.
TEST(RunProcessesWaiting, WhoLooksAtMemoryGoesOnWhenAnotherThreadHasWrittenIt) {
  EXPECT_EQ(written_by(R"(
      static volatile int done = 0;
      static void* other(void* nothing) {
        sleep(2);
        done = 1;
        sleep(1);
        return nothing;
      }
      int main() {
        pthread_t thread;
        pthread_create(&thread, NULL, other, NULL);
        while (!done) {}
        printf("%.0f\n", at());
        pthread_join(thread, NULL);
        return 0;
      })"),
            "2\n");
}

// One that counts while it looks is waited for as long as host.spin_patience says, and told of.
TEST(RunProcessesWaiting, WhoCountsWhileLookingIsWaitedForPatiently) {
  std::string text = kLooking;
  const std::string loop = "while (word == 0) {}";
  text.replace(text.find(loop), loop.size(), "for (volatile long n = 0; word == 0; ++n) {}");
  const PlainProgram program(text);
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 2 --processes --set host.spin_patience=100ms");
  EXPECT_EQ(run.out, "2 s\n") << run.err;
  EXPECT_THAT(run.err, HasSubstr("rank 1 has run for"));
}

// Nobody ever writes what it looks at: that is a deadlock, not a hang.
TEST(RunProcessesWaiting, WhoLooksAtMemoryForEverIsADeadlock) {
  const PlainProgram program(
      "int main() { volatile int word = 0; while (word == 0) {} return 0; }");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1 --processes");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("rank 0 looks at its memory again and again"));
}

TEST(RunProcessesWaiting, AStepCanBeLimited) {
  const PlainProgram program("int main() { for (volatile long n = 0;; ++n) {} return 0; }");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1 --processes --max-host-time-per-step 200ms");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("rank 0"));
}

// A process that waits for what the simulator does not know of, here a pipe that its child writes
// after 0.3 s of real time, holds the others up for 50 ms: rank 1 finds simulated time passed.
TEST(RunProcessesWaiting, WhoSleepsOutsideOfCallsIsWaitedForAsLongAsIsSaid) {
  const PlainProgram program(R"(
      #include <heddle.h>
      #include <stdio.h>
      #include <unistd.h>
      int main() {
        if (heddle_rank() == 0) {
          FILE* pipe = popen("exec sleep 0.3", "r");
          while (fgetc(pipe) != EOF) {}
          pclose(pipe);
        }
        heddle_barrier();
        if (heddle_rank() == 1) printf("%d\n", heddle_time() > 2e-6);
        return 0;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  EXPECT_EQ(program.run("-n 2 --processes --set host.outside_patience=50ms").out, "1\n");
  EXPECT_EQ(program.run("-n 2 --processes --set host.outside_patience=60s").out, "0\n");
}

}  // namespace
}  // namespace heddle::cli
