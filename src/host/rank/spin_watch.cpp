#include "host/rank/spin_watch.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>

#include "core/units.hpp"
#include "host/rank/code/look_ahead.hpp"
#include "host/rank/code/trap_uses.hpp"
#include "host/rank/code/x86/copied_instruction.hpp"
#include "host/rank/job.hpp"
#include "host/rank/place_name.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/registers.hpp"
#include "host/rank/seen_again.hpp"

namespace heddle::host {
namespace {

/// Processor time between two looks; the kernel may make it a little longer.
constexpr Time kBetweenTicks = Time::ms(5);
/// Who has waited by looking does it again: time between looks after it has gone on, and longer
/// while it computes.
constexpr Time kSoon = Time::us(3);
/// After a call it may look at once. It takes a timer and a signal longer than that in any case.
constexpr Time kAfterCall = Time::us(1);
/// A trap finds it where it waited before, as soon as it comes there: a timer must not come first,
/// for it finds code in the middle of a look, which takes longer to think of.
constexpr Time kBesideTrap = Time::us(200);
/// Where a timer comes before the kernel has got back from setting it, the thread has not gone on
/// yet when it is looked at: so much later at most it is looked at the next time.
constexpr Time kLatest = Time::us(8);
/// Processor time after which registers that are as before mean something. What the kernel does
/// before it lets a thread go on is counted as the thread's.
constexpr Time kLongEnough = Time::us(100);
/// At a trap, the first time: to think takes about as long as the signal does.
constexpr std::uint32_t kInstructionsAtTrap = 1000;
/// The most instructions of a thread that are carried out in thought.
constexpr std::uint32_t kInstructions = 20'000;
/// So many times as many as before: where a round begins it takes three, and elsewhere one at
/// least.
constexpr std::uint32_t kMoreThanBefore = 4;

/// Of one that has run for so many ticks: what that takes is little beside them. All are looked at
/// before its registers can have told that it waits, for they may be the same, too, when it is
/// about to look at something that has changed.
std::uint32_t instructions_after_ticks(std::int64_t ticks) {
  constexpr std::int64_t kEach = kInstructions / Sightings::kRepetitions;
  constexpr std::int64_t kFewest = 1000;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(ticks * kEach, kFewest, kInstructions));
}

/// Of one that is watched, after it has run for so long: to think takes no longer than
/// that, about.
std::uint32_t instructions_after(Time pause) {
  constexpr Time kEach = Time::ns(30);
  constexpr std::int64_t kFewest = 200;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(pause.ps() / kEach.ps(), kFewest, kInstructions));
}

std::uint32_t instructions_of(const Thread& thread) {
  const Spinner* const spinner = thread.looks().spinner();
  return spinner == nullptr ? 0 : spinner->instructions();
}

/// By a system call, because clock_gettime is the programs' simulated one.
Time processor_time() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return Time::ns(now.tv_sec * 1'000'000'000 + now.tv_nsec);
}

/// On the stack of the fiber, which is left in the middle of the handler for another one.
void on_tick(int, siginfo_t* info, void* context) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  if (stop_signal() != 0 && thread->rank().in_own_code()) {
    thread->rank().ending().crash(
        {Crash::Cause::stopped, stop_signal(), nullptr, nullptr, nullptr, Time::zero()});
  }
  Watch* const watch = thread->rank().job().shared().waiters().watch;
  if (watch == nullptr) return;
  const int saved = errno;
  watch->on_signal(*thread, context, info->si_value.sival_ptr == watch);
  errno = saved;
}

/// A process that the program has made has the code of this one, and no watch.
pid_t process_of_watch = 0;
/// What the process does at traps that are not ours.
struct sigaction action_at_traps = {};

/// At the first of these places at which there can be one.
Look::Found set_trap(TrapUses& uses, const Turns::Places& places, std::uint32_t instructions) {
  for (const std::uint64_t at : places) {
    auto* const place = reinterpret_cast<void*>(at);
    if (at == 0 || !is_programs(place)) continue;
    const bool stood = CodeTraps::instance().stands(place);
    if (uses.set(place, x86::copy_instruction) == nullptr) continue;
    uses.of(place).needs(instructions);
    return stood ? Look::Found::by_trap : Look::Found::by_new_trap;
  }
  return Look::Found::by_looks;
}

/// Has code that stands at a trap go on at the copy of what is there.
void pass_trap(void* context) {
  const CodeTraps::Trap* const trap = CodeTraps::instance().find(instruction(context));
  if (trap != nullptr) go_on_at(trap->copy(), context);
}

/// On the stack of the fiber, as on_tick is.
void come_to_trap(int signal, siginfo_t* info, void* context) {
  auto* const place = static_cast<std::byte*>(instruction(context)) - 1;
  CodeTraps::Trap* const trap = CodeTraps::instance().find(place);
  if (trap == nullptr) return action_at_traps.sa_sigaction(signal, info, context);
  go_on_at(static_cast<void*>(place), context);
  Thread* const thread = current_thread();
  if (thread != nullptr && syscall(SYS_getpid) == process_of_watch) {
    const int saved = errno;
    Watch* const watch = thread->rank().job().shared().waiters().watch;
    if (watch != nullptr) watch->on_trap(*thread, context, *trap);
    errno = saved;
  }
  pass_trap(context);
}

}  // namespace

struct SpinWatch::State {
  State(Waiters& of, const Limits& limited) : waiters(of), limits(limited) {}

  Waiters& waiters;
  Limits limits;
  struct sigaction old_action = {};
  struct sigaction old_action_at_traps = {};
  timer_t ticks{};  ///< Of processor time.
  timer_t soon{};   ///< Of real time: the other kind is looked at by the kernel every few
                    ///< milliseconds only.
  Time pause = Time::never();  ///< That this one is set to.
  Time early;                  ///< That was too short: the thread was not in its own code yet.
  /// Processor time of this thread of the host at the end of the last look; never: there was none
  /// since the thread came back from a call.
  Time ran = Time::never();
  bool traps = CodeTraps::possible();
  TrapUses trap_uses;
  Proofs proofs;
  bool looking = false;  ///< One timer may interrupt the other's look.

  // The stretch of code without a call that is looked at.
  const Thread* thread = nullptr;
  std::uint64_t events = 0;
  std::int64_t looks = 0;
  std::int64_t next_read = 2;  ///< After so many, its instructions are read.
  SeenAgain seen;
  /// Of threads that were set aside by their registers alone, what was seen then.
  std::map<const Thread*, Sightings> past;

  void arm_after(Time at_least) { arm(std::max(at_least, std::min(early * 2, kLatest))); }
  void arm(Time after) {
    pause = after;
    const itimerspec once{{}, {0, after.ps() / 1000}};
    timer_settime(soon, 0, &once, nullptr);
  }

  void begin_stretch(const Thread* of, std::uint64_t at) {
    thread = of;
    events = at;
    looks = 0;
    next_read = 2;
    see_anew();
  }
  void see_anew() {
    const auto found = past.find(thread);
    seen.start_anew(found == past.end() ? nullptr : &found->second);
  }

  void warn(const Thread& of, const void* place) const {
    const std::string text = fmt::format(
        "heddle: {} has run for {} without a call, at {}: it is taken to wait for something in its "
        "memory\n",
        of.name(), format_time(limits.patience), place_name(place));
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  /// Others may have had the processor meanwhile, or the next signal was there before the last one
  /// was through: who has had no time to do anything would be seen to do nothing.
  bool has_run() const { return ran != Time::never() && processor_time() - ran >= kLongEnough; }
  /// The same at a tick, before which there need not have been a look. But who has just gone on is
  /// where it was, though what it looks at may have changed.
  bool has_run_before_tick() const { return ran == Time::never() || has_run(); }

  void set_aside(Thread& of, const void* place, const Look& look) {
    begin_stretch(nullptr, 0);
    looking = false;
    of.looks().spin([&] { return "looks at its memory again and again at " + place_name(place); },
                    look);
  }

  /// What the code does. If it waits for what it reads, it is set aside. One that has not come to a
  /// trap gets one where each round of its loop begins.
  Outlook::Kind look_ahead(Thread& of, void* context, std::uint32_t instructions, bool at_trap) {
    Turns::Places turns{};
    const bool wants_trap = traps && !at_trap;
    const AddressSpace& memory = of.rank().memory();
    const Outlook& ahead =
        at_trap ? outlook_at_trap(context, memory, instructions, proofs)
                : outlook(context, memory, instructions, wants_trap ? &turns : nullptr);
    if (ahead.kind != Outlook::Kind::waits) return ahead.kind;
    Look look{&ahead.looked_at, false, ahead.instructions};
    if (at_trap) {
      look.found = Look::Found::by_trap;
    } else if (traps) {
      look.found = set_trap(trap_uses, turns, ahead.instructions);
    }
    set_aside(of, instruction(context), look);
    if (!at_trap) pass_trap(context);
    return Outlook::Kind::waits;
  }
  bool waits(Thread& of, void* context, std::uint32_t instructions, bool at_trap) {
    return look_ahead(of, context, instructions, at_trap) == Outlook::Kind::waits;
  }

  /// No fewer than it took the last time: who waits in this way does it again.
  std::uint32_t instructions_soon(const Thread& of) const {
    return std::min(std::max(instructions_after(pause), kMoreThanBefore * instructions_of(of)),
                    kInstructions);
  }

  /// The same by its registers, or for it has taken too long.
  void judge_by_registers(Thread& of, void* context);
  /// A look at code that runs without a call.
  void look(Thread& of, void* context, bool is_soon);
  /// When the look is over: a signal that comes in it is lost.
  void look_again_later(const Thread& of, bool in_program) {
    // In the handler of the last one, on the same stack, it must not come again and again.
    const Time next = !in_program ? pause * 4 : seen.promising() ? pause : pause * 2;
    const Spinner* const spinner = of.looks().spinner();
    if (spinner == nullptr || !spinner->watched() || next >= kBetweenTicks) return;
    looking = false;
    arm(next);
  }
};

void SpinWatch::State::judge_by_registers(Thread& of, void* context) {
  const void* const place = instruction(context);
  seen.see(place, hash_of_registers(context));
  if (seen.waits()) {
    if (seen.waits_as_before()) return set_aside(of, place, {});
    // What can be understood is, whenever a timer happens to come.
    const Outlook::Kind kind = look_ahead(of, context, kInstructions, false);
    if (kind == Outlook::Kind::waits) return;
    if (kind == Outlook::Kind::goes_on) return see_anew();
    // It has come to another loop than that in which it was set aside before.
    past[&of] = seen.sightings();
    set_aside(of, place, {nullptr, true});
  } else if (kBetweenTicks * looks > limits.patience) {
    warn(of, place);
    set_aside(of, place, {});
  }
}

void SpinWatch::State::look(Thread& of, void* context, bool is_soon) {
  Rank& rank = of.rank();
  const std::uint64_t now = rank.job().simulation().events_fired();
  const void* const place = instruction(context);
  if (is_soon && of.looks().look_after_call()) return;
  const bool in_program = rank.in_own_code() && is_programs(place);
  if (!in_program && is_soon) early = pause;
  if (in_program && is_soon && waits(of, context, instructions_soon(of), false)) return;
  const bool ran_on = is_soon ? has_run() : has_run_before_tick();
  if (&of != thread || now != events) begin_stretch(&of, now);
  looks += is_soon ? 0 : 1;
  if (limits.max_step > Time::zero() && kBetweenTicks * looks > limits.max_step) {
    rank.ending().crash({Crash::Cause::hang, 0, nullptr, place, nullptr, limits.max_step});
  }
  if (in_program && !is_soon && looks >= next_read) {
    // Ever less often, for those that compute for long.
    next_read = 2 * looks;
    if (waits(of, context, instructions_after_ticks(looks), false)) return;
  }
  if (in_program && ran_on) judge_by_registers(of, context);
  if (is_soon) look_again_later(of, in_program);
}

SpinWatch::SpinWatch(Waiters& waiters, const Limits& limits)
    : state_(std::make_unique<State>(waiters, limits)) {
  waiters.watch = this;
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(SIGPROF, &action, &state_->old_action);
  if (state_->traps) {
    process_of_watch = static_cast<pid_t>(syscall(SYS_getpid));
    action.sa_sigaction = come_to_trap;
    sigaction(SIGTRAP, &action, &state_->old_action_at_traps);
    const auto& before = state_->old_action_at_traps;
    if (before.sa_sigaction != come_to_trap) action_at_traps = before;
  }
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &state_->ticks) != 0) return;
  const timespec tick{0, kBetweenTicks.ps() / 1000};
  const itimerspec interval{tick, tick};
  timer_settime(state_->ticks, 0, &interval, nullptr);
  event.sigev_value.sival_ptr = static_cast<Watch*>(this);
  timer_create(CLOCK_MONOTONIC, &event, &state_->soon);
}

SpinWatch::~SpinWatch() {
  state_->waiters.watch = nullptr;
  timer_delete(state_->soon);
  timer_delete(state_->ticks);
  if (state_->traps) sigaction(SIGTRAP, &state_->old_action_at_traps, nullptr);
  sigaction(SIGPROF, &state_->old_action, nullptr);
}

void SpinWatch::watch_soon(const Spinner& spinner, bool from_call) {
  state_->ran = Time::never();
  const Time soon = from_call ? kAfterCall : kSoon;
  state_->arm_after(spinner.has_trap() ? kBesideTrap : soon);
}

void SpinWatch::on_signal(Thread& thread, void* context, bool soon) {
  if (state_->looking) return;
  state_->looking = true;
  state_->look(thread, context, soon);
  state_->looking = false;
  state_->ran = processor_time();
}

void SpinWatch::on_trap(Thread& thread, void* context, CodeTraps::Trap& trap) {
  if (state_->looking || !thread.rank().in_own_code()) return;
  state_->looking = true;
  TrapUses::Use& use = state_->trap_uses.of(trap.place());
  const std::uint32_t instructions =
      std::clamp(kMoreThanBefore * use.needed(), kInstructionsAtTrap, kInstructions);
  if (state_->waits(thread, context, instructions, true)) {
    use.waited();
  } else {
    state_->trap_uses.passed(trap);
  }
  state_->looking = false;
  state_->ran = processor_time();
}

}  // namespace heddle::host
