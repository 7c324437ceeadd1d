#include "mpi/process.hpp"

#include "host/job.hpp"
#include "mpi/call_log.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

Process::Process(World& world, host::Rank& rank)
    : world_(world),
      rank_(rank),
      simulation_(world.simulation()),
      runs_ahead_(world.job().params().compute == host::ComputeModel::none) {}
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
}

Process::Sleep Process::fall_asleep(const Blocked& reason) {
  ++listening_;
  asleep_ = true;
  const Blocked* outer_reason = std::exchange(blocked_, &reason);
  occupy(std::exchange(debt_, Time::zero()));
  if (record::RunRecorder* const recorder = rank_.job().recorder())
    recorder->busy(rank_.job().recorded_as(rank_.id()), processor_free_);
  return {outer_reason, now(), std::max(processor_free_, now())};
}

bool Process::wake_up(const Sleep& sleep) {
  save_sent();
  asleep_ = false;
  const bool settled = std::exchange(leaving_, false);
  // What the processor still works off at the beginning is no waiting.
  const Time over = settled ? satisfied_at_ : now();
  const Time worked = std::min(sleep.busy_until, over) - sleep.begin;
  counters.waiting += over - sleep.begin - worked;
  rank_.thread().times().waiting -= worked;
  if (listening_ > 0) --listening_;
  // The reason of another thread may be gone by now.
  blocked_ = rank_.has_threads() ? nullptr : sleep.outer_reason;
  return settled;
}

/// A rank that would wake only to wait for its processor sleeps through.
void Process::satisfied() {
  if (!asleep_ || !busy() || rank_.has_threads()) return notify();
  ++changes_;
  if (leaving_) return;
  leaving_ = true;
  satisfied_at_ = now();
  if (record::RunRecorder* const recorder = rank_.job().recorder())
    recorder->decided(rank_.job().recorded_as(rank_.id()));
  rank_.ring_in(processor_free_ - now());
}

void Process::look_in_vain() {
  const Time cost = *world_.config().test_cost;
  if (cost > Time::zero()) {
    rank_.charge(cost);
    if (CallLog* log = world_.call_log()) log->stays(*this, cost);
  }
  const auto reason = [this] { return std::string("polls with ") + call; };
  ++listening_;
  ++polling_;
  occupy(std::exchange(debt_, Time::zero()));
  rank_.polled(reason);
  save_sent();
  --polling_;
  if (listening_ > 0) --listening_;
  progress();
}

void Process::advance() {
  if (advancing_) return;
  const struct Turn {
    explicit Turn(bool& taken) : taken_(taken) { taken_ = true; }
    ~Turn() { taken_ = false; }
    bool& taken_;
  } turn(advancing_);
  // What one does may be what another waits for.
  for (std::uint32_t seen = changes_ - 1; seen != changes_;) {
    seen = changes_;
    for (std::size_t i = progress_.size(); i-- > 0;) {
      if (i < progress_.size()) progress_[i]->advance();
    }
  }
}

void Process::add(Progress& progress) {
  ++changes_;
  progress_.push_back(&progress);
}

void Process::remove(Progress& progress) {
  ++changes_;
  std::erase(progress_, &progress);
}

void Process::owe(Time cost) {
  if (listening_ == 0 || (leaving_ && now() > satisfied_at_)) {
    debt_ += cost;
    return;
  }
  occupy(cost);
  if (leaving_) rank_.put_off(processor_free_ - now());
}

void Process::catch_up() {
  occupy(std::exchange(debt_, Time::zero()));
  if (!busy()) return;
  rank_.charge(processor_free_ - now());
  save_sent();
}

}  // namespace heddle::mpi
