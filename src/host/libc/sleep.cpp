// Sleeping, and waiting for signals.
#include <errno.h>
#include <sched.h>
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
  const Time when = instant_of(clock, *duration);
  return sleep_for(std::max(when - current_rank()->now(), Time::zero()), nullptr);
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
}
