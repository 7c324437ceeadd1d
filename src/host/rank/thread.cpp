#include "host/rank/thread.hpp"

#include <fmt/core.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernel_call.hpp"
#include "core/thread_pointer.hpp"
#include "core/units.hpp"
#include "host/rank/counted.hpp"
#include "host/rank/job.hpp"
#include "host/rank/processor_use.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/unchecked.hpp"

namespace heddle::host {
namespace {

/// Whose code is running, and what finds its thread-local variables: by that, code of other threads
/// of the host is told from it.
struct Running {
  Thread* thread = nullptr;
  void* pointer = nullptr;
};
Running running;

/// By the kernel itself: functions of the C library may be those of ranks, which wait for their
/// turn.
Time real_processor_time() {
  timespec t{};
  kernel_call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, reinterpret_cast<long>(&t));
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

/// Simulated time for measured processor time.
Time scaled(const HostParams& params, Time measured) {
  const Time cost = Time::ps(
      static_cast<std::int64_t>(static_cast<double>(measured.ps()) * params.compute_factor));
  return cost < params.compute_threshold ? Time::zero() : cost;
}

/// Simulated time for what a program has counted, on a node that is so much slower than others.
Time counted_time(const HostParams& params, std::uint64_t counted, double slowness) {
  return Time::ps(std::llround(static_cast<double>(counted) * slowness * 1e12 /
                               static_cast<double>(params.count_rate)));
}

}  // namespace

HEDDLE_UNCHECKED Thread* current_thread() {
  FiberLead::come_back();
  return thread_pointer() == running.pointer ? running.thread : nullptr;
}

HEDDLE_UNCHECKED Rank* current_rank() {
  Thread* thread = current_thread();
  return thread == nullptr ? nullptr : &thread->rank();
}

Thread* set_running(Thread* thread) {
  Thread* const before = running.thread;
  running = {thread, thread == nullptr ? nullptr : thread->fiber().context().thread_pointer()};
  return before;
}

bool Thread::handle_signals() {
  HostedProcess* process = rank_.process();
  return process != nullptr && process->handle_signals();
}

int Thread::id() const {
  constexpr int kFirst = 1 << 30;
  constexpr int kOthers = 1 << 29;
  return number_ == 0 ? kFirst + static_cast<int>(index(rank_.id())) : kFirst + kOthers + serial_;
}

void Thread::start(FiberScheduler& scheduler, ThreadBody* body, const FiberPlace& place) {
  body_ = body;
  calls_take_time_ = !rank_.job().calls_begin_at_once();
  if (number_ > 0) serial_ = rank_.job().next_thread_serial();
  begin_ = scheduler.simulation().now();
  record::RunRecorder* const recorder = rank_.job().recorder();
  if (recorder != nullptr && number_ > 0) {
    const Thread* const by = current_thread();
    recorder->started(lane(), begin_, by == nullptr ? 0 : by->number_);
  }
  fiber_ = &scheduler.spawn(*this, place);
}

void Thread::run(Fiber&) {
  may_leave_ = fiber_->scheduler().ahead() != nullptr && fiber_->context().has_own_thread();
  departs_ = may_leave_ && rank_.job().params().compute == ComputeModel::measure;
  if (departs_) stretches_ = std::make_unique<Stretches>();
  compute_from_now();
  if (body_ != nullptr) {
    body_->run();
  } else {
    rank_.run();
  }
}

std::string Thread::name() const {
  std::string name = rank_.name();
  if (number_ > 0) name += fmt::format(", thread {}", number_);
  return name;
}

void Thread::foresee() const {
  rank_.foresee();
}

void Thread::resumed() {
  if (const int signal = stop_signal()) throw StopError(now(), signal);
  rank_.resumed(*this);
  set_running(this);
  if (watched() && !look_after_call()) watch_soon();
}

void Thread::watch_soon() {
  const bool from_call = std::exchange(look_due_, false);
  if (spinner_ != nullptr) spinner_->count_watch();
  if (Watch* const watch = rank_.job().waiters().watch) watch->watch_soon(from_call);
}

void Thread::paused() {
  if (!set_aside_) {
    Waiters& waiters = rank_.job().waiters();
    if (waiters.spinners.any()) waiters.spinners.ran(*fiber_, rank_.node());
    if (rank_.has_threads() && waiters.resting.any()) waiters.resting.ran(*fiber_, rank_);
  }
  rank_.paused();
  set_running(nullptr);
}

void Thread::ended() {
  if (body_ == nullptr || rank_.over()) return rank_.ended();
  body_->ended();
}

bool Thread::unwinds() const {
  return rank_.program().unwinds();
}

void Thread::pass(Time duration) {
  // Who asks the simulator to end is heard in the event loop.
  if (stop_signal() != 0 || !fiber_->advance(duration)) fiber_->sleep(duration);
}

bool Thread::block(const WaitReason& reason, Time deadline) {
  const Time begin = now();
  polls_.start_anew();
  pause(reason, deadline);
  times_.waiting += now() - begin;
  record_wait(begin);
  return handle_signals();
}

void Thread::interrupt() {
  if (pausing_) fiber_->wake();
}

void Thread::wait(const WaitReason& reason, FiberDeputy& deputy, Wait& wait) {
  begin(wait);
  while (!rung_) {
    pausing_ = true;
    fiber_->suspend(reason, deputy);
    pausing_ = false;
    if (handle_signals()) rung_ = true;
  }
  if (!wait.over) end(wait);
}

bool Thread::deputy_may_act() const {
  const HostedProcess* process = rank_.process();
  return rung_ && !rank_.has_threads() && (process == nullptr || !process->uses_signals()) &&
         stop_signal() == 0 && !rank_.job().waiters().spinners.any();
}

void Thread::ring() {
  rung_ = true;
  note_waker();
  fiber_->wake();
}

void Thread::ring_in(Time delay) {
  rung_ = true;
  note_waker();
  if (fiber_->wake_in(delay)) late_ = delay;
}

void Thread::put_off(Time delay) {
  late_ = delay;
  fiber_->put_off(delay);
}

void Thread::polled(const WaitReason& reason) {
  const Time begin = now();
  const HostParams& params = rank_.job().params();
  if (std::exchange(rung_, false)) polls_.start_anew();
  PollPolicy::Effort effort = rank_.program().poll_effort();
  // What another rank of the node stores into memory that both have, nobody tells.
  effort.all_is_told = rank_.process() != nullptr && rank_.job().ranks_on(rank_.node()).size() == 1;
  const PollPolicy::Step step =
      polls_.looked(begin, {params.poll_cost, params.poll_patience, effort},
                    rank_.job().only_pollers(), reason.kind());
  if (step.hopeless) {
    const Time since = polls_.since();
    const auto in_vain = [&] {
      return fmt::format("{}, in vain since {}", reason.text(), format_time(since));
    };
    nap(in_vain, Time::never());
  } else {
    nap(reason, step.nap);
  }
  times_.waiting += now() - begin;
  times_.polling += now() - begin;
  record_wait(begin);
  handle_signals();
}

void Thread::nap(const WaitReason& reason, Time duration) {
  const Time begin = now();
  const Time cost = rank_.job().params().poll_cost;
  // Who looks at its memory without a call goes on only when others stop.
  Waiters& waiters = rank_.job().waiters();
  const bool at_once = stop_signal() == 0 && !waiters.spinners.any();
  if (duration == Time::never()) {
    set_aside_ = true;
    const RestingPollers::Rest resting(waiters.resting, *fiber_, rank_.memory(), rank_);
    pause(reason, duration);
    set_aside_ = false;
  } else if (duration > cost) {
    if (at_once && fiber_->advance(duration)) return;
    const Job::Poller poller(rank_.job());
    const RestingPollers::Rest resting(waiters.resting, *fiber_, rank_.memory(), rank_);
    pause(reason, begin + duration);
  }
  const Job::Poller poller(rank_.job());
  const Time left = PollPolicy::until_look(now() - begin, cost);
  if (left <= Time::zero() || (at_once && fiber_->advance(left))) return;
  fiber_->sleep(left);
}

void Thread::spin(const WaitReason& reason, const Look& look) {
  /// Goes on only if there is something new to see.
  struct Onlooker final : FiberDeputy {
    explicit Onlooker(const Spinner& looks) : spinner(looks) {}
    bool act() override { return !spinner.looks_in_vain(); }
    const Spinner& spinner;
  };
  const Time begin = now();
  if (spinner_ == nullptr) {
    spinner_ = std::make_unique<Spinner>(*fiber_, rank_.memory(), rank_.node());
  }
  set_aside_ = !spinner_->set_aside(look, calls_);
  if (ProcessorUse* const use = ProcessorUse::instance()) use->waited(*this);
  Spinners& spinners = rank_.job().waiters().spinners;
  spinners.add(*spinner_);
  Onlooker onlooker(*spinner_);
  fiber_->suspend(reason, onlooker);
  spinners.remove(*fiber_);
  spinner_->go_on();
  set_aside_ = false;
  times_.waiting += now() - begin;
  record_wait(begin);
  // What it did was waiting, not computing.
  compute_from_now();
}

void Thread::charge_loop(Loop& loop) {
  constexpr std::uint32_t kFree = 1000;
  loop.again = loop.last == now() ? loop.again + 1 : 0;
  if (loop.again > kFree) {
    const Call call(rank_);
    ProcessorUse::saw_clock();
    charge(rank_.job().params().clock_cost);
  }
  loop.last = now();
}

void Thread::charge_counter() {
  saw_clock();
  ProcessorUse::saw_clock();
  charge(rank_.job().params().clock_cost);
  counter_charged_ = true;
}

void Thread::may_run_ahead(RunAhead::From from) {
  // What is measured departs in its turn: how long it takes is not known before.
  if (rank_.job().params().compute == ComputeModel::measure) return;
  if (may_go_aside() && is_worth_it()) fiber_->lead().may_begin(from);
}

bool Thread::may_go_aside() const {
  if (fiber_->scheduler().ahead() == nullptr || rank_.has_threads() || spinner_ != nullptr) {
    return false;
  }
  const HostedProcess* const process = rank_.process();
  return process != nullptr && !process->uses_signals() && fiber_->context().has_own_thread();
}

/// Stretches of code that are over at once cost more than they gain.
bool Thread::is_worth_it() {
  if (aside_.left_out == 0) return true;
  --aside_.left_out;
  return false;
}

void Thread::leave() {
  if (fiber_->scheduler().running_ahead()) {
    fiber_->lead().go_aside();
  } else if (departs_) {
    depart();
  }
}

void Thread::depart() {
  if (!stretches_->expects_long() || !may_go_aside()) return;
  computing_from_ = now();
  fiber_->lead().depart();
}

Time Thread::aside_until(Time computed) {
  if (const int signal = stop_signal()) throw StopError(now(), signal);
  return computing_from_ + scaled(rank_.job().params(), computed);
}

void Thread::gone_aside() {
  aside_.since = real_processor_time();
}

void Thread::coming_back() {
  constexpr Time kCost = Time::us(15);
  constexpr Time kMost = Time::ms(2);
  constexpr std::uint32_t kFirst = 2;
  constexpr std::uint32_t kLongest = 1000;
  aside_.taken = real_processor_time() - aside_.since;
  aside_.gained = std::min(aside_.gained + aside_.taken - kCost, kMost);
  if (aside_.gained >= Time::zero()) {
    aside_.next_out = kFirst;
    return;
  }
  aside_.gained = Time::zero();
  aside_.left_out = aside_.next_out;
  aside_.next_out = std::min(2 * aside_.next_out + 1, kLongest);
}

void Thread::come_back() {
  const Time taken = std::exchange(aside_.taken, Time::zero());
  if (rank_.job().params().compute == ComputeModel::measure) {
    computing_since_ = rank_.program().processor_time() - taken;
  }
  if (ProcessorUse* const use = ProcessorUse::instance(); use != nullptr && taken > Time::zero()) {
    use->computed_aside(rank_.job().recorded_as(rank_.id()), taken);
  }
  rank_.turn_has_come();
}

void Thread::compute(Time duration) {
  occupy_core(duration, now());
  handle_signals();
}

void Thread::occupy_core(Time duration, Time begin) {
  polls_.start_anew();
  const Time noise = rank_.job().noise_in(rank_, begin, duration);
  const Cores::Member member{static_cast<std::uint32_t>(rank_.id()), rank_.node(),
                             rank_.job().ranks_on(rank_.node()).size(), rank_.has_threads()};
  const Time end = rank_.job().cores().reserve(member, begin, duration + noise);
  if (end > now() || begin == now()) pass(end - now());
  times_.computing += duration;
  times_.waiting += now() - begin - duration;
  record(record::Activity::wait, begin, now() - duration);
  record(record::Activity::compute, now() - duration, now());
  rank_.job().computed(rank_, now() - duration, now());
}

void Thread::wait_for_core() {
  const Time rest = rank_.job().noise_in(rank_, now(), Time::zero());
  if (rest == Time::zero()) return;
  pass(rest);
  times_.waiting += rest;
  record(record::Activity::wait, now() - rest, now());
}

Time Thread::sleep(Time duration) {
  const Time begin = now();
  const Time deadline = begin + duration;
  polls_.start_anew();
  // Rings are for others; a sleep of zero still lets others go first.
  do {
    pause("sleeps", deadline);
  } while (!handle_signals() && now() < deadline);
  times_.sleeping += now() - begin;
  record(record::Activity::sleep, begin, now());
  return std::max(deadline - now(), Time::zero());
}

void Thread::wait_for_signal(const WaitReason& reason) {
  const Time begin = now();
  while (!handle_signals()) pause(reason, Time::never());
  times_.waiting += now() - begin;
  record_wait(begin);
}

void Thread::charge(Time cost) {
  const Time begin = now();
  pass(cost);
  record(record::Activity::overhead, begin, now());
  handle_signals();
}

record::Lane Thread::lane() const {
  return {rank_.job().recorded_as(rank_.id()), number_};
}

void Thread::woken_by(const Thread* other) {
  waker_.thread = other == nullptr || &other->rank_ != &rank_ ? 0 : other->number_ + 1;
}

void Thread::note_waker() {
  if (const record::RunRecorder* const recorder = rank_.job().recorder()) {
    waker_.step = recorder->causes().acting();
  }
}

void Thread::record(record::Activity activity, Time begin, Time end) const {
  if (record::RunRecorder* const recorder = rank_.job().recorder()) {
    recorder->span(lane(), activity, begin, end);
  }
}

void Thread::record_wait(Time begin, Time late) {
  const record::Waker waker = std::exchange(waker_, {});
  if (record::RunRecorder* const recorder = rank_.job().recorder()) {
    recorder->wait(lane(), begin, now(), late, waker);
  }
}

Time Thread::computed() const {
  const HostParams& params = rank_.job().params();
  switch (params.compute) {
    case ComputeModel::none:
      break;
    case ComputeModel::fixed:
      return params.compute_time;
    case ComputeModel::measure:
      return scaled(params, rank_.program().processor_time() - computing_since_);
    case ComputeModel::count:
      return counted_time(params, heddle_counted - counted_since_,
                          rank_.job().cores().slowness(rank_.node()));
  }
  return Time::zero();
}

void Thread::charge_computation() {
  if (stretches_ != nullptr) {
    stretches_->add(rank_.program().processor_time() - computing_since_);
  }
  const Time cost = computed();
  const Time begin = std::min(std::exchange(computing_from_, Time::never()), now());
  if (cost > Time::zero()) occupy_core(cost, begin);
}

void Thread::spend_computation() {
  charge_computation();
  wait_for_core();
  handle_signals();
}

void Thread::compute_from_now() {
  computing_from_ = Time::never();
  if (rank_.job().params().compute == ComputeModel::measure) {
    computing_since_ = rank_.program().processor_time();
  }
  counted_since_ = heddle_counted;
}

void Thread::abandon_calls() {
  if (call_ != nullptr) compute_from_now();
  call_ = nullptr;
}

}  // namespace heddle::host
