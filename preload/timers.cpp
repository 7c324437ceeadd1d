// The C library's timers, on the simulated node: signals, threads and files.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "connection.hpp"
#include "simulated_timer.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

constexpr int kTimers = 64;
/// The kernel counts its timers from zero.
constexpr std::intptr_t kFirst = 1 << 30;

struct Timer {
  SimulatedTimer clock;
  clockid_t id = CLOCK_REALTIME;
  bool used = false;
};
Timer timers[kTimers];
SimulatedTimer alarm_clock;  ///< ITIMER_REAL's.

/// What a thread that calls a function whenever a timer expires must know.
struct Notified {
  int number;
  void (*function)(sigval);
  sigval value;
};

void* notify(void* argument) {
  const Notified notified = *static_cast<Notified*>(argument);
  free(argument);
  for (std::int64_t times = 0; times >= 0;) {
    times = call_or(std::int64_t{-1}, CallNumber::await_timer, notified.number);
    for (std::int64_t i = 0; i < times; ++i) notified.function(notified.value);
  }
  return nullptr;
}

int start_notifying(int number, const sigevent& event) {
  auto* notified = static_cast<Notified*>(malloc(sizeof(Notified)));
  if (notified == nullptr) return EAGAIN;
  *notified = {number, event.sigev_notify_function, event.sigev_value};
  pthread_t thread;
  const int error = pthread_create(&thread, event.sigev_notify_attributes, notify, notified);
  if (error == 0) pthread_detach(thread);
  return error;
}

/// The number of a new timer of the simulator's, or -1.
int start(const sigevent& event) {
  const bool signals = event.sigev_notify == SIGEV_SIGNAL || event.sigev_notify == SIGEV_THREAD_ID;
  const std::uint32_t thread =
      event.sigev_notify == SIGEV_THREAD_ID ? static_cast<std::uint32_t>(event._sigev_un._tid) : 0;
  const int number = call_or(-1, CallNumber::new_timer, signals ? event.sigev_signo : 0, thread,
                             event.sigev_value.sival_ptr, -1);
  if (number < 0 || event.sigev_notify != SIGEV_THREAD) return number;
  return start_notifying(number, event) == 0 ? number : -1;
}

Timer* find(timer_t timer) {
  const std::intptr_t i = reinterpret_cast<std::intptr_t>(timer) - kFirst;
  return i >= 0 && i < kTimers && timers[i].used ? &timers[i] : nullptr;
}

/// Answers what was left of the timer before, in ns.
std::int64_t set_alarm(std::int64_t first, std::int64_t interval) {
  if (alarm_clock.number < 0) {
    alarm_clock.number = call_or(-1, CallNumber::new_timer, SIGALRM, std::uint32_t{0},
                                 static_cast<void*>(nullptr), -1);
  }
  const std::int64_t before = alarm_clock.left();
  alarm_clock.set(first, interval);
  return before;
}

}  // namespace

std::int64_t SimulatedTimer::left() const {
  if (expiry == 0) return 0;
  const std::int64_t rest = expiry - simulated_ns();
  if (rest > 0) return rest;
  return interval == 0 ? 0 : interval - (-rest) % interval;
}

void SimulatedTimer::set(std::int64_t first, std::int64_t again) {
  expiry = first == 0 ? 0 : simulated_ns() + first;
  interval = first == 0 ? 0 : again;
  call_or(0, CallNumber::set_timer, number, first * kPsPerNs, interval * kPsPerNs);
}

itimerspec SimulatedTimer::show() const {
  return {as_timespec(interval), as_timespec(left())};
}

void SimulatedTimer::set(clockid_t clock, bool absolute, const itimerspec& value, itimerspec* old) {
  if (old != nullptr) *old = show();
  const bool none = value.it_value.tv_sec == 0 && value.it_value.tv_nsec == 0;
  // What is over already expires at once.
  const std::int64_t first =
      absolute ? std::max<std::int64_t>(ns_until(clock, value.it_value), 1) : as_ns(value.it_value);
  set(none ? 0 : first, as_ns(value.it_interval));
}

}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

unsigned int alarm(unsigned int seconds) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(alarm)(seconds);
  const std::int64_t before = set_alarm(seconds * kNsPerSecond, 0);
  return static_cast<unsigned int>((before + kNsPerSecond - 1) / kNsPerSecond);
}

useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(ualarm)(first, interval);
  return static_cast<useconds_t>(
      set_alarm(first * std::int64_t{1000}, interval * std::int64_t{1000}) / 1000);
}

int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  if (!simulated() || which != ITIMER_REAL) return HEDDLE_SYSTEM(setitimer)(which, value, old);
  const std::int64_t interval = alarm_clock.interval;
  const std::int64_t before = set_alarm(as_ns(value->it_value), as_ns(value->it_interval));
  if (old != nullptr) *old = {as_timeval(interval), as_timeval(before)};
  return 0;
}

int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  if (!simulated() || which != ITIMER_REAL) return HEDDLE_SYSTEM(getitimer)(which, value);
  *value = {as_timeval(alarm_clock.interval), as_timeval(alarm_clock.left())};
  return 0;
}

int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  if (!simulated() || is_processor(clock)) return HEDDLE_SYSTEM(timer_create)(clock, event, timer);
  Timer* place = timers;
  while (place != timers + kTimers && place->used) ++place;
  if (place == timers + kTimers) {
    errno = EAGAIN;
    return -1;
  }
  const timer_t name = reinterpret_cast<timer_t>(kFirst + (place - timers));
  sigevent usual{};
  usual.sigev_notify = SIGEV_SIGNAL;
  usual.sigev_signo = SIGALRM;
  usual.sigev_value.sival_ptr = name;
  const int number = start(event == nullptr ? usual : *event);
  if (number < 0) {
    errno = EAGAIN;
    return -1;
  }
  *place = {{number, 0, 0}, clock, true};
  *timer = name;
  return 0;
}

int timer_settime(timer_t timer, int flags, const itimerspec* value, itimerspec* old) noexcept {
  Timer* const own = find(timer);
  if (own == nullptr || !simulated()) return HEDDLE_SYSTEM(timer_settime)(timer, flags, value, old);
  own->clock.set(own->id, (flags & TIMER_ABSTIME) != 0, *value, old);
  return 0;
}

int timer_gettime(timer_t timer, itimerspec* value) noexcept {
  const Timer* const own = find(timer);
  if (own == nullptr || !simulated()) return HEDDLE_SYSTEM(timer_gettime)(timer, value);
  *value = own->clock.show();
  return 0;
}

int timer_getoverrun(timer_t timer) noexcept {
  return find(timer) == nullptr ? HEDDLE_SYSTEM(timer_getoverrun)(timer) : 0;
}

int timer_delete(timer_t timer) noexcept {
  Timer* const own = find(timer);
  if (own == nullptr || !simulated()) return HEDDLE_SYSTEM(timer_delete)(timer);
  call_or(0, CallNumber::end_timer, own->clock.number);
  own->used = false;
  return 0;
}
}
