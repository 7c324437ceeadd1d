// Tells a recorder what the ranks of a replay do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/quantity.hpp"
#include "record/run_recorder.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// Of several processors of a rank the first is recorded: what the others do would overlap with it.
class ReplayRecording {
 public:
  explicit ReplayRecording(record::RunRecorder* recorder) : recorder_(recorder) {}
  explicit operator bool() const { return recorder_ != nullptr; }

  /// A message and the processor that handles it.
  struct Travel {
    RankId sender;
    RankId receiver;
    CpuId cpu;
    Bytes size;
  };

  void computes(RankId rank, CpuId cpu, Time begin, Time duration, Time noise) {
    span(rank, cpu, record::Activity::compute, begin, begin + duration);
    span(rank, cpu, record::Activity::wait, begin + duration, begin + duration + noise);
  }
  /// By its adapter.
  void held_up(RankId rank, CpuId cpu, Time begin, Time end) {
    span(rank, cpu, record::Activity::gap, begin, end);
  }
  void works(RankId rank, CpuId cpu, Time begin, Time end) {
    span(rank, cpu, record::Activity::overhead, begin, end);
  }
  /// Overhead first, then bytes that come in.
  void handles(RankId rank, CpuId cpu, Time begin, Time middle, Time end) {
    span(rank, cpu, record::Activity::overhead, begin, middle);
    span(rank, cpu, record::Activity::gap, middle, end);
  }

  /// `number` is that of a record of the engine, which is used again.
  void departs(MessageId number, Time at) {
    if (index(number) >= departed_.size()) departed_.resize(index(number) + 1);
    departed_[index(number)] = {at, Time::zero(), false};
  }
  /// A processor that was idle from `idle` on takes a message that is there since `arrival` now;
  /// where it `waits` for its receive, its sender does so, too, and it is told of by found().
  void arrives(MessageId number, const Travel& travel, Time idle, Time arrival, Time now,
               bool waits) {
    departed_[index(number)].arrived = arrival;
    departed_[index(number)].waits = waits;
    if (!waits) tell(number, travel, record::Way::eager, arrival);
    if (arrival > idle) {
      recorder_->wait(thread_of(travel.receiver, travel.cpu), idle, arrival);
    }
    held_up(travel.receiver, travel.cpu, std::max(idle, arrival), now);
  }
  /// The receive of a message that was unexpected.
  void found(MessageId number, RankId sender, RankId receiver, Bytes size, Time now) {
    if (departed_[index(number)].waits) {
      tell(number, {sender, receiver, CpuId{0}, size}, record::Way::waited_recv, now);
    }
  }
  /// A sender that waited for the match of its message goes on.
  void released(RankId sender, CpuId cpu, Time idle, Time now) {
    if (now <= idle) return;
    recorder_->causes().told(raw(sender), last_, now);
    recorder_->wait(thread_of(sender, cpu), idle, now);
  }

 private:
  struct Departed {
    Time at;
    Time arrived;
    bool waits = false;
  };

  static record::RankThread thread_of(RankId rank, CpuId cpu) { return {raw(rank), raw(cpu)}; }
  void span(RankId rank, CpuId cpu, record::Activity activity, Time begin, Time end) {
    recorder_->span(thread_of(rank, cpu), activity, begin, end);
  }
  void tell(MessageId number, const Travel& travel, record::Way way, Time met) {
    const Departed& departed = departed_[index(number)];
    last_ = recorder_->message({raw(travel.sender), raw(travel.receiver), travel.size.count(), way,
                                departed.at, met, departed.arrived});
    recorder_->causes().told(raw(travel.receiver), last_, departed.arrived);
  }

  record::RunRecorder* recorder_;
  std::vector<Departed> departed_;  ///< By number of the engine's record.
  std::uint64_t last_ = 0;          ///< The message told of last.
};

}  // namespace heddle::replay
