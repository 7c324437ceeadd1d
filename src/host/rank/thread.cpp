#include "host/rank/thread.hpp"

#include <fmt/core.h>

#include "core/thread_pointer.hpp"
#include "host/rank/crash.hpp"
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

}  // namespace

HEDDLE_UNCHECKED Thread* current_thread() {
  FiberLead::come_back();
  return thread_pointer() == running.pointer ? running.thread : nullptr;
}

Thread* set_running(Thread* thread) {
  Thread* const before = running.thread;
  running = {thread, thread == nullptr ? nullptr : thread->fiber().context().thread_pointer()};
  return before;
}

Thread::Thread(RankSite& rank, std::uint32_t number)
    : ThreadSite(rank, number),
      calls_(*this),
      account_(*this),
      waits_(*this, account_),
      work_(*this, waits_),
      looks_(*this, waits_, work_, calls_) {}

int Thread::id() const {
  constexpr int kFirst = 1 << 30;
  constexpr int kOthers = 1 << 29;
  return number() == 0 ? kFirst + static_cast<int>(index(rank_site().id()))
                       : kFirst + kOthers + serial_;
}

void Thread::start(FiberScheduler& scheduler, ThreadBody* body, const FiberPlace& place) {
  body_ = body;
  calls_.take_time(!job_site().processors().calls_begin_at_once());
  if (number() > 0) serial_ = job_site().next_thread_serial();
  run_on(scheduler.spawn(*this, place));
  account_.begin(current_thread());
}

void Thread::run(Fiber& fiber) {
  if (fiber.scheduler().ahead() != nullptr && fiber.context().has_own_thread()) {
    aside_ = std::make_unique<ThreadAside>(*this, work_, looks_);
    calls_.tell_of_beginning();
    if (!work_.departs()) fiber.scheduler().ahead()->add(fiber);
  }
  work_.begin_stretch();
  if (body_ != nullptr) {
    body_->run();
  } else {
    rank_site().run();
  }
}

void Thread::call_begins() {
  if (aside_ != nullptr) aside_->stretch_ends();
  if (calls_.takes_time()) work_.begin_call();
}

std::string Thread::name() const {
  std::string name = rank_site().name();
  if (number() > 0) name += fmt::format(", thread {}", number());
  return name;
}

void Thread::foresee() const {
  rank_site().foresee();
}

void Thread::resumed() {
  if (const int signal = stop_signal()) throw StopError(now(), signal);
  rank_site().resumed(*this);
  set_running(this);
  looks_.resumed();
}

void Thread::paused() {
  looks_.paused();
  if (HostedProcess* const process = rank_site().process()) process->paused();
  set_running(nullptr);
}

void Thread::ended() {
  if (body_ == nullptr || rank_site().over()) return rank_site().ended();
  body_->ended();
}

bool Thread::unwinds() const {
  return rank_site().program().unwinds();
}

}  // namespace heddle::host
