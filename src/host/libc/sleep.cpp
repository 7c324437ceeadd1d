// Sleeping, and waiting for signals.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "host/libc/rank_call.hpp"

namespace heddle::host {
namespace {

bool valid(const timespec& t) {
  return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < 1'000'000'000;
}

Time as_time(const timespec& t) {
  constexpr std::int64_t kMostSeconds = 9'000'000;  // Beyond that simulated time ends.
  return Time::s(std::min<std::int64_t>(t.tv_sec, kMostSeconds)) + Time::ns(t.tv_nsec);
}

timespec as_timespec(Time t) {
  const std::int64_t ns = t.ps() / 1000;
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

/// Sleeps; answers 0, or EINTR with what was left.
int sleep_for(Time duration, timespec* left) {
  Rank& rank = *current_rank();
  const Call call(rank);
  const Time rest = rank.sleep(duration);
  if (rest == Time::zero()) return 0;
  if (left != nullptr) *left = as_timespec(rest);
  return EINTR;
}

/// An error number as functions that set errno give it.
int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/// The simulated time at which a clock shows `t`.
Time instant_of(clockid_t clock, const timespec& t) {
  const std::int64_t epoch = current_rank()->job().params().epoch;
  const bool calendar = clock == CLOCK_REALTIME || clock == CLOCK_TAI;
  return as_time({calendar ? std::max<std::int64_t>(t.tv_sec - epoch, 0) : t.tv_sec, t.tv_nsec});
}

/// Sleeps until a clock shows `t`; answers 0 or EINTR.
int sleep_until(clockid_t clock, const timespec& t) {
  const Time when = instant_of(clock, t);
  return sleep_for(std::max(when - current_rank()->now(), Time::zero()), nullptr);
}

/// Waits where only a signal handler could change anything, for a rank is one thread: until a clock
/// shows `end`, or for ever. Answers ETIMEDOUT, or EINTR after a handler.
int wait_for_handler(clockid_t clock, const timespec* end, const char* reason) {
  if (end != nullptr) return sleep_until(clock, *end) == 0 ? ETIMEDOUT : EINTR;
  const Call call(*current_rank());
  current_rank()->wait_for_signal(reason);
  return EINTR;
}

int wait_for_post(sem_t* semaphore, clockid_t clock, const timespec* end) {
  int status = 0;
  while (sem_trywait(semaphore) != 0) {
    if (status != 0) return with_errno(status);
    status = wait_for_handler(clock, end, "waits in sem_wait");
  }
  return 0;
}

/// Condition variables may wake for nothing: a handler is enough.
int wait_for_condition(clockid_t clock, const timespec* end) {
  const int status = wait_for_handler(clock, end, "waits in pthread_cond_wait");
  return status == EINTR ? 0 : status;
}

/// The clock of a condition variable is not to be seen; no calendar is in its first years.
clockid_t clock_of(const timespec& t) {
  constexpr std::int64_t kLongRun = 300'000'000;
  return t.tv_sec < kLongRun ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

unsigned int sleep(unsigned int seconds) {
  if (current_process() == nullptr) return HEDDLE_REAL(sleep)(seconds);
  timespec left{};
  sleep_for(Time::s(seconds), &left);
  return static_cast<unsigned int>(left.tv_sec + (left.tv_nsec >= 500'000'000 ? 1 : 0));
}

int usleep(useconds_t microseconds) {
  if (current_process() == nullptr) return HEDDLE_REAL(usleep)(microseconds);
  return with_errno(sleep_for(Time::us(microseconds), nullptr));
}

int nanosleep(const timespec* duration, timespec* left) {
  if (current_process() == nullptr) return HEDDLE_REAL(nanosleep)(duration, left);
  if (!valid(*duration)) return with_errno(EINVAL);
  return with_errno(sleep_for(as_time(*duration), left));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* duration, timespec* left) {
  if (current_process() == nullptr)
    return HEDDLE_REAL(clock_nanosleep)(clock, flags, duration, left);
  if (!valid(*duration)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return sleep_for(as_time(*duration), left);
  return sleep_until(clock, *duration);
}

int sched_yield() noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(sched_yield)();
  const Call call(*current_rank());
  current_rank()->polled("yields in sched_yield");
  return 0;
}

/// Without files to watch, a way to sleep.
int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout) {
  if (current_process() == nullptr || count > 0 || timeout == nullptr)
    return HEDDLE_REAL(select)(count, read, write, except, timeout);
  return with_errno(sleep_for(Time::s(timeout->tv_sec) + Time::us(timeout->tv_usec), nullptr));
}

int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (current_process() == nullptr || count > 0)
    return HEDDLE_REAL(poll)(files, count, milliseconds);
  if (milliseconds < 0) return pause();
  return with_errno(sleep_for(Time::ms(milliseconds), nullptr));
}

int ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (current_process() == nullptr || count > 0)
    return HEDDLE_REAL(ppoll)(files, count, timeout, mask);
  if (timeout == nullptr) return pause();
  return with_errno(valid(*timeout) ? sleep_for(as_time(*timeout), nullptr) : EINVAL);
}

int pause() {
  if (current_process() == nullptr) return HEDDLE_REAL(pause)();
  const Call call(*current_rank());
  current_rank()->wait_for_signal("waits for a signal in pause");
  return with_errno(EINTR);
}

int sigsuspend(const sigset_t* mask) {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(sigsuspend)(mask);
  const Call call(*current_rank());
  const SignalSet before = process->signals().blocked();
  process->signals().block(signals_of(*mask));
  current_rank()->wait_for_signal("waits for a signal in sigsuspend");
  process->signals().block(before);
  return with_errno(EINTR);
}

int sem_wait(sem_t* semaphore) {
  if (current_process() == nullptr) return HEDDLE_REAL(sem_wait)(semaphore);
  return wait_for_post(semaphore, CLOCK_REALTIME, nullptr);
}

int sem_timedwait(sem_t* semaphore, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(sem_timedwait)(semaphore, end);
  return wait_for_post(semaphore, CLOCK_REALTIME, end);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(sem_clockwait)(semaphore, clock, end);
  return wait_for_post(semaphore, clock, end);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_cond_wait)(condition, mutex);
  return wait_for_condition(CLOCK_REALTIME, nullptr);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  if (current_process() == nullptr)
    return HEDDLE_REAL(pthread_cond_timedwait)(condition, mutex, end);
  return wait_for_condition(clock_of(*end), end);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* end) {
  if (current_process() == nullptr)
    return HEDDLE_REAL(pthread_cond_clockwait)(condition, mutex, clock, end);
  return wait_for_condition(clock, end);
}
}
