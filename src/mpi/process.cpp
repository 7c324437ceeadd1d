#include "mpi/process.hpp"

#include "host/rank/job.hpp"
#include "mpi/call_log.hpp"
#include "mpi/profile.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// From now on nothing changes when the rank goes on that has been rung, nor what it finds then.
void may_go_on_ahead(host::Rank& rank, RunAhead::From from) {
  if (host::ThreadAside* const aside = rank.threads().first().aside()) aside->may_begin(from);
}

}  // namespace

Process::Process(World& world, host::Rank& rank)
    : world_(world),
      rank_(rank),
      simulation_(world.simulation()),
      ahead_(rank.fiber().scheduler().running_ahead()),
      runs_ahead_(world.job().params().compute == host::ComputeModel::none) {}

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

void Process::do_later(Time what) {
  later_.push_back(what);
  later_for_ = call;
}

bool Process::catch_up_late(bool may_wait) {
  const Time begin = now();
  std::size_t done = 0;
  while (done < later_.size()) {
    const Time what = later_[done];
    if (what != kSettlement) {
      owe(what);
    } else if (unsettled()) {
      if (!may_wait) break;
      catch_up();
    }
    ++done;
  }
  later_.erase(later_.begin(), later_.begin() + static_cast<std::ptrdiff_t>(done));
  // In sequence, it was a part of the call.
  if (now() > begin) part<Profile>().of(later_for_).time += now() - begin;
  return later_.empty();
}

void Process::turn_has_come() {
  catch_up_late(true);
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
  if (!asleep_ || !processor_.busy(now()) || rank_.has_threads()) {
    notify();
    // What its processor has to do then, it does in its turn.
    if (asleep_ && last_wait_ && !leaving_) may_go_on_ahead(rank_, RunAhead::From::now);
    return;
  }
  background_.changed();
  if (leaving_) return;
  leaving_ = true;
  satisfied_at_ = now();
  if (record::RunRecorder* const recorder = rank_.job().recorder()) {
    recorder->causes().decided(rank_.job().recorded_as(rank_.id()));
  }
  rank_.threads().first().waits().ring_in(processor_.free_at() - now());
  // In this instant, it may still be put off.
  if (last_wait_) may_go_on_ahead(rank_, RunAhead::From::next_instant);
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
    return do_later(cost);
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
