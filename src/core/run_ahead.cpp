#include "core/run_ahead.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

#include "core/fiber.hpp"
#include "core/kernel_call.hpp"

namespace heddle {
namespace {

using Stage = FiberLead::Stage;

/// Nobody else uses it, and where nobody expects it nothing happens.
constexpr int kRecall = SIGURG;
/// How long the simulator waits for code whose turn has come before it goes on with that itself.
constexpr std::chrono::milliseconds kTurnPatience{20};
constexpr std::array<int, 6> kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

/// The context of a handler is to return to what holds now.
void take_over_signals(ucontext_t& context) {
  constexpr std::size_t kSetSize = sizeof(std::uint64_t);
  kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, reinterpret_cast<long>(&context.uc_sigmask),
              kSetSize);
  kernel_call(SYS_sigaltstack, 0, reinterpret_cast<long>(&context.uc_stack));
}

/// In the middle of a fiber's code, which goes on from here on the event loop's thread.
void on_recall(int, siginfo_t*, void* context) {
  const int saved = errno;
  FiberLead::come_back();
  // The handler returns to what holds there now, not where it began.
  take_over_signals(*static_cast<ucontext_t*>(context));
  errno = saved;
}

void expect_recalls() {
  struct sigaction action {};
  action.sa_sigaction = on_recall;
  // It may never return, so it must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(kRecall, &action, nullptr);
}

/// As long as it lives, threads begin with all signals blocked but those of their own faults and
/// recalls.
class FewSignals {
 public:
  FewSignals() {
    sigset_t most;
    sigfillset(&most);
    for (const int fault : kFaults) sigdelset(&most, fault);
    sigdelset(&most, kRecall);
    pthread_sigmask(SIG_SETMASK, &most, &before_);
  }
  ~FewSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  FewSignals(const FewSignals&) = delete;
  FewSignals& operator=(const FewSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

/// A thread that runs code of fibers.
class RunAhead::SideThread {
 public:
  explicit SideThread(RunAhead& owner) : owner_(owner), thread_([this] { live(); }) {}
  void join() { thread_.join(); }
  void recall() { pthread_kill(thread_.native_handle(), kRecall); }
  /// What its fiber has taken so far.
  Time computed() const { return processor_time() - began_; }
  bool runs(const Fiber& fiber) const { return fiber_ == &fiber; }
  Fiber* fiber() const { return fiber_; }

 private:
  static constexpr std::size_t kFaultStack = 64 * 1024;

  Time processor_time() const {
    timespec t{};
    kernel_call(SYS_clock_gettime, clock_, reinterpret_cast<long>(&t));
    return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
  }
  void live() {
    pthread_getcpuclockid(pthread_self(), &clock_);
    renew_fault_stack();
    while (owner_.take_up(*this)) {
      if (fiber_ == nullptr) continue;
      run(*fiber_);
      owner_.is_back(*this);
    }
  }
  void run(Fiber& fiber) {
    fiber.lead().visit_aside(place_);
    const std::byte* const stopped = fiber.context().stopped_at();
    // A handler of a fault waits there for the fiber's turn.
    if (stopped >= fault_stack_ && stopped < fault_stack_ + kFaultStack) renew_fault_stack();
  }
  /// The old one stays: what is on it is the last that its fiber does.
  void renew_fault_stack() {
    stacks_.push_back(std::make_unique<std::array<std::byte, kFaultStack>>());
    fault_stack_ = stacks_.back()->data();
    const stack_t stack{fault_stack_, 0, kFaultStack};
    sigaltstack(&stack, nullptr);
  }

  friend class RunAhead;
  RunAhead& owner_;
  Fiber* fiber_ = nullptr;  ///< That it runs; of the owner's mutex.
  clockid_t clock_{};       ///< Of its processor time.
  Time began_;              ///< By that.
  SidePlace place_;
  std::vector<std::unique_ptr<std::array<std::byte, kFaultStack>>> stacks_;
  std::byte* fault_stack_ = nullptr;
  std::thread thread_;  ///< The last: it uses the others.
};

RunAhead::RunAhead(FiberScheduler& scheduler, unsigned threads) : scheduler_(scheduler) {
  expect_recalls();
  const FewSignals few;
  for (unsigned i = 0; i < threads; ++i) threads_.push_back(std::make_unique<SideThread>(*this));
}

RunAhead::~RunAhead() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    for (Fiber* const fiber : waiting_) fiber->lead().enter(Stage::back);
    waiting_.clear();
  }
  work_.notify_all();
  for (const auto& thread : threads_) {
    Fiber* fiber = nullptr;
    {
      const std::lock_guard lock(mutex_);
      fiber = thread->fiber();
    }
    if (fiber != nullptr) take_back(*fiber);
    thread->join();
  }
}

void RunAhead::disturb(std::uint64_t seed) {
  if (seed == 0) return;
  disturbance_ = seed;
  chance_ = RandomStream(seed).split("chance");
}

/// How many fibers wait for a thread.
std::size_t RunAhead::given() {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void RunAhead::look_around() {
  constexpr std::size_t kMostAsked = 64;  ///< What is behind them is asked the next time.
  // More than that would only be there sooner.
  const std::size_t most_given = 2 * threads_.size();
  for (std::size_t asked = std::min(members_.size(), kMostAsked); asked > 0; --asked) {
    if (given() >= most_given) return;
    next_ = next_ + 1 < members_.size() ? next_ + 1 : 0;
    Fiber& fiber = *members_[next_];
    if (fiber.lead().stage() != Stage::none || !fiber.waits()) continue;
    if (fiber.task().aside()->ends_wait_early()) begin(fiber);
  }
}

void RunAhead::begin(Fiber& fiber) {
  /// As long as it lives, what runs is ahead of its turn.
  class Marked {
   public:
    explicit Marked(bool& mark) : mark_(mark) { mark_ = true; }
    ~Marked() { mark_ = false; }
    Marked(const Marked&) = delete;
    Marked& operator=(const Marked&) = delete;

   private:
    bool& mark_;
  };
  {
    const Marked ahead(scheduler_.running_ahead_);
    fiber.lead().begin();
    if (fiber.deputy() != nullptr && !fiber.deputy()->act_ahead()) return;
    scheduler_.visit_ahead(fiber);
  }
  if (fiber.lead().stage() == Stage::leaves) hand_over(fiber);
}

/// A fiber that had the others looked at goes on in its turn, where it is.
void RunAhead::has_left(Fiber& fiber) {
  while (fiber.lead().stage() == Stage::looks) {
    look_around();
    fiber.lead().enter(Stage::none);
    scheduler_.visit_ahead(fiber);
  }
  if (fiber.lead().stage() == Stage::leaves) hand_over(fiber);
}

void RunAhead::hand_over(Fiber& fiber) {
  {
    const std::lock_guard lock(mutex_);
    fiber.lead().enter(Stage::waiting);
    waiting_.push_back(&fiber);
    ++totals_.begun;
  }
  work_.notify_one();
  if (disturbed()) pause_perhaps();
}

RunAhead::SideThread* RunAhead::thread_of(const Fiber& fiber) const {
  for (const auto& thread : threads_) {
    if (thread->runs(fiber)) return thread.get();
  }
  return nullptr;
}

void RunAhead::take_back(Fiber& fiber) {
  if (disturbed()) pause_perhaps();
  std::unique_lock lock(mutex_);
  if (fiber.lead().stage() == Stage::waiting) {
    std::erase(waiting_, &fiber);
    ++totals_.unstarted;
  }
  bool recalled = false;
  while (fiber.lead().stage() == Stage::aside) {
    const auto is_back = [&] { return fiber.lead().stage() != Stage::aside; };
    // A recall that comes while the thread is on its way to the code or from there is lost.
    if (!over_ && back_.wait_for(lock, kTurnPatience, is_back)) break;
    thread_of(fiber)->recall();
    recalled = true;
    if (over_) back_.wait_for(lock, std::chrono::milliseconds{1}, is_back);
  }
  if (recalled) ++totals_.recalled;
  fiber.lead().enter(Stage::none);
}

std::optional<Time> RunAhead::computed(Fiber& fiber) {
  constexpr std::chrono::microseconds kWait{30};
  constexpr Time kMost = Time::s(1);
  std::unique_lock lock(mutex_);
  const auto runs_on = [&] {
    return fiber.lead().stage() == Stage::aside || fiber.lead().stage() == Stage::waiting;
  };
  if (back_.wait_for(lock, kWait, [&] { return !runs_on(); })) return std::nullopt;
  if (fiber.lead().stage() == Stage::waiting) return Time::zero();
  const Time taken = thread_of(fiber)->computed();
  return taken > kMost ? std::nullopt : std::optional(taken);
}

bool RunAhead::take_up(SideThread& thread) {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [this] { return over_ || !waiting_.empty(); });
  if (over_) return false;
  if (disturbance_ != 0) disturb(lock);
  if (waiting_.empty()) return true;
  thread.fiber_ = waiting_.front();
  waiting_.pop_front();
  thread.fiber_->lead().enter(Stage::aside);
  thread.began_ = thread.processor_time();
  return true;
}

void RunAhead::is_back(SideThread& thread) {
  {
    const std::lock_guard lock(mutex_);
    std::exchange(thread.fiber_, nullptr)->lead().enter(Stage::back);
  }
  back_.notify_one();
}

/// On the thread that simulates.
void RunAhead::pause_perhaps() {
  constexpr std::uint64_t kLongest = 64;  ///< us.
  if (chance(2)) return;
  std::this_thread::sleep_for(std::chrono::microseconds(chance_->below(kLongest)));
}

void RunAhead::disturb(std::unique_lock<std::mutex>& lock) {
  constexpr std::uint64_t kLongest = 64;  ///< us.
  RandomStream random = RandomStream(disturbance_++).split("order");
  const auto pause = std::chrono::microseconds(random.below(kLongest));
  const std::uint64_t first = random.below(kLongest);
  lock.unlock();
  std::this_thread::sleep_for(pause);
  lock.lock();
  if (waiting_.empty()) return;
  std::rotate(waiting_.begin(),
              waiting_.begin() + static_cast<std::ptrdiff_t>(first % waiting_.size()),
              waiting_.end());
}

}  // namespace heddle
