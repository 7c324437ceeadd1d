// Clocks: simulated time, at a small cost per look.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/rank/processor_use.hpp"

namespace heddle::host {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// Lets the time pass that a look at a clock takes.
Rank& looked(Rank& rank) {
  const Call call(rank);
  rank.thread().looks().saw_clock();
  rank.thread().work().charge(rank.job().params().clock_cost);
  return rank;
}

/// Nanoseconds of simulated time, after the cost of looking.
std::int64_t simulated_ns(Rank& rank) {
  return looked(rank).now().ps() / 1000;
}

/// Nanoseconds that the rank has used its processor for.
std::int64_t processor_ns(Rank& rank) {
  return looked(rank).threads().processor_time().ps() / 1000;
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

bool is_processor(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

/// What a clock shows.
std::int64_t clock_ns(Rank& rank, clockid_t clock) {
  if (is_processor(clock)) return processor_ns(rank);
  return is_calendar(clock) ? calendar_ns(rank) : simulated_ns(rank);
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(clock_gettime)(clock, result);
  *result = as_timespec(clock_ns(*current_rank(), clock));
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
  return processor_ns(*current_rank()) / (kNsPerSecond / CLOCKS_PER_SEC);
}

clock_t times(tms* result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(times)(result);
  constexpr std::int64_t kTicksPerSecond = 100;
  constexpr std::int64_t kTick = kNsPerSecond / kTicksPerSecond;
  const clock_t used = processor_ns(*current_rank()) / kTick;
  if (result != nullptr) *result = {used, 0, 0, 0};
  return current_rank()->now().ps() / 1000 / kTick;
}

/// The times are the rank's; what else there is to know is the simulator's.
int getrusage(__rusage_who_t who, rusage* result) noexcept {
  const int status = HEDDLE_REAL(getrusage)(who, result);
  if (current_process() == nullptr || status != 0 || who == RUSAGE_CHILDREN) return status;
  const timespec used = as_timespec(processor_ns(*current_rank()));
  result->ru_utime = {used.tv_sec, used.tv_nsec / 1000};
  result->ru_stime = {};
  return 0;
}
}
