// What may make a rank's work differ from what its schedule and LogGOPS say, and who is told of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "replay/engine/rank_shape.hpp"
#include "replay/engine/replay_recording.hpp"
#include "replay/options.hpp"

namespace heddle::replay {

/// Neither noise nor slow nodes, nobody records, and every rank has one processor: there nothing
/// that waits for an operation can start before that has ended. Costs nothing.
class PlainConditions {
 public:
  PlainConditions(const ReplayOptions& /*options*/, const OneUnitEach& /*shape*/, RankId /*first*/,
                  RankId /*last*/, std::size_t /*ops*/) {}
  static constexpr bool post_early() { return true; }
  static constexpr Time slowed(RankId /*rank*/, Time duration) { return duration; }
  static constexpr Time noise_in(RankId /*rank*/, Time /*now*/, Time /*length*/) {
    return Time::zero();
  }
  static constexpr void add_noise(RankId /*rank*/, Time /*noise*/) {}
  static constexpr Time noise_of(RankId /*rank*/) { return Time::zero(); }
  static constexpr void note_ready(OpNumber /*number*/, Time /*when*/, CpuId /*cpu*/) {}
  static constexpr Time ready(OpNumber /*number*/) { return kBeforeAll; }
  static constexpr void note_idle(RankId /*rank*/, OpNumber /*number*/, CpuId /*cpu*/,
                                  Time /*idle*/) {}
  template <class Tell>
  static constexpr void record(Tell /*tell*/) {}
};

/// Those of a run.
class AnyConditions {
 public:
  /// For ranks `first` to before `last` with so many operations.
  AnyConditions(const ReplayOptions& options, const AnyUnits& shape, RankId first, RankId last,
                std::size_t ops)
      : options_(options),
        recording_(options.recorder),
        posts_early_(shape.pairs() == 1 && shape.cpus() == 1 && !recording_),
        first_(first) {
    if (shape.cpus() > 1) ready_.assign(ops, Time::zero());
    if (shape.cpus() > 1 && options.idle != nullptr) causes_.assign(ops, CpuId{0});
    if (!options.noise.silent()) noise_times_.assign(raw(last) - raw(first), Time::zero());
  }
  /// Receives that cause nothing do not go through the queue.
  bool post_early() const { return posts_early_; }
  Time slowed(RankId rank, Time duration) const { return options_.slowed(rank, duration); }
  /// In what the rank begins now.
  Time noise_in(RankId rank, Time now, Time length) const {
    return Time::ps(options_.noise.delay(raw(rank), now.ps(), length.ps()));
  }
  void add_noise(RankId rank, Time noise) {
    if (noise != Time::zero()) noise_times_[place(rank)] += noise;
  }
  Time noise_of(RankId rank) const {
    return noise_times_.empty() ? Time::zero() : noise_times_[place(rank)];
  }
  /// Something that an operation waits for happens at `when`, by that processor.
  void note_ready(OpNumber number, Time when, CpuId cpu) {
    if (ready_.empty()) return;
    Time& ready = ready_[index(number)];
    if (!causes_.empty() && when >= ready) causes_[index(number)] = cpu;
    ready = std::max(ready, when);
  }
  /// When the last of that happened.
  Time ready(OpNumber number) const {
    return ready_.empty() ? Time::zero() : ready_[index(number)];
  }
  /// A calc begins on a processor that had nothing to do for so long.
  void note_idle(RankId rank, OpNumber number, CpuId cpu, Time idle) {
    if (causes_.empty() || cpu != CpuId{0}) return;
    options_.idle->add(rank, causes_[index(number)], idle);
  }
  /// Calls `tell` with a ReplayRecording if somebody records.
  template <class Tell>
  void record(Tell tell) {
    if (recording_) tell(recording_);
  }

 private:
  std::size_t place(RankId rank) const { return index(rank) - index(first_); }

  const ReplayOptions& options_;
  ReplayRecording recording_;
  const bool posts_early_;
  const RankId first_;
  /// By number of the operation. Empty with one processor.
  std::vector<Time> ready_;
  /// By number of the operation: the processor whose operation it waited for last.
  std::vector<CpuId> causes_;
  std::vector<Time> noise_times_;  ///< By rank; empty without noise.
};

}  // namespace heddle::replay
