#include "host/rank/ticker.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/registers.hpp"

// Where the linker has put the simulator's own code.
extern "C" const char __executable_start, etext;

namespace heddle::host {
namespace {

/// The kernel may make it a little longer.
constexpr Time kPeriod = Time::ms(5);

/// What the handler of the signal must find without being told.
struct Ticking {
  ProcessorUse* use = nullptr;
  Ticked* ticked = nullptr;
  Time last;
};
Ticking ticking;

/// By a system call, because clock_gettime is the programs' simulated one.
Time thread_time() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return Time::s(now.tv_sec) + Time::ns(now.tv_nsec);
}

/// Calls begin and end with some instructions of the simulator's.
bool is_simulators(const void* place) {
  return place >= &__executable_start && place < &etext;
}

void note(Thread& thread, const void* place, Time passed) {
  Rank& rank = thread.rank();
  const Simulation& simulation = rank.job().simulation();
  const auto name = [&] { return thread.name(); };
  const bool too_long = ticking.use->computed({&thread, rank.job().recorded_as(rank.id()),
                                               simulation.events_fired(), simulation.now(), name},
                                              place, passed);
  if (too_long) {
    rank.ending().crash({Crash::Cause::hang, 0, nullptr, place, nullptr, ticking.use->max_step()});
  }
}

void on_signal(int, siginfo_t*, void* context) {
  const int saved = errno;
  const Time now = thread_time();
  const Time passed = now - std::exchange(ticking.last, now);
  if (ticking.ticked != nullptr) ticking.ticked->tick();
  Thread* const thread = current_thread();
  const void* const place = instruction(context);
  if (thread != nullptr && thread->rank().in_own_code() && !is_simulators(place)) {
    note(*thread, place, passed);
  }
  errno = saved;
}

}  // namespace

struct Ticker::State {
  struct sigaction old_action {};
  timer_t timer{};
  Ticking before = ticking;
};

Ticker::Ticker(ProcessorUse& use, Ticked* ticked) : state_(std::make_unique<State>()) {
  ticking = {&use, ticked, thread_time()};
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  // It does not return where it ends the run.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  // Both timers of processor time run out at once, as the kernel looks at them seldom. The watch
  // over threads that wait must see where the program is, not the beginning of this handler.
  sigaddset(&action.sa_mask, SIGPROF);
  sigaction(SIGVTALRM, &action, &state_->old_action);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGVTALRM;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &state_->timer) != 0) return;
  const timespec tick{0, kPeriod.ps() / 1000};
  const itimerspec interval{tick, tick};
  timer_settime(state_->timer, 0, &interval, nullptr);
}

Ticker::~Ticker() {
  timer_delete(state_->timer);
  sigaction(SIGVTALRM, &state_->old_action, nullptr);
  ticking = state_->before;
}

}  // namespace heddle::host
