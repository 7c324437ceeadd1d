// Waiting for blocked signals, which those of timers may be, in simulated time. Who waits looks
// again whenever a timer has expired or another thread of the process has run.
#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include <algorithm>

#include "connection.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

/// As sigtimedwait(2); `end_ps` is an instant of simulated time.
int await_signal(const sigset_t* set, siginfo_t* info, std::int64_t end_ps) {
  for (;;) {
    const timespec none{};
    const int number = HEDDLE_SYSTEM(sigtimedwait)(set, info, &none);
    if (number >= 0 || errno != EAGAIN) return number;
    if (look_at_clock() >= end_ps) {
      errno = EAGAIN;
      return -1;
    }
    call_or(0, CallNumber::wait_for_others, end_ps);
  }
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
  if (!simulated()) return HEDDLE_SYSTEM(sigtimedwait)(set, info, limit);
  if (limit == nullptr) return await_signal(set, info, INT64_MAX);
  if (!valid(*limit)) {
    errno = EINVAL;
    return -1;
  }
  return await_signal(set, info, look_at_clock() + std::min(as_ns(*limit), kLongest) * kPsPerNs);
}

int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (!simulated()) return HEDDLE_SYSTEM(sigwaitinfo)(set, info);
  return await_signal(set, info, INT64_MAX);
}

int sigwait(const sigset_t* set, int* number) {
  if (!simulated()) return HEDDLE_SYSTEM(sigwait)(set, number);
  const int saved = errno;
  int found = -1;
  do {
    found = await_signal(set, nullptr, INT64_MAX);
  } while (found < 0 && errno == EINTR);
  const int error = found < 0 ? errno : 0;
  errno = saved;
  if (found >= 0) *number = found;
  return error;
}
}
