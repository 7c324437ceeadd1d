// Clocks: simulated time, at a small cost per look.
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "host/libc/rank_call.hpp"

namespace heddle::host {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// Nanoseconds of simulated time, after the cost of looking.
std::int64_t simulated_ns(Rank& rank) {
  const Call call(rank);
  rank.charge(rank.job().params().clock_cost);
  return rank.now().ps() / 1000;
}

std::int64_t calendar_ns(Rank& rank) {
  return rank.job().params().epoch * kNsPerSecond + simulated_ns(rank);
}

timespec as_timespec(std::int64_t ns) {
  return {ns / kNsPerSecond, ns % kNsPerSecond};
}

bool is_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(clock_gettime)(clock, result);
  Rank& rank = *current_rank();
  *result = as_timespec(is_calendar(clock) ? calendar_ns(rank) : simulated_ns(rank));
  return 0;
}

int clock_getres(clockid_t clock, timespec* result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(clock_getres)(clock, result);
  if (result != nullptr) *result = {0, 1};
  return 0;
}

int timespec_get(timespec* result, int base) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(timespec_get)(result, base);
  *result = as_timespec(calendar_ns(*current_rank()));
  return base;
}

int gettimeofday(timeval* result, void* zone) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(gettimeofday)(result, zone);
  const timespec now = as_timespec(calendar_ns(*current_rank()));
  *result = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(time)(result);
  const time_t seconds = calendar_ns(*current_rank()) / kNsPerSecond;
  if (result != nullptr) *result = seconds;
  return seconds;
}

clock_t clock() noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(clock)();
  return simulated_ns(*current_rank()) / (kNsPerSecond / CLOCKS_PER_SEC);
}

clock_t times(tms* result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(times)(result);
  constexpr std::int64_t kTicksPerSecond = 100;
  const clock_t ticks = simulated_ns(*current_rank()) / (kNsPerSecond / kTicksPerSecond);
  if (result != nullptr) *result = {ticks, 0, 0, 0};
  return ticks;
}
}
