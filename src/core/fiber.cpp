#include "core/fiber.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"
#include "core/prefetch.hpp"
#include "core/units.hpp"

namespace heddle {
namespace {

/// What comes out of a wait whose scheduler ends. Deliberately no std::exception.
struct Unwind {};

}  // namespace

/// The first function on every fiber's stack.
void FiberScheduler::enter(StopPlace&, StopPlace& here) {
  FiberContext& context = FiberContext::of(here);
  Fiber& fiber = *context.host().current;
  context.arrive();
  fiber.scheduler_.run_body(fiber);
  fiber.end();
}

void FiberScheduler::unwind() {
  throw Unwind{};
}

Fiber::Fiber(FiberScheduler& scheduler, FiberTask& task, const FiberPlace& place)
    : scheduler_(scheduler),
      task_(task),
      source_(scheduler.simulation().new_source()),
      context_(scheduler.host_, place),
      lead_(*this) {}

void Fiber::fire() {
  if (!lead_.turn_comes()) return;
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
  prefetch_lines(context_.stopped_at(), kFrames);
  task_.foresee();
}

void Fiber::sleep(Time duration) {
  lead_.await_turn();
  scheduler_.throw_if_ending();
  state_ = State::sleeping;
  scheduler_.simulation_.schedule_in(*this, duration, source_, kProgram);
  leave();
}

bool Fiber::advance(Time duration) {
  lead_.await_turn();
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

void Fiber::end() {
  state_ = State::finished;
  context_.finish();
}

void Fiber::discard() {
  assert(scheduler_.current() != this && "a fiber that runs ends itself");
  if (finished()) return;
  lead_.give_up();
  scheduler_.simulation_.cancel(*this);
  if (context_.live()) context_.give_back();
  state_ = State::finished;
  --scheduler_.unfinished_;
}

void Fiber::ask_again(Time when) {
  state_ = when == Time::never() ? State::suspended : State::sleeping;
  if (when == Time::never()) return;
  scheduler_.simulation_.schedule(*this, when, source_, kProgram);
}

bool Fiber::wake_in(Time delay) {
  if (state_ != State::suspended) return false;
  if (scheduled()) scheduler_.simulation_.cancel(*this);
  timed_out_ = false;
  state_ = State::ready;
  scheduler_.simulation_.schedule_in(*this, delay, source_, kProgram);
  return true;
}

void Fiber::put_off(Time delay) {
  assert(state_ == State::ready && "it has been woken and does not run yet");
  scheduler_.simulation_.cancel(*this);
  scheduler_.simulation_.schedule_in(*this, delay, source_, kProgram);
}

FiberScheduler::FiberScheduler(Simulation& simulation, const FiberConfig& config)
    : simulation_(simulation), host_(config) {}

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
  Fiber& fiber = fibers_.add(*this, task, place);
  ++unfinished_;
  simulation_.schedule_in(fiber, Time::zero(), fiber.source_, kProgram);
  return fiber;
}

void FiberScheduler::run_events() {
  if (ahead_ == nullptr || !ahead_->disturbed()) return simulation_.run();
  constexpr std::uint64_t kNowAndThen = 3;
  do {
    if (ahead_->chance(kNowAndThen)) ahead_->look_around();
  } while (simulation_.step());
}

void FiberScheduler::run() {
  run_events();
  if (unfinished_ > 0) report_deadlock();
}

/// Where most wait for the same, whoever waits for something else is the one to look at: the first
/// with each reason is among those that are shown.
std::vector<std::string> FiberScheduler::waiting(std::size_t limit) const {
  std::vector<const Fiber*> suspended;
  fibers_.for_each([&](const Fiber& fiber) {
    if (fiber.state_ == Fiber::State::suspended) suspended.push_back(&fiber);
  });
  std::vector<std::size_t> shown;
  std::vector<std::size_t> others;
  std::unordered_set<std::string> reasons;
  for (std::size_t i = 0; i < suspended.size() && shown.size() < limit; ++i) {
    const bool first = reasons.insert(suspended[i]->reason_->text()).second;
    (first ? shown : others).push_back(i);
  }
  others.resize(std::min(others.size(), limit - shown.size()));
  shown.insert(shown.end(), others.begin(), others.end());
  std::sort(shown.begin(), shown.end());
  std::vector<std::string> lines;
  for (const std::size_t i : shown) {
    lines.push_back(suspended[i]->name() + " " + suspended[i]->reason_->text());
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

/// Its code, up to where it stops again.
[[gnu::always_inline]] inline void FiberScheduler::visit(Fiber& fiber) {
  host_.current = &fiber;
  // What intact() looks at afterwards is on nobody else's way.
  fiber.context_.foresee_intact();
  fiber.task_.resumed();
  fiber.context_.visit();
  fiber.task_.paused();
  host_.current = nullptr;
  if (!fiber.context_.intact()) report_overflow(fiber);
}

void FiberScheduler::visit_ahead(Fiber& fiber) {
  visit(fiber);
}

void FiberScheduler::resume(Fiber& fiber) {
  assert(current() == nullptr && "only the event loop resumes fibers");
  if (!fiber.context_.live()) begin(fiber);
  fiber.state_ = Fiber::State::running;
  visit(fiber);
  if (fiber.lead_.stage() != FiberLead::Stage::none && ahead_ != nullptr) ahead_->has_left(fiber);
  if (fiber.finished()) retire(fiber);
}

void FiberScheduler::begin(Fiber& fiber) {
  if (fiber.context_.begin(&enter)) return;
  throw RunError(
      fmt::format("no stack is left for {}: {} are in use already; raise the maximum "
                  "number of stacks",
                  fiber.name(), host_.stacks.count()));
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
  fiber.context_.give_back();
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
                               format_bytes(host_.stacks.stack_size())));
}

void FiberScheduler::end() {
  unwinding_ = true;
  ahead_.reset();
  fibers_.for_each([this](Fiber& fiber) { drop(fiber); });
}

void FiberScheduler::drop(Fiber& fiber) {
  if (fiber.context_.live() && !corrupt_ && fiber.task_.unwinds()) resume(fiber);
  fiber.context_.abandon();
  simulation_.cancel(fiber);
}

}  // namespace heddle
