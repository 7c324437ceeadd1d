// What was seen of code that is not understood, since it went on.
#pragma once

#include <cstdint>

#include "host/rank/sightings.hpp"

namespace heddle::host {

/// Whether code has come round a loop. Looks at it come when the machine has time for them: however
/// many there are, and however late, code that has just gone on may not have carried out a single
/// instruction yet. That it stands where it stood says nothing then, but that it does so after it
/// was seen elsewhere does. Some loops are seen at one and the same instruction always, as those
/// that pause; of these many looks in a row are enough.
class SeenAgain {
 public:
  /// Looks at one place that would take so long, together, that no machine can have been busy with
  /// something else all the time.
  static constexpr int kManyLooks = 32;
  /// Of looks at which the registers are as they were when it waited before.
  static constexpr int kEnoughLooks = 2;

  /// It has gone on, or is another thread's code. `before`: what was seen of it when it was last
  /// taken to wait; null: it was not.
  void start_anew(const Sightings* before) {
    before_ = before;
    now_.start_anew();
    last_ = nullptr;
    in_a_row_ = known_ = 0;
    came_round_ = false;
  }
  void see(const void* place, std::uint64_t registers) {
    const bool left = last_ != nullptr && last_ != place;
    in_a_row_ = left ? 1 : in_a_row_ + 1;
    came_round_ = came_round_ || (left && now_.has(place, registers));
    last_ = place;
    now_.see(place, registers);
    if (before_ != nullptr && before_->has(place, registers)) ++known_;
  }
  /// Whether it waits: it has come round to what was seen often enough, since it went on or when it
  /// waited before.
  bool waits() const { return certain() && (waits_as_before() || now_.waits()); }
  /// In a loop in which it has waited before, with the same registers.
  bool waits_as_before() const { return known_ >= kEnoughLooks; }
  /// Whether it may soon be known to.
  bool promising() const { return now_.promising(); }
  const Sightings& sightings() const { return now_; }

 private:
  bool certain() const { return came_round_ || in_a_row_ >= kManyLooks; }

  const Sightings* before_ = nullptr;
  Sightings now_;
  const void* last_ = nullptr;
  int in_a_row_ = 0;  ///< Looks at that place.
  int known_ = 0;     ///< Looks that have seen what was seen before.
  bool came_round_ = false;
};

}  // namespace heddle::host
