#include "processes/rank_process.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/error.hpp"
#include "host/program/process.hpp"
#include "host/rank/crash.hpp"
#include "host/rank/processor_use.hpp"
#include "processes/calls.hpp"
#include "processes/served_calls.hpp"

namespace heddle::processes {
namespace {

constexpr timespec kNap{0, kNapTime.ps() / 1000};
/// The same where another thread of the process has just run.
constexpr timespec kShortNap{0, 100'000};
/// What passes while a rank sleeps outside of calls for too long, each time it is looked at.
constexpr Time kOutsideStep = Time::us(1);

/// Whether a call comes from a thread that has done nothing for others: it waits for them.
bool only_looks(const Slot& slot) {
  const auto call = static_cast<CallNumber>(slot.call);
  return call == CallNumber::wait_for_others || call == CallNumber::look_at_clock ||
         call == CallNumber::spin;
}

}  // namespace

ServedThread::ServedThread(RankProcess& process, host::Rank& rank, std::uint32_t slot,
                           std::uint32_t number)
    : process_(process), slot_(slot), thread_(rank, number) {
  rank.threads().add(thread_);
  thread_.start(rank.thread().fiber().scheduler(), this);
}

void ServedThread::run() {
  process_.converse(slot_);
}

void ServedThread::ended() {
  over_ = true;
  thread_.rank().threads().remove(thread_);
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
  c.local_clock = rank_->job().processors().calls_begin_at_once();
  rank_->node_name().copy(c.host_name, sizeof c.host_name - 1);
}

void RankProcess::converse(std::uint32_t number) {
  Slot& slot = channel_.slots[number];
  for (;;) {
    await(number);
    leave_crew(number);
    if (!only_looks(slot)) idle_.note_deed();
    if (slot.call == static_cast<std::uint32_t>(CallNumber::end_thread)) break;
    if (slot.looks > 0) {
      rank_->thread().looks().saw_clock();
      rank_->thread().work().charge(rank_->job().params().clock_cost *
                                    std::exchange(slot.looks, 0));
    }
    if (!serve(slot, channel_.rooms[number])) {
      rank_->ending().fail_job(rank_->name() + " has called what Heddle does not know");
    }
    // Who has looked at its memory looks once more. It lets nobody go first who may do the same.
    if (slot.call == static_cast<std::uint32_t>(CallNumber::spin)) {
      release(number);
    } else {
      answer(number);
    }
  }
  // Others may wait for the thread itself to be gone, and it will be.
  while (activity_of(slot.thread) != Activity::gone && !child_.ending()) {
    wait_while(channel_.calls, channel_.calls.load(), &kShortNap);
  }
  servers_[number] = nullptr;
  slot.turn.store(static_cast<std::uint32_t>(Turn::free));
  settle_others(kSlots);  // Another thread may have taken the slot since.
  idle_.wake();
}

void RankProcess::release(std::uint32_t number) {
  Slot& slot = channel_.slots[number];
  channel_.now_ps.store(rank_->now().ps());
  idle_.goes_on(number);
  give(slot.turn, slot.waiting, static_cast<std::uint32_t>(Turn::process));
}

/// Whoever else goes on in this instant is answered before the next call is looked at, so that it
/// makes no difference how many processes run at a time.
void RankProcess::answer(std::uint32_t number) {
  if (crew_.has_place()) {
    crew_.joined();
    in_crew_[number] = true;
    release(number);
  }
  rank_->thread().fiber().sleep(Time::zero());
  if (!in_crew_[number]) release(number);
}

void RankProcess::leave_crew(std::uint32_t number) {
  if (std::exchange(in_crew_[number], false)) crew_.left();
}

void RankProcess::await(std::uint32_t number) {
  SilentThread silent(*rank_, channel_, channel_.slots[number], max_step_);
  while (!is(channel_.slots[number], Turn::simulator)) look_after(number, silent);
  child_.drain(*rank_);
  settle_others(number);
  idle_.wake();
}

void RankProcess::look_after(std::uint32_t number, SilentThread& silent) {
  const Slot& slot = channel_.slots[number];
  wait_for_call(channel_, slot, kNap);
  if (is(slot, Turn::simulator)) return;
  check_stop_and_end();
  child_.drain(*rank_);
  settle_others(number);
  const Activity activity = activity_of(slot.thread);
  if (activity == Activity::running || activity == Activity::held) {
    return silent.could_run(activity == Activity::held);
  }
  const bool too_long = silent.oversleeps();
  if (others_call(number)) return block(number);
  if (too_long) rank_->thread().fiber().sleep(kOutsideStep);
}

void RankProcess::check_stop_and_end() {
  if (const int signal = host::stop_signal()) {
    rank_->ending().crash(
        {host::Crash::Cause::stopped, signal, nullptr, nullptr, nullptr, Time::zero()});
  }
  if (const auto ending = child_.ending()) end(*ending);
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
    if (i == number || !blocked_[i]) continue;
    settle(slot);
    if (is(slot, Turn::simulator) || child_.ending()) servers_[i]->fiber().wake();
  }
  adopt_started();  // They may have started threads meanwhile.
}

void RankProcess::adopt_started() {
  for (std::uint32_t i = 0; i < channel_.slots_used; ++i) {
    if (servers_[i] == nullptr && !is(channel_.slots[i], Turn::free)) adopt(i);
  }
}

/// Waits until the thread of a slot calls, sleeps, or has ended with its process.
void RankProcess::settle(const Slot& slot) {
  while (!is(slot, Turn::simulator) && !child_.ending()) {
    if (activity_of(slot.thread) == Activity::asleep) return;
    wait_for_call(channel_, slot, kShortNap);
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
  idle_.note_deed();
  idle_.wake();
  adopt_started();  // It waits for one of them, perhaps.
  while (!is(slot, Turn::simulator)) {
    if (const auto ending = child_.ending()) end(*ending);
    rank_->thread().waits().suspend("waits outside of calls");
  }
  blocked_[number] = false;
}

void RankProcess::end(const Ending& ending) {
  for (std::uint32_t i = 0; i < kSlots; ++i) leave_crew(i);
  child_.drain(*rank_);
  child_.finish_lines(*rank_);
  timers_.reset();
  if (ending.signal == 0) rank_->ending().exit(ending.status);
  const bool asked =
      ending.signal == SIGTERM || ending.signal == SIGKILL || ending.signal == SIGINT;
  rank_->ending().crash({asked ? host::Crash::Cause::signal : host::Crash::Cause::process,
                         ending.signal, nullptr, nullptr, nullptr, Time::zero()});
}

Time RankProcess::processor_time() const {
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    if (servers_[i] == &rank_->thread()) return Time::ns(channel_.slots[i].processor_ns);
  }
  return Time::zero();
}

Time RankProcess::sleep(Time duration) {
  if (!timers_) return rank_->thread().waits().sleep(duration);
  const Time deadline = duration == Time::never() ? duration : rank_->now() + duration;
  signalled_ = false;
  while (!signalled_ && rank_->now() < deadline) rank_->thread().waits().block("sleeps", deadline);
  return std::max(deadline - rank_->now(), Time::zero());
}

void RankProcess::wait_for_others(Time deadline) {
  host::Thread& thread = rank_->thread();
  const auto number = std::find(servers_.begin(), servers_.end(), &thread) - servers_.begin();
  idle_.wait(thread, static_cast<std::size_t>(number), deadline);
}

void RankProcess::spin(const void* place, bool anew) {
  host::Thread& thread = rank_->thread();
  thread.looks().spin(
      [&] { return fmt::format("looks at its memory again and again at {}", place); }, {{}, anew});
}

ProcessTimers& RankProcess::timers() {
  if (!timers_) timers_.emplace(*rank_, *this);
  return *timers_;
}

void RankProcess::signal(const TimerSignal& signal) {
  siginfo_t info{};
  info.si_signo = signal.number;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = signal.value;
  if (signal.thread != 0) {
    syscall(SYS_rt_tgsigqueueinfo, id(), signal.thread, signal.number, &info);
  } else {
    syscall(SYS_rt_sigqueueinfo, id(), signal.number, &info);
  }
  signalled_ = true;
  rank_->threads().wake();
  idle_.wake();
}

}  // namespace heddle::processes
