#include "host/spin_watch.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <map>

#include "core/units.hpp"
#include "host/job.hpp"
#include "host/place_name.hpp"
#include "host/rank.hpp"
#include "host/registers.hpp"
#include "host/sightings.hpp"

namespace heddle::host {
namespace {

/// Processor time between two looks; the kernel may make it a little longer.
constexpr Time kTick = Time::ms(5);
/// What the handler of a signal must find without being told: there is one watch at a time.
struct Watch {
  SpinWatch::Limits limits;
  const Thread* thread = nullptr;
  std::uint64_t events = 0;
  std::int64_t looks = 0;  ///< At this thread in this stretch of its code.
  Sightings sightings;
  /// Of threads that were set aside, what was seen before: who is seen there again has not got on.
  std::map<const Thread*, Sightings> spins;
};
Watch watch;

void begin_stretch(const Thread* thread, std::uint64_t events) {
  watch.thread = thread;
  watch.events = events;
  watch.looks = 0;
  watch.sightings.start_anew();
}

void warn(const Thread& thread, const void* place) {
  const std::string text = fmt::format(
      "heddle: {} has run for {} without a call, at {}: it is taken to wait for something in its "
      "memory\n",
      thread.name(), format_time(watch.limits.patience), place_name(place));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Whether the thread is where it was when it was last set aside.
bool spins_on(const Thread* thread, const void* place, std::uint64_t registers) {
  const auto spin = watch.spins.find(thread);
  return spin != watch.spins.end() && spin->second.has(place, registers);
}

void set_aside(Thread& thread, const void* place) {
  watch.thread = nullptr;
  const int saved = errno;
  thread.spin([&] { return "looks at its memory again and again at " + place_name(place); });
  errno = saved;
}

void on_tick(int, siginfo_t*, void* context) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  Rank& rank = thread->rank();
  if (stop_signal() != 0 && rank.in_own_code()) {
    rank.crash({Crash::Cause::stopped, stop_signal(), nullptr, nullptr, nullptr, Time::zero()});
  }
  const std::uint64_t events = rank.job().simulation().events_fired();
  const void* place = instruction(context);
  const bool in_program = rank.in_own_code() && is_programs(place);
  const std::uint64_t registers = in_program ? hash_of_registers(context) : 0;
  if (in_program && spins_on(thread, place, registers)) return set_aside(*thread, place);
  if (thread != watch.thread || events != watch.events) return begin_stretch(thread, events);
  ++watch.looks;
  const Time stretch = kTick * watch.looks;
  if (watch.limits.max_step > Time::zero() && stretch > watch.limits.max_step) {
    rank.crash({Crash::Cause::hang, 0, nullptr, place, nullptr, watch.limits.max_step});
  }
  if (!in_program) return;
  watch.sightings.see(place, registers);
  const bool waits = watch.sightings.waits();
  if (!waits && stretch <= watch.limits.patience) return;
  if (!waits) {
    warn(*thread, place);
  } else {
    // It has come to another loop than that in which it was set aside before.
    thread->spinning().start_anew();
    watch.spins[thread] = watch.sightings;
  }
  set_aside(*thread, place);
}

}  // namespace

struct SpinWatch::State {
  struct sigaction old_action {};
  timer_t timer{};
};

SpinWatch::SpinWatch(const Limits& limits) : state_(std::make_unique<State>()) {
  watch = {};
  watch.limits = limits;
  // On the stack of the fiber, which is left in the middle of the handler for another one.
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(SIGPROF, &action, &state_->old_action);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &state_->timer) != 0) return;
  const timespec tick{0, kTick.ps() / 1000};
  const itimerspec interval{tick, tick};
  timer_settime(state_->timer, 0, &interval, nullptr);
}

SpinWatch::~SpinWatch() {
  timer_delete(state_->timer);
  sigaction(SIGPROF, &state_->old_action, nullptr);
}

}  // namespace heddle::host
