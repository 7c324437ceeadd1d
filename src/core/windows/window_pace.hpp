// Whether the next windows of time are worth several threads.
#pragma once

#include <cstdint>

namespace heddle {

/// Threads that share a window meet twice in it, which pays for windows of many events and only
/// while every thread has a core: where others need the cores, each meeting waits for whoever lost
/// its own. So one thread goes through the windows that are small, and after meetings in vain all
/// of them for a while, twice as long each time; results do not depend on it. Knows no clock.
class WindowPace {
 public:
  /// `least_events`: of a window that is shared, on the average of the last few.
  explicit WindowPace(std::uint64_t least_events) : least_(kScale * least_events) {}

  /// Whether one thread alone goes through the next window. Of the last one: its events, and how
  /// often a thread had to sleep until another came.
  bool next_alone(std::uint64_t events, std::uint64_t sleeps) {
    mean_ = mean_ - mean_ / kWeight + kScale / kWeight * events;
    if (rest_ > 0) {
      --rest_;
      return true;
    }
    if (mean_ < least_) return true;
    judge(events, sleeps);
    return rest_ > 0;
  }

 private:
  static constexpr std::uint64_t kScale = 1024;  ///< Fractions of an event that are kept.
  static constexpr std::uint64_t kWeight = 8;    ///< Windows that the average goes over.
  /// Windows of a trial, and of those the ones in vain that end it.
  static constexpr std::uint64_t kTrial = 64;
  static constexpr std::uint64_t kMostVain = 4;
  static constexpr std::uint64_t kFirstRest = 1024;
  static constexpr std::uint64_t kLongestRest = std::uint64_t{1} << 24;
  /// To sleep is nothing beside as many events.
  static constexpr std::uint64_t kHuge = 100'000;

  void judge(std::uint64_t events, std::uint64_t sleeps) {
    ++shared_;
    if (sleeps > 0 && events < kHuge) ++vain_;
    if (vain_ >= kMostVain) {
      rest_ = longer_;
      longer_ = longer_ < kLongestRest ? 2 * longer_ : longer_;
    } else if (shared_ < kTrial) {
      return;
    } else if (vain_ == 0) {
      longer_ = kFirstRest;
    }
    shared_ = vain_ = 0;
  }

  const std::uint64_t least_;
  std::uint64_t mean_ = 0;             ///< Events of a window, times kScale.
  std::uint64_t shared_ = 0;           ///< Windows of the present trial.
  std::uint64_t vain_ = 0;             ///< Of those, in which a thread slept.
  std::uint64_t rest_ = 0;             ///< Windows that one thread still goes through alone.
  std::uint64_t longer_ = kFirstRest;  ///< Those after the next trial that fails.
};

}  // namespace heddle
