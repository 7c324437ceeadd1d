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
  PlainConditions(const ReplayOptions& /*options*/, const OneUnitEach& /*shape*/,
                  std::uint32_t /*first*/, std::uint32_t /*last*/, std::size_t /*ops*/) {}
  static constexpr bool post_early() { return true; }
  static constexpr std::int64_t slowed(std::uint32_t /*rank*/, std::int64_t duration) {
    return duration;
  }
  static constexpr std::int64_t noise_in(std::uint32_t /*rank*/, std::int64_t /*now*/,
                                         std::int64_t /*length*/) {
    return 0;
  }
  static constexpr void add_noise(std::uint32_t /*rank*/, std::int64_t /*noise*/) {}
  static constexpr std::int64_t noise_of(std::uint32_t /*rank*/) { return 0; }
  static constexpr void note_ready(std::size_t /*number*/, std::int64_t /*when*/,
                                   unsigned /*cpu*/) {}
  static constexpr std::int64_t ready(std::size_t /*number*/) { return INT64_MIN; }
  static constexpr void note_idle(std::uint32_t /*rank*/, std::size_t /*number*/, unsigned /*cpu*/,
                                  std::int64_t /*idle*/) {}
  template <class Tell>
  static constexpr void record(Tell /*tell*/) {}
};

/// Those of a run.
class AnyConditions {
 public:
  /// For ranks `first` to before `last` with so many operations.
  AnyConditions(const ReplayOptions& options, const AnyUnits& shape, std::uint32_t first,
                std::uint32_t last, std::size_t ops)
      : options_(options),
        recording_(options.recorder),
        posts_early_(shape.pairs() == 1 && shape.cpus() == 1 && !recording_),
        first_(first) {
    if (shape.cpus() > 1) ready_.assign(ops, 0);
    if (shape.cpus() > 1 && options.idle != nullptr) causes_.assign(ops, 0);
    if (!options.noise.silent()) noise_times_.assign(last - first, 0);
  }
  /// Receives that cause nothing do not go through the queue.
  bool post_early() const { return posts_early_; }
  std::int64_t slowed(std::uint32_t rank, std::int64_t duration) const {
    return options_.slowed(rank, duration);
  }
  /// In what the rank begins now.
  std::int64_t noise_in(std::uint32_t rank, std::int64_t now, std::int64_t length) const {
    return options_.noise.delay(rank, now, length);
  }
  void add_noise(std::uint32_t rank, std::int64_t noise) {
    if (noise != 0) noise_times_[rank - first_] += noise;
  }
  std::int64_t noise_of(std::uint32_t rank) const {
    return noise_times_.empty() ? 0 : noise_times_[rank - first_];
  }
  /// Something that an operation waits for happens at `when`, by that processor.
  void note_ready(std::size_t number, std::int64_t when, unsigned cpu) {
    if (ready_.empty()) return;
    if (!causes_.empty() && when >= ready_[number]) {
      causes_[number] = static_cast<std::uint8_t>(cpu);
    }
    ready_[number] = std::max(ready_[number], when);
  }
  /// When the last of that happened.
  std::int64_t ready(std::size_t number) const { return ready_.empty() ? 0 : ready_[number]; }
  /// A calc begins on a processor that had nothing to do for so long.
  void note_idle(std::uint32_t rank, std::size_t number, unsigned cpu, std::int64_t idle) {
    if (causes_.empty() || cpu != 0) return;
    options_.idle->add(rank, causes_[number], idle);
  }
  /// Calls `tell` with a ReplayRecording if somebody records.
  template <class Tell>
  void record(Tell tell) {
    if (recording_) tell(recording_);
  }

 private:
  const ReplayOptions& options_;
  ReplayRecording recording_;
  const bool posts_early_;
  const std::uint32_t first_;
  /// By number of the operation. Empty with one processor.
  std::vector<std::int64_t> ready_;
  /// By number of the operation: the processor whose operation it waited for last.
  std::vector<std::uint8_t> causes_;
  std::vector<std::int64_t> noise_times_;  ///< By rank; empty without noise.
};

}  // namespace heddle::replay
