// How the simulator and the process of a rank take turns.
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/error.hpp"
#include "host/crash.hpp"
#include "host/process.hpp"
#include "processes/calls.hpp"
#include "processes/process_program.hpp"
#include "processes/served_calls.hpp"

namespace heddle::processes {
namespace {

/// How long the simulator sleeps before it looks what else may have become of a process.
constexpr timespec kNap{0, 10'000'000};
/// The same where another thread of the process has just run.
constexpr timespec kShortNap{0, 100'000};
/// How long the others wait, in real time, for a rank that sleeps outside of calls.
constexpr Time kOutsidePatience = Time::s(1);
/// What passes while a rank sleeps outside of calls for too long, each time it is looked at.
constexpr Time kOutsideStep = Time::us(1);

Time real_time() {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

}  // namespace

ServedThread::ServedThread(RankProcess& process, host::Rank& rank, std::uint32_t slot,
                           std::uint32_t number)
    : process_(process), slot_(slot), thread_(rank, number) {
  rank.add(thread_);
  thread_.start(rank.thread().fiber().scheduler(), this);
}

void ServedThread::run() {
  process_.converse(slot_);
}

void ServedThread::ended() {
  over_ = true;
  thread_.rank().remove(thread_);
}

RankProcess::~RankProcess() {
  if (source_) rank_->job().simulation().cancel(timer_);
}

int RankProcess::run() {
  servers_[0] = &rank_->thread();
  channel_.slots[0].thread = static_cast<std::uint32_t>(child_.id());
  describe();
  converse(0);
  return EXIT_SUCCESS;
}

void RankProcess::describe() {
  const host::HostParams& params = rank_->job().params();
  Circumstances& c = channel_.circumstances;
  c.epoch = params.epoch;
  c.clock_cost_ps = params.clock_cost.ps();
  c.process = host::kFirstProcess + static_cast<std::int32_t>(index(rank_->id()));
  c.cores = static_cast<std::uint32_t>(params.threads_per_rank);
  c.measured = params.compute == host::ComputeModel::measure;
  c.local_clock = rank_->job().calls_begin_at_once();
  rank_->node_name().copy(c.host_name, sizeof c.host_name - 1);
}

void RankProcess::converse(std::uint32_t number) {
  Slot& slot = channel_.slots[number];
  for (;;) {
    await(number);
    leave_crew(number);
    if (slot.call == static_cast<std::uint32_t>(CallNumber::end_thread)) break;
    if (slot.looks > 0) {
      rank_->thread().saw_clock();
      rank_->charge(rank_->job().params().clock_cost * std::exchange(slot.looks, 0));
    }
    if (!serve(slot, channel_.rooms[number]))
      rank_->fail_job(rank_->name() + " has called what Heddle does not know");
    answer(number);
  }
  // Others may wait for the thread itself to be gone, and it will be.
  while (activity_of(slot.thread) != Activity::gone && !child_.ending())
    wait_while(channel_.calls, channel_.calls.load(), &kShortNap);
  servers_[number] = nullptr;
  slot.turn.store(static_cast<std::uint32_t>(Turn::free));
  settle_others(number);
}

/// Whoever else goes on in this instant is answered before the next call is looked at, so that it
/// makes no difference how many processes run at a time.
void RankProcess::answer(std::uint32_t number) {
  Slot& slot = channel_.slots[number];
  const auto release = [&] {
    channel_.now_ps.store(rank_->now().ps());
    give(slot.turn, slot.waiting, static_cast<std::uint32_t>(Turn::process));
  };
  if (crew_.has_place()) {
    crew_.joined();
    in_crew_[number] = true;
    release();
  }
  rank_->thread().fiber().sleep(Time::zero());
  if (!in_crew_[number]) release();
}

void RankProcess::leave_crew(std::uint32_t number) {
  if (std::exchange(in_crew_[number], false)) crew_.left();
}

void RankProcess::await(std::uint32_t number) {
  const Slot& slot = channel_.slots[number];
  for (std::uint32_t i = 0; i < channel_.looks_before_sleep && !is(slot, Turn::simulator); ++i)
    relax();
  Time asleep_since = Time::never();
  while (!is(slot, Turn::simulator)) look_after(number, asleep_since);
  child_.drain(*rank_);
  settle_others(number);
}

void RankProcess::sleep_until_call(const Slot& slot, const timespec& limit) {
  const std::uint32_t seen = channel_.calls.load();
  channel_.waiting.store(1);
  if (!is(slot, Turn::simulator)) wait_while(channel_.calls, seen, &limit);
  channel_.waiting.store(0);
}

void RankProcess::look_after(std::uint32_t number, Time& asleep_since) {
  const Slot& slot = channel_.slots[number];
  sleep_until_call(slot, kNap);
  if (is(slot, Turn::simulator)) return;
  if (const int signal = host::stop_signal()) {
    rank_->crash({host::Crash::Cause::stopped, signal, nullptr, nullptr, nullptr, Time::zero()});
  }
  if (const auto ending = child_.ending()) end(*ending);
  child_.drain(*rank_);
  settle_others(number);
  if (activity_of(slot.thread) == Activity::running) {
    asleep_since = Time::never();
    return;
  }
  if (others_call(number)) return block(number);
  asleep_since = std::min(asleep_since, real_time());
  if (real_time() - asleep_since > kOutsidePatience) rank_->thread().fiber().sleep(kOutsideStep);
}

bool RankProcess::others_call(std::uint32_t number) const {
  for (std::uint32_t i = 0; i < channel_.slots_used; ++i) {
    if (i != number && (is(channel_.slots[i], Turn::simulator) || blocked_[i])) return true;
  }
  return false;
}

void RankProcess::settle_others(std::uint32_t number) {
  for (std::uint32_t i = 0; i < channel_.slots_used; ++i) {
    const Slot& slot = channel_.slots[i];
    if (i == number || is(slot, Turn::free)) continue;
    if (servers_[i] == nullptr) adopt(i);
    if (!blocked_[i]) continue;
    settle(slot);
    if (is(slot, Turn::simulator) || child_.ending()) servers_[i]->fiber().wake();
  }
}

/// Waits until the thread of a slot calls, sleeps, or has ended with its process.
void RankProcess::settle(const Slot& slot) {
  while (!is(slot, Turn::simulator) && !child_.ending()) {
    if (activity_of(slot.thread) == Activity::asleep) return;
    sleep_until_call(slot, kShortNap);
  }
}

void RankProcess::adopt(std::uint32_t number) {
  std::erase_if(threads_, [](const auto& thread) { return thread->over(); });
  threads_.push_back(std::make_unique<ServedThread>(*this, *rank_, number, ++numbers_));
  servers_[number] = &threads_.back()->thread();
}

/// Another thread of the process must do something before this one can go on.
void RankProcess::block(std::uint32_t number) {
  const Slot& slot = channel_.slots[number];
  blocked_[number] = true;
  while (!is(slot, Turn::simulator)) {
    if (const auto ending = child_.ending()) end(*ending);
    rank_->thread().suspend("waits outside of calls");
  }
  blocked_[number] = false;
}

void RankProcess::end(const Ending& ending) {
  for (std::uint32_t i = 0; i < kSlots; ++i) leave_crew(i);
  child_.drain(*rank_);
  child_.finish_lines(*rank_);
  if (source_) rank_->job().simulation().cancel(timer_);
  if (ending.signal == 0) rank_->end(ending.status);
  const bool asked =
      ending.signal == SIGTERM || ending.signal == SIGKILL || ending.signal == SIGINT;
  rank_->crash({asked ? host::Crash::Cause::signal : host::Crash::Cause::process, ending.signal,
                nullptr, nullptr, nullptr, Time::zero()});
}

Time RankProcess::processor_time() const {
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    if (servers_[i] == &rank_->thread()) return Time::ns(channel_.slots[i].processor_ns);
  }
  return Time::zero();
}

Time RankProcess::sleep(Time duration) {
  if (!source_) return rank_->sleep(duration);
  const Time deadline = duration == Time::never() ? duration : rank_->now() + duration;
  signalled_ = false;
  while (!signalled_ && rank_->now() < deadline) rank_->thread().block("sleeps", deadline);
  return std::max(deadline - rank_->now(), Time::zero());
}

void RankProcess::set_timer(Time first, Time interval) {
  Simulation& simulation = rank_->job().simulation();
  if (!source_) source_ = simulation.new_source();
  simulation.cancel(timer_);
  timer_interval_ = interval;
  if (first > Time::zero()) simulation.schedule_in(timer_, first, *source_, kProgram);
}

void RankProcess::timer_fired() {
  child_.signal(SIGALRM);
  signalled_ = true;
  rank_->wake();
  if (timer_interval_ > Time::zero())
    rank_->job().simulation().schedule_in(timer_, timer_interval_, *source_, kProgram);
}

}  // namespace heddle::processes
