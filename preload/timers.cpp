// The C library's timer, on the simulated node: a signal after a while.
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>

#include "connection.hpp"

namespace heddle::preload {
namespace {

constexpr std::int64_t kUsPerSecond = 1'000'000;
constexpr std::int64_t kPsPerUs = 1'000'000;

std::int64_t expiry = 0;  ///< In us of simulated time; 0: none.

std::int64_t as_us(const timeval& t) {
  return t.tv_sec * kUsPerSecond + t.tv_usec;
}
timeval as_timeval(std::int64_t us) {
  return {us / kUsPerSecond, us % kUsPerSecond};
}

/// What is left until the timer expires, in us.
std::int64_t left() {
  return expiry == 0 ? 0 : std::max<std::int64_t>(expiry - look_at_clock() / kPsPerUs, 0);
}

/// Answers what was left of the timer before.
std::int64_t set_timer(std::int64_t first, std::int64_t interval) {
  const std::int64_t before = left();
  expiry = first == 0 ? 0 : look_at_clock() / kPsPerUs + first;
  call_or(0, CallNumber::set_timer, first * kPsPerUs, interval * kPsPerUs);
  return before;
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

unsigned int alarm(unsigned int seconds) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(alarm)(seconds);
  const std::int64_t before = set_timer(seconds * kUsPerSecond, 0);
  return static_cast<unsigned int>((before + kUsPerSecond - 1) / kUsPerSecond);
}

useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(ualarm)(first, interval);
  return static_cast<useconds_t>(set_timer(first, interval));
}

int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  if (!simulated() || which != ITIMER_REAL) return HEDDLE_SYSTEM(setitimer)(which, value, old);
  const std::int64_t before = set_timer(as_us(value->it_value), as_us(value->it_interval));
  if (old != nullptr) *old = {{0, 0}, as_timeval(before)};
  return 0;
}

int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  if (!simulated() || which != ITIMER_REAL) return HEDDLE_SYSTEM(getitimer)(which, value);
  *value = {{0, 0}, as_timeval(left())};
  return 0;
}
}
