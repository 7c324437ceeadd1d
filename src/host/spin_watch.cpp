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
/// Who has waited by looking does it again: time between looks after it has gone on, and longer
/// while it computes.
constexpr Time kSoon = Time::us(20);
/// What the handler of a signal must find without being told: there is one watch at a time.
struct Watch {
  SpinWatch::Limits limits;
  const Thread* thread = nullptr;
  std::uint64_t events = 0;
  std::int64_t looks = 0;  ///< At this thread in this stretch of its code.
  Sightings sightings;
  /// Of threads that were set aside, what was seen before: who is seen there again has not got on.
  std::map<const Thread*, Sightings> spins;
  timer_t soon{};  ///< For looks at one of those that goes on.
  Time pause;      ///< Between these.
  Time ran;        ///< Processor time of this thread of the host when the last one was over.
  bool looking = false;
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

/// By a system call, because clock_gettime is the programs' simulated one.
Time processor_time() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return Time::ns(now.tv_sec * 1'000'000'000 + now.tv_nsec);
}

void look_after(Time pause) {
  watch.pause = pause;
  watch.ran = processor_time();
  const itimerspec once{{}, {0, pause.ps() / 1000}};
  timer_settime(watch.soon, 0, &once, nullptr);
}

void set_aside(Thread& thread, const void* place) {
  watch.thread = nullptr;
  watch.looking = false;
  thread.spin([&] { return "looks at its memory again and again at " + place_name(place); });
  begin_stretch(&thread, thread.rank().job().simulation().events_fired());
  look_after(kSoon);
}

enum class Look { tick, soon };

/// Whether others had the processor meanwhile: who has had no time to do anything would be seen to
/// do nothing.
bool too_soon() {
  return (processor_time() - watch.ran) * 2 < watch.pause;
}

/// A look at the running thread.
void look(Thread& thread, void* context, Look kind) {
  if (kind == Look::soon && too_soon()) return look_after(watch.pause);
  Rank& rank = thread.rank();
  const std::uint64_t events = rank.job().simulation().events_fired();
  const void* place = instruction(context);
  const bool in_program = rank.in_own_code() && is_programs(place);
  const std::uint64_t registers = in_program ? hash_of_registers(context) : 0;
  if (in_program && spins_on(&thread, place, registers)) return set_aside(thread, place);
  if (&thread != watch.thread || events != watch.events) {
    // Whoever has made a call is looked at in the common way.
    return begin_stretch(&thread, events);
  }
  if (kind == Look::tick) ++watch.looks;
  const Time stretch = kTick * watch.looks;
  if (watch.limits.max_step > Time::zero() && stretch > watch.limits.max_step) {
    rank.crash({Crash::Cause::hang, 0, nullptr, place, nullptr, watch.limits.max_step});
  }
  if (in_program) watch.sightings.see(place, registers);
  const bool waits = watch.sightings.waits();
  if (in_program && !waits && stretch > watch.limits.patience) {
    warn(thread, place);
    return set_aside(thread, place);
  }
  if (in_program && waits) {
    // It has come to another loop than that in which it was set aside before.
    thread.spinning().start_anew();
    watch.spins[&thread] = watch.sightings;
    return set_aside(thread, place);
  }
  if (kind == Look::tick) return;
  const Time pause = watch.sightings.promising() ? watch.pause : watch.pause * 2;
  if (pause < kTick) look_after(pause);
}

void on_tick(int, siginfo_t* info, void* context) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  if (stop_signal() != 0 && thread->rank().in_own_code()) {
    thread->rank().crash(
        {Crash::Cause::stopped, stop_signal(), nullptr, nullptr, nullptr, Time::zero()});
  }
  // One timer may interrupt the other's look.
  if (watch.looking) return;
  watch.looking = true;
  const int saved = errno;
  look(*thread, context, info->si_value.sival_ptr == &watch ? Look::soon : Look::tick);
  errno = saved;
  watch.looking = false;
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
  // Clocks of processor time are looked at by the kernel every few milliseconds only.
  event.sigev_value.sival_ptr = &watch;
  timer_create(CLOCK_MONOTONIC, &event, &watch.soon);
}

SpinWatch::~SpinWatch() {
  timer_delete(watch.soon);
  timer_delete(state_->timer);
  sigaction(SIGPROF, &state_->old_action, nullptr);
}

}  // namespace heddle::host
