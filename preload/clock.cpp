// The C library's clocks and sleeps, on the simulated node.
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "connection.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

/// How often somebody looks who waits for files to become ready.
constexpr std::int64_t kLookForFiles = 1'000'000;

/// What CLOCK_MONOTONIC shows. The node may have been up for a while, for programs may take a clock
/// at zero for one that they have not looked at yet.
std::int64_t uptime_ns() {
  static const char* const before = getenv(heddle::processes::kUptimeVariable);
  return (before == nullptr ? 0 : kNsPerSecond * atoi(before)) + simulated_ns();
}
std::int64_t calendar_ns() {
  return circumstances().epoch * kNsPerSecond + simulated_ns();
}
std::int64_t processor_ns() {
  return call_or(std::int64_t{0}, CallNumber::processor_ns);
}

/// Sleeps; answers 0, or EINTR with what was left.
int sleep_for(std::int64_t ns, timespec* left = nullptr) {
  const std::int64_t duration = std::clamp<std::int64_t>(ns, 0, kLongest) * kPsPerNs;
  const std::int64_t rest = call_or(std::int64_t{0}, CallNumber::sleep, duration);
  if (rest == 0) return 0;
  if (left != nullptr) *left = as_timespec(rest / kPsPerNs);
  return EINTR;
}

int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

std::int64_t simulated_ns() {
  return look_at_clock() / kPsPerNs;
}

std::int64_t ns_until(clockid_t clock, const timespec& t) {
  const std::int64_t now = is_calendar(clock) ? calendar_ns() : uptime_ns();
  // Calendar times are larger than what can be simulated.
  return std::clamp<std::int64_t>(t.tv_sec * kNsPerSecond + t.tv_nsec - now, 0, kLongest);
}

int look_for_files(std::int64_t ns, int (*look)(void*), void* argument) {
  for (std::int64_t left = ns;;) {
    const int ready = look(argument);
    if (ready != 0 || left == 0) return ready;
    const std::int64_t step = left < 0 ? kLookForFiles : std::min(left, kLookForFiles);
    if (const int interrupted = sleep_for(step)) return with_errno(interrupted);
    if (left > 0) left -= step;
  }
}

}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(clock_gettime)(clock, result);
  *result = as_timespec(is_processor(clock)  ? processor_ns()
                        : is_calendar(clock) ? calendar_ns()
                                             : uptime_ns());
  return 0;
}

int timespec_get(timespec* result, int base) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(timespec_get)(result, base);
  *result = as_timespec(calendar_ns());
  return base;
}

int gettimeofday(timeval* result, void* zone) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(gettimeofday)(result, zone);
  const timespec now = as_timespec(calendar_ns());
  *result = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(time)(result);
  const time_t seconds = calendar_ns() / kNsPerSecond;
  if (result != nullptr) *result = seconds;
  return seconds;
}

clock_t clock() noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(clock)();
  return processor_ns() / (kNsPerSecond / CLOCKS_PER_SEC);
}

clock_t times(tms* result) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(times)(result);
  constexpr std::int64_t kTick = kNsPerSecond / 100;
  if (result != nullptr) *result = {processor_ns() / kTick, 0, 0, 0};
  return simulated_ns() / kTick;
}

int getrusage(__rusage_who_t who, rusage* result) noexcept {
  const int status = HEDDLE_SYSTEM(getrusage)(who, result);
  if (!simulated() || status != 0 || who == RUSAGE_CHILDREN) return status;
  const timespec used = as_timespec(processor_ns());
  result->ru_utime = {used.tv_sec, used.tv_nsec / 1000};
  result->ru_stime = {};
  return 0;
}

unsigned int sleep(unsigned int seconds) {
  if (!simulated()) return HEDDLE_SYSTEM(sleep)(seconds);
  timespec left{};
  sleep_for(seconds * kNsPerSecond, &left);
  return static_cast<unsigned int>(left.tv_sec + (left.tv_nsec >= kNsPerSecond / 2 ? 1 : 0));
}

int usleep(useconds_t microseconds) {
  if (!simulated()) return HEDDLE_SYSTEM(usleep)(microseconds);
  return with_errno(sleep_for(microseconds * std::int64_t{1000}));
}

int nanosleep(const timespec* duration, timespec* left) {
  if (!simulated()) return HEDDLE_SYSTEM(nanosleep)(duration, left);
  return with_errno(valid(*duration) ? sleep_for(as_ns(*duration), left) : EINVAL);
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* duration, timespec* left) {
  if (!simulated()) return HEDDLE_SYSTEM(clock_nanosleep)(clock, flags, duration, left);
  if (!valid(*duration)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return sleep_for(as_ns(*duration), left);
  return sleep_for(ns_until(clock, *duration));
}

int thrd_sleep(const timespec* duration, timespec* left) {
  return nanosleep(duration, left) == 0 ? 0 : -1;
}

int sched_yield() noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(sched_yield)();
  call_or(0, CallNumber::yield);
  return 0;
}

int pause() {
  if (!simulated()) return HEDDLE_SYSTEM(pause)();
  call_or(0, CallNumber::wait_for_signal);
  return with_errno(EINTR);
}
}
