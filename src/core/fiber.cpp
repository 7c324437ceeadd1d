#include "core/fiber.hpp"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"
#include "core/prefetch.hpp"
#include "core/thread_pointer.hpp"
#include "core/units.hpp"

namespace heddle {
namespace {

/// Bytes by which a stack begins lower. Stacks lie a multiple of a page apart, so that the frames
/// of all fibers would compete for the same few places in the processor's caches.
std::size_t colour_of(std::uint32_t stack) {
  constexpr std::size_t kColours = 24;  ///< As far as most frames still fit into the first page.
  return stack % kColours * kCacheLine;
}

/// What comes out of a wait whose scheduler ends. Deliberately no std::exception.
struct Unwind {};

}  // namespace

/// The first function on every fiber's stack, and the ways to and fro.
struct FiberScheduler::Switch {
  using ExceptionState = Fiber::ExceptionState;

  /// The runtime's state of this thread; the C++ ABI prescribes its two members.
  static ExceptionState* exceptions() {
    return reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
  }

  static void enter(StopPlace&, StopPlace& here) {
    Fiber& fiber = *static_cast<Fiber::Stop&>(here).fiber;
    FiberScheduler& scheduler = fiber.scheduler_;
    after_switch(nullptr, &scheduler.host_bottom_, &scheduler.host_size_);
    scheduler.take_thread(fiber);
    scheduler.run_body(fiber);
    finish(scheduler, fiber);
  }

  [[noreturn]] static void finish(FiberScheduler& scheduler, Fiber& fiber) {
    fiber.state_ = Fiber::State::finished;
    scheduler.give_thread_back(fiber);
    before_switch(nullptr, scheduler.host_bottom_, scheduler.host_size_);
    switch_stacks(fiber.stop_, scheduler.host_);
    std::abort();  // Nobody comes back to a finished fiber.
  }

  static void to_fiber(FiberScheduler& scheduler, Fiber& fiber) {
    ExceptionState& live = *scheduler.host_exceptions_;
    const ExceptionState host = live;
    live = fiber.exceptions_;
    int& live_errno = *scheduler.host_errno_;
    const int host_errno = std::exchange(live_errno, fiber.errno_);
    const FloatingPoint host_floating_point = FloatingPoint::now();
    fiber.floating_point_.take_over(host_floating_point);
    void* fake_stack = nullptr;
    const std::span<std::byte> stack = scheduler.stack_of(fiber);
    before_switch(&fake_stack, stack.data(), stack.size());
    switch_stacks(scheduler.host_, fiber.stop_);
    after_switch(fake_stack, nullptr, nullptr);
    // The event loop rounds its own way, and has no use for the flags.
    fiber.floating_point_ = FloatingPoint::now();
    host_floating_point.take_over_mode(fiber.floating_point_);
    fiber.errno_ = std::exchange(live_errno, host_errno);
    fiber.exceptions_ = live;
    live = host;
  }
};

void FiberScheduler::unwind() {
  throw Unwind{};
}

Fiber::Fiber(FiberScheduler& scheduler, FiberTask& task, const FiberPlace& place)
    : scheduler_(scheduler),
      task_(task),
      place_(place),
      source_(scheduler.simulation().new_source()) {}

void* Fiber::thread_pointer() const {
  return place_.thread_pointer ? place_.thread_pointer : scheduler_.host_thread_;
}

std::span<std::byte> Fiber::stack() const {
  return scheduler_.stack_of(*this);
}

void Fiber::fire() {
  if (ahead_ != Ahead::no) {
    if (departed_ && stays_aside()) return;
    scheduler_.ahead_->take_back(*this);
  }
  if (deputy_ == nullptr || !deputy_acts()) scheduler_.resume(*this);
}

/// Nobody can wake the fiber meanwhile, as if it ran.
bool Fiber::deputy_acts() {
  state_ = State::running;
  if (deputy_->act()) return false;
  state_ = State::suspended;
  return true;
}

void Fiber::glimpse() const {
  constexpr std::size_t kDeputy = 7;  ///< Lines of what a deputy has.
  if (deputy_ == nullptr) return;
  prefetch_lines(deputy_, kDeputy);
  task_.foresee();
}

void Fiber::foresee() const {
  constexpr std::size_t kFrames = 10;  ///< Lines of the stack that the innermost functions have.
  if (deputy_ != nullptr) return deputy_->foresee();
  prefetch_lines(stop_.stack, kFrames);
  task_.foresee();
}

void Fiber::sleep(Time duration) {
  await_turn();
  scheduler_.throw_if_ending();
  state_ = State::sleeping;
  due_ = scheduler_.simulation_.now() + duration;
  scheduler_.simulation_.schedule_in(*this, duration, source_, kProgram);
  scheduler_.leave(*this);
}

bool Fiber::advance(Time duration) {
  await_turn();
  return scheduler_.simulation_.advance(duration, source_, kProgram);
}

void Fiber::suspend(const WaitReason& reason) {
  suspend(reason, Time::never());
}

void Fiber::suspend(const WaitReason& reason, FiberDeputy& deputy) {
  deputy_ = &deputy;
  suspend(reason, Time::never());
  deputy_ = nullptr;
}

/// Nothing of this is done by then but to come here.
void Fiber::wait_for_turn() {
  ahead_ = Ahead::back;
  scheduler_.leave(*this);
  task_.come_back();
}

void Fiber::leave_aside() {
  departed_ = false;
  go_on_aside();
}

void Fiber::depart() {
  state_ = State::sleeping;
  departed_ = true;
  scheduler_.simulation_.schedule_in(*this, Time::zero(), source_, kProgram);
  go_on_aside();
}

/// Whether others may go on before it needs its turn: it is asked again later then.
bool Fiber::stays_aside() {
  const auto computed = scheduler_.ahead_->computed(*this);
  if (!computed) return false;
  const Time until = std::max(task_.aside_until(*computed), scheduler_.simulation_.now());
  scheduler_.simulation_.schedule(*this, until, source_, kProgram);
  return true;
}

void Fiber::go_on_aside() {
  ahead_ = Ahead::leaves;
  scheduler_.leave(*this);
  // By one of the threads or, if its turn came sooner, by that of the event loop.
  if (side_ != nullptr) aside_ = this;
  task_.gone_aside();
}

void Fiber::leave_side_thread() {
  aside_ = nullptr;
  // A recall may have come right before that, and the turn with it.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (side_ == nullptr) return;
  task_.coming_back();
  StopPlace& side = *std::exchange(side_, nullptr);
  set_thread_pointer(side_thread_);
  switch_stacks(stop_, side);
  scheduler_.take_thread(*this);
  scheduler_.throw_if_ending();
  task_.come_back();
}

void Fiber::end() {
  FiberScheduler::Switch::finish(scheduler_, *this);
}

bool Fiber::overflows(const void* address) const {
  if (stop_.stack == nullptr) return false;
  return place_.stack.empty() ? scheduler_.stacks_.below(stack_, address)
                              : address < place_.stack.data();
}

void Fiber::discard() {
  assert(scheduler_.current_ != this && "a fiber that runs ends itself");
  if (finished()) return;
  if (scheduler_.ahead_ != nullptr) {
    if (ahead_ != Ahead::no) scheduler_.ahead_->take_back(*this);
    scheduler_.ahead_->forget(*this);
  }
  scheduler_.simulation_.cancel(*this);
  if (stop_.stack != nullptr) scheduler_.free_stack(*this);
  state_ = State::finished;
  --scheduler_.unfinished_;
}

bool Fiber::wake_in(Time delay) {
  if (state_ != State::suspended) return false;
  scheduler_.simulation_.cancel(*this);
  timed_out_ = false;
  state_ = State::ready;
  due_ = scheduler_.simulation_.now() + delay;
  scheduler_.simulation_.schedule_in(*this, delay, source_, kProgram);
  return true;
}

void Fiber::put_off(Time delay) {
  assert(state_ == State::ready && "it has been woken and does not run yet");
  assert(ahead_ == Ahead::no && "nothing changes its time once it runs ahead");
  scheduler_.simulation_.cancel(*this);
  due_ = scheduler_.simulation_.now() + delay;
  scheduler_.simulation_.schedule_in(*this, delay, source_, kProgram);
}

FiberScheduler::FiberScheduler(Simulation& simulation, const FiberConfig& config)
    : simulation_(simulation),
      stacks_(config.stack_size, config.max_stacks, config.guard_every),
      host_thread_(thread_pointer()),
      host_exceptions_(Switch::exceptions()),
      host_errno_(&errno) {}

FiberScheduler::~FiberScheduler() {
  end();
}

void FiberScheduler::FunctionTask::run(Fiber& fiber) {
  // What the function holds goes with its run.
  const auto body = std::move(body_);
  body(fiber);
}

Fiber& FiberScheduler::spawn(std::string name, std::function<void(Fiber&)> body) {
  throw_if_ending();
  return spawn(functions_.emplace_back(std::move(name), std::move(body)));
}

Fiber& FiberScheduler::spawn(FiberTask& task, const FiberPlace& place) {
  throw_if_ending();
  Fiber& fiber = fibers_.emplace_back(*this, task, place);
  ++unfinished_;
  simulation_.schedule_in(fiber, Time::zero(), fiber.source_, kProgram);
  return fiber;
}

void FiberScheduler::run_events() {
  if (ahead_ == nullptr) return simulation_.run();
  do {
    ahead_->begin();
  } while (simulation_.step());
}

void FiberScheduler::run() {
  run_events();
  if (unfinished_ > 0) report_deadlock();
}

/// Where most wait for the same, whoever waits for something else is the one to look at: the first
/// with each reason is among those that are shown.
std::vector<std::string> FiberScheduler::waiting(std::size_t limit) const {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> others;
  std::unordered_set<std::string> reasons;
  for (std::size_t i = 0; i < fibers_.size() && shown.size() < limit; ++i) {
    if (fibers_[i].state_ != Fiber::State::suspended) continue;
    const bool first = reasons.insert(fibers_[i].reason_->text()).second;
    (first ? shown : others).push_back(i);
  }
  others.resize(std::min(others.size(), limit - shown.size()));
  shown.insert(shown.end(), others.begin(), others.end());
  std::sort(shown.begin(), shown.end());
  std::vector<std::string> lines;
  for (const std::size_t i : shown) {
    lines.push_back(fibers_[i].name() + " " + fibers_[i].reason_->text());
  }
  return lines;
}

void FiberScheduler::report_deadlock() const {
  constexpr std::size_t kShown = 20;
  std::string text =
      fmt::format("deadlock at {}: nothing is left to happen, and {} of {} programs still {}:",
                  format_time(simulation_.now()), unfinished_, fibers_.size(),
                  unfinished_ == 1 ? "waits" : "wait");
  for (const std::string& line : waiting(kShown)) text += "\n  " + line;
  if (unfinished_ > kShown) text += fmt::format("\n  and {} more", unfinished_ - kShown);
  throw DeadlockError(text);
}

void FiberScheduler::resume(Fiber& fiber) {
  assert(current_ == nullptr && "only the event loop resumes fibers");
  if (fiber.stop_.stack == nullptr) begin(fiber);
  fiber.state_ = Fiber::State::running;
  visit(fiber);
  if (fiber.ahead_ == Fiber::Ahead::leaves) ahead_->hand_over(fiber);
  if (fiber.finished()) retire(fiber);
}

/// Its code, up to where it stops again.
void FiberScheduler::visit(Fiber& fiber) {
  current_ = &fiber;
  // What intact() looks at afterwards is on nobody else's way.
  prefetch(stacks_.bottom(fiber.stack_) - 1);
  fiber.task_.resumed();
  Switch::to_fiber(*this, fiber);
  fiber.task_.paused();
  current_ = nullptr;
  if (!intact(fiber)) report_overflow(fiber);
}

void FiberScheduler::begin(Fiber& fiber) {
  if (fiber.place_.stack.empty()) {
    const auto stack = stacks_.take();
    if (!stack) {
      throw RunError(
          fmt::format("no stack is left for {}: {} are in use already; raise the maximum "
                      "number of stacks",
                      fiber.name(), stacks_.count()));
    }
    fiber.stack_ = *stack;
  }
  const std::span<std::byte> stack = stack_of(fiber);
  forget_past(stack.data(), stack.size());
  const std::size_t colour = fiber.place_.stack.empty() ? colour_of(fiber.stack_) : 0;
  static_cast<StopPlace&>(fiber.stop_) =
      beginning_of(stack.first(stack.size() - colour), &Switch::enter);
  fiber.floating_point_ = FloatingPoint::unused();
}

std::span<std::byte> FiberScheduler::stack_of(const Fiber& fiber) const {
  if (!fiber.place_.stack.empty()) return fiber.place_.stack;
  return {stacks_.bottom(fiber.stack_), stacks_.usable_size()};
}

bool FiberScheduler::intact(const Fiber& fiber) const {
  return !fiber.place_.stack.empty() || stacks_.intact(fiber.stack_);
}

void FiberScheduler::free_stack(Fiber& fiber) {
  if (fiber.place_.stack.empty()) stacks_.give_back(fiber.stack_);
  fiber.stop_.stack = nullptr;
}

void FiberScheduler::run_body(Fiber& fiber) {
  try {
    fiber.task_.run(fiber);
  } catch (const Unwind&) {
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void FiberScheduler::retire(Fiber& fiber) {
  free_stack(fiber);
  --unfinished_;
  if (failure_ && !unwinding_) raise_failure(fiber);
  fiber.task_.ended();
}

void FiberScheduler::raise_failure(const Fiber& fiber) {
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    std::throw_with_nested(RunError(fiber.name() + ": " + error.what()));
  } catch (...) {
    std::throw_with_nested(RunError(fiber.name() + ": unknown exception"));
  }
}

void FiberScheduler::report_overflow(const Fiber& fiber) {
  corrupt_ = true;
  throw StackError(fmt::format("{} has overflowed its stack of {}: give it more", fiber.name(),
                               format_bytes(stacks_.stack_size())));
}

void FiberScheduler::end() {
  unwinding_ = true;
  ahead_.reset();
  for (Fiber& fiber : fibers_) drop(fiber);
}

void FiberScheduler::drop(Fiber& fiber) {
  if (fiber.stop_.stack != nullptr && !corrupt_ && fiber.task_.unwinds()) resume(fiber);
  fiber.stop_.stack = nullptr;
  simulation_.cancel(fiber);
}

}  // namespace heddle
