// Simulated time as the C library has it.
#pragma once

#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <cstdint>

namespace heddle::preload {

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000;
inline constexpr std::int64_t kPsPerNs = 1000;
inline constexpr std::int64_t kLongest = std::int64_t{9'000'000} * kNsPerSecond;  ///< Simulated.

inline timespec as_timespec(std::int64_t ns) {
  return {ns / kNsPerSecond, ns % kNsPerSecond};
}
inline timeval as_timeval(std::int64_t ns) {
  return {ns / kNsPerSecond, ns % kNsPerSecond / 1000};
}
/// At most what can be simulated.
inline std::int64_t as_ns(const timespec& t) {
  return std::min<std::int64_t>(t.tv_sec, kLongest / kNsPerSecond) * kNsPerSecond + t.tv_nsec;
}
inline std::int64_t as_ns(const timeval& t) {
  return as_ns(timespec{t.tv_sec, t.tv_usec * 1000});
}
inline bool valid(const timespec& t) {
  return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < kNsPerSecond;
}
inline bool is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}
inline bool is_processor(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

/// Simulated time, in ns; a look at the clock.
std::int64_t simulated_ns();
/// How long from now until a clock shows `t`, in ns; not negative.
std::int64_t ns_until(clockid_t clock, const timespec& t);
/// Looks for ready files, `look(argument)`, until there are some or the time is over (-1: never).
int look_for_files(std::int64_t ns, int (*look)(void*), void* argument);

}  // namespace heddle::preload
