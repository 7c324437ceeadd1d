// Tells a recorder what the ranks of a replay do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "record/run_recorder.hpp"

namespace heddle::replay {

/// Of several processors of a rank the first is recorded: what the others do would overlap with it.
class ReplayRecording {
 public:
  explicit ReplayRecording(record::RunRecorder* recorder) : recorder_(recorder) {}
  explicit operator bool() const { return recorder_ != nullptr; }

  /// A message and the processor that handles it.
  struct Travel {
    std::uint32_t sender;
    std::uint32_t receiver;
    unsigned cpu;
    std::uint64_t size;
  };

  void computes(std::uint32_t rank, unsigned cpu, std::int64_t begin, std::int64_t duration,
                std::int64_t noise) {
    span(rank, cpu, record::Activity::compute, begin, begin + duration);
    span(rank, cpu, record::Activity::wait, begin + duration, begin + duration + noise);
  }
  /// By its adapter.
  void held_up(std::uint32_t rank, unsigned cpu, std::int64_t begin, std::int64_t end) {
    span(rank, cpu, record::Activity::gap, begin, end);
  }
  void works(std::uint32_t rank, unsigned cpu, std::int64_t begin, std::int64_t end) {
    span(rank, cpu, record::Activity::overhead, begin, end);
  }
  /// Overhead first, then bytes that come in.
  void handles(std::uint32_t rank, unsigned cpu, std::int64_t begin, std::int64_t middle,
               std::int64_t end) {
    span(rank, cpu, record::Activity::overhead, begin, middle);
    span(rank, cpu, record::Activity::gap, middle, end);
  }

  /// `number` is that of a record of the engine, which is used again.
  void departs(std::uint32_t number, std::int64_t at) {
    if (number >= departed_.size()) departed_.resize(std::size_t{number} + 1);
    departed_[number] = {at, 0, false};
  }
  /// A processor that was idle from `idle` on takes a message that is there since `arrival` now;
  /// where it `waits` for its receive, its sender does so, too, and it is told of by found().
  void arrives(std::uint32_t number, const Travel& travel, std::int64_t idle, std::int64_t arrival,
               std::int64_t now, bool waits) {
    departed_[number].arrived = arrival;
    departed_[number].waits = waits;
    if (!waits) tell(number, travel, record::Way::eager, arrival);
    if (arrival > idle) {
      recorder_->wait({travel.receiver, travel.cpu}, Time::ps(idle), Time::ps(arrival));
    }
    held_up(travel.receiver, travel.cpu, std::max(idle, arrival), now);
  }
  /// The receive of a message that was unexpected.
  void found(std::uint32_t number, std::uint32_t sender, std::uint32_t receiver, std::uint64_t size,
             std::int64_t now) {
    if (departed_[number].waits) {
      tell(number, {sender, receiver, 0, size}, record::Way::waited_recv, now);
    }
  }
  /// A sender that waited for the match of its message goes on.
  void released(std::uint32_t sender, unsigned cpu, std::int64_t idle, std::int64_t now) {
    if (now <= idle) return;
    recorder_->causes().told(sender, last_, Time::ps(now));
    recorder_->wait({sender, cpu}, Time::ps(idle), Time::ps(now));
  }

 private:
  struct Departed {
    std::int64_t at = 0;
    std::int64_t arrived = 0;
    bool waits = false;
  };

  void span(std::uint32_t rank, unsigned cpu, record::Activity activity, std::int64_t begin,
            std::int64_t end) {
    recorder_->span({rank, cpu}, activity, Time::ps(begin), Time::ps(end));
  }
  void tell(std::uint32_t number, const Travel& travel, record::Way way, std::int64_t met) {
    const Departed& departed = departed_[number];
    last_ =
        recorder_->message({travel.sender, travel.receiver, static_cast<std::int64_t>(travel.size),
                            way, Time::ps(departed.at), Time::ps(met), Time::ps(departed.arrived)});
    recorder_->causes().told(travel.receiver, last_, Time::ps(departed.arrived));
  }

  record::RunRecorder* recorder_;
  std::vector<Departed> departed_;  ///< By number of the engine's record.
  std::uint64_t last_ = 0;          ///< The message told of last.
};

}  // namespace heddle::replay
