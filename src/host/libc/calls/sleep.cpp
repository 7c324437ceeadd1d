// Sleeping, and waiting for signals.
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/rank/waiting.hpp"

namespace heddle::host {
namespace {

timespec as_timespec(Time t) {
  const std::int64_t ns = t.ps() / 1000;
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

/// Sleeps; answers 0, or EINTR with what was left.
int sleep_for(Time duration, timespec* left) {
  Rank& rank = *current_rank();
  const Call call(rank);
  const Time rest = rank.thread().waits().sleep(duration);
  if (rest == Time::zero()) return 0;
  if (left != nullptr) *left = as_timespec(rest);
  return EINTR;
}

/// Sleeps until a clock shows `t`; answers 0 or EINTR.
int sleep_until(clockid_t clock, const timespec& t) {
  const Time when = instant_of(clock, &t);
  return sleep_for(std::max(when - current_rank()->now(), Time::zero()), nullptr);
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
  if (current_process() == nullptr) {
    return HEDDLE_REAL(clock_nanosleep)(clock, flags, duration, left);
  }
  if (!valid(*duration)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return sleep_for(as_time(*duration), left);
  return sleep_until(clock, *duration);
}

int sched_yield() noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(sched_yield)();
  const Call call(*current_rank());
  current_rank()->thread().looks().polled("yields in sched_yield");
  return 0;
}

/// Without files to watch, a way to sleep, or to wait for a signal.
int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout) {
  if (current_process() == nullptr || count > 0) {
    return HEDDLE_REAL(select)(count, read, write, except, timeout);
  }
  if (timeout == nullptr) return pause();
  return with_errno(sleep_for(Time::s(timeout->tv_sec) + Time::us(timeout->tv_usec), nullptr));
}

int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* timeout,
            const sigset_t* mask) {
  if (current_process() == nullptr || count > 0) {
    return HEDDLE_REAL(pselect)(count, read, write, except, timeout, mask);
  }
  return ppoll(nullptr, 0, timeout, mask);
}

int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (current_process() == nullptr || count > 0) {
    return HEDDLE_REAL(poll)(files, count, milliseconds);
  }
  if (milliseconds < 0) return pause();
  return with_errno(sleep_for(Time::ms(milliseconds), nullptr));
}

int ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (current_process() == nullptr || count > 0) {
    return HEDDLE_REAL(ppoll)(files, count, timeout, mask);
  }
  if (timeout == nullptr) return pause();
  return with_errno(valid(*timeout) ? sleep_for(as_time(*timeout), nullptr) : EINVAL);
}

int pause() {
  if (current_process() == nullptr) return HEDDLE_REAL(pause)();
  const Call call(*current_rank());
  current_rank()->thread().waits().wait_for_signal("waits for a signal in pause");
  return with_errno(EINTR);
}

int sigsuspend(const sigset_t* mask) {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(sigsuspend)(mask);
  const Call call(*current_rank());
  const SignalSet before = process->signals().blocked();
  process->signals().block(signals_of(*mask));
  current_rank()->thread().waits().wait_for_signal("waits for a signal in sigsuspend");
  process->signals().block(before);
  return with_errno(EINTR);
}
}
