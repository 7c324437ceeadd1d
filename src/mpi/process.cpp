#include "mpi/process.hpp"

#include "host/rank/job.hpp"
#include "mpi/call_log.hpp"
#include "mpi/wait_ahead.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// Whether ranks go on ahead of their turn that wait: where they do not go on with events
/// meanwhile.
bool waits_end_early(const host::Rank& rank) {
  return rank.fiber().scheduler().ahead() != nullptr &&
         rank.job().params().compute != host::ComputeModel::measure;
}

}  // namespace

Process::Process(World& world, host::Rank& rank)
    : world_(world),
      rank_(rank),
      simulation_(world.simulation()),
      ahead_(rank.fiber().scheduler().running_ahead()),
      runs_ahead_(world.job().params().compute == host::ComputeModel::none) {
  if (waits_end_early(rank)) wait_ahead_ = std::make_unique<WaitAhead>(*this);
}

Process::~Process() = default;

Process* Process::make(host::Rank& rank) {
  World* world = World::of(rank.job());
  return world == nullptr ? nullptr : &world->process(static_cast<std::uint32_t>(rank.id()));
}

void Process::calls_abandoned() {
  listening_ = 0;
  asleep_ = false;
  awaited_taken_ = false;
  blocked_ = nullptr;
  call = "";
  last_wait_ = false;
}

void Process::settle_later() {
  wait_ahead_->do_later(WaitAhead::kSettlement);
}

void Process::turn_has_come() {
  if (wait_ahead_ != nullptr) wait_ahead_->catch_up(true);
}

bool Process::ends_wait_early() {
  return wait_ahead_ != nullptr && wait_ahead_->ends_early();
}

bool Process::early_wait_is_over() {
  return wait_ahead_ == nullptr || wait_ahead_->is_over();
}

Process::Sleep Process::fall_asleep(const Blocked& reason) {
  ++listening_;
  asleep_ = true;
  const Blocked* outer_reason = std::exchange(blocked_, &reason);
  occupy(std::exchange(debt_, Time::zero()));
  if (record::RunRecorder* const recorder = rank_.job().recorder()) {
    recorder->causes().busy(rank_.job().recorded_as(rank_.id()), processor_.free_at());
  }
  return {outer_reason, now(), std::max(processor_.free_at(), now())};
}

bool Process::wake_up(const Sleep& sleep) {
  if (wait_ahead_ != nullptr && wait_ahead_->ended_early()) {
    wait_ahead_->keep(sleep);
    return true;
  }
  mailbox.save_sent(*this);
  asleep_ = false;
  const bool settled = std::exchange(leaving_, false);
  // What the processor still works off at the beginning is no waiting.
  const Time over = settled ? satisfied_at_ : now();
  const Time worked = std::min(sleep.busy_until, over) - sleep.begin;
  counters.waiting += over - sleep.begin - worked;
  rank_.thread().account().worked(worked);
  if (listening_ > 0) --listening_;
  // The reason of another thread may be gone by now.
  blocked_ = rank_.has_threads() ? nullptr : sleep.outer_reason;
  return settled;
}

/// A rank that would wake only to wait for its processor sleeps through.
void Process::satisfied() {
  if (!asleep_ || !processor_.busy(now()) || rank_.has_threads()) return notify();
  background_.changed();
  if (leaving_) return;
  leaving_ = true;
  satisfied_at_ = now();
  if (record::RunRecorder* const recorder = rank_.job().recorder()) {
    recorder->causes().decided(rank_.job().recorded_as(rank_.id()));
  }
  rank_.threads().first().waits().ring_in(processor_.free_at() - now());
}

void Process::look_in_vain() {
  const Time cost = *world_.config().test_cost;
  if (cost > Time::zero()) {
    rank_.thread().work().charge(cost);
    if (CallLog* log = world_.call_log()) log->stays(*this, cost);
  }
  const auto reason = [this] { return std::string("polls with ") + call; };
  ++listening_;
  ++polling_;
  occupy(std::exchange(debt_, Time::zero()));
  rank_.thread().looks().polled(reason);
  mailbox.save_sent(*this);
  --polling_;
  if (listening_ > 0) --listening_;
  background_.advance();
}

void Process::owe(Time cost) {
  if (ahead_) [[unlikely]] {
    return wait_ahead_->do_later(cost);
  }
  if (listening_ == 0 || (leaving_ && now() > satisfied_at_)) {
    debt_ += cost;
    return;
  }
  occupy(cost);
  if (leaving_) rank_.threads().first().waits().put_off(processor_.free_at() - now());
}

void Process::catch_up() {
  occupy(std::exchange(debt_, Time::zero()));
  if (!processor_.busy(now())) return;
  rank_.thread().work().charge(processor_.free_at() - now());
  mailbox.save_sent(*this);
}

}  // namespace heddle::mpi
