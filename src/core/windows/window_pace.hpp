// Whether the next windows of time are worth several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace heddle {

/// Threads that share a window meet several times in it, which pays for windows of many events and
/// only while every thread has a core: where others need the cores, each meeting waits for whoever
/// lost its own. So one thread goes through the windows that are small, and threads share others
/// only as long as that takes less time than one thread takes for as many events. What is lost by
/// trying is made up for by a rest of many times that. Results do not depend on any of it.
class WindowPace {
 public:
  /// `least_events`: of a window that is shared, on the average of the last few.
  explicit WindowPace(std::uint64_t least_events) : least_(kScale * least_events) {}

  /// Whether one thread alone goes through the next window, after one of so many events. `clock`
  /// gives ns; it is not asked where windows are small.
  template <class Clock>
  bool next_alone(std::uint64_t events, const Clock& clock) {
    mean_ = mean_ - mean_ / kWeight + kScale / kWeight * events;
    if (mean_ < least_) {
      timed_ = false;
      return alone_ = true;
    }
    const std::uint64_t now = clock();
    const std::uint64_t took = now - std::exchange(begun_, now);
    if (std::exchange(timed_, true)) count(events, took);
    if (alone_ && rest_ == 0 && measured_ >= kMeasured) begin_trial();
    return alone_;
  }
  /// Others have something to do before the next window, whose time is not that of windows.
  void interrupt() { timed_ = false; }

 private:
  static constexpr std::uint64_t kScale = 1024;  ///< Fractions of an event that are kept.
  static constexpr std::uint64_t kWeight = 8;    ///< Windows that the average goes over.
  /// Windows of a trial, longer each time that it was worth it, and those of one thread between.
  static constexpr std::uint64_t kFirstTrial = 64;
  static constexpr std::uint64_t kLongestTrial = 4096;
  static constexpr std::uint64_t kMeasured = 8;
  static constexpr std::uint64_t kRest = 16;  ///< Times what a trial has lost.
  // In ns: by how much a trial may be late before it is given up, and how much of the past counts.
  static constexpr std::uint64_t kPatience = 500'000;
  static constexpr std::uint64_t kMemory = 1'000'000'000;

  void count(std::uint64_t events, std::uint64_t took) {
    if (!alone_) return count_shared(events, took);
    events_ += events;
    took_ += took;
    if (took_ > kMemory) {
      events_ = events_ / 2 + 1;
      took_ /= 2;
    }
    rest_ -= std::min(rest_, took);
    ++measured_;
  }

  void count_shared(std::uint64_t events, std::uint64_t took) {
    ++shared_;
    trial_events_ += events;
    trial_took_ += took;
    const auto expected =
        static_cast<std::uint64_t>(static_cast<double>(trial_events_) /
                                   static_cast<double>(events_) * static_cast<double>(took_));
    if (shared_ < trial_ && trial_took_ <= 2 * expected + kPatience) return;
    const bool paid = trial_took_ <= expected;
    rest_ = paid ? 0 : kRest * (trial_took_ - expected);
    trial_ = paid ? std::min(2 * trial_, kLongestTrial) : kFirstTrial;
    alone_ = true;
    measured_ = 0;
  }

  void begin_trial() {
    alone_ = false;
    shared_ = trial_events_ = trial_took_ = 0;
  }

  const std::uint64_t least_;
  std::uint64_t mean_ = 0;  ///< Events of a window, times kScale.
  bool alone_ = true;       ///< One thread goes through the present window.
  bool timed_ = false;      ///< Its beginning is known:
  std::uint64_t begun_ = 0;

  // Of one thread: its events, and what they took. Until that is known, 1 us for each.
  std::uint64_t events_ = 1;
  std::uint64_t took_ = 1000;
  std::uint64_t measured_ = kMeasured;  ///< Windows since the last trial.
  std::uint64_t rest_ = 0;              ///< ns until the next one.

  std::uint64_t trial_ = kFirstTrial;  ///< Windows of the present trial, or of the next.
  std::uint64_t shared_ = 0;
  std::uint64_t trial_events_ = 0;
  std::uint64_t trial_took_ = 0;
};

}  // namespace heddle
