// What was seen of code that may look at its memory again and again. Compiled into the library that
// processes are started with, too, and so free of everything else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::host {

/// Places in a loop and the registers that were seen there.
class Sightings {
 public:
  /// Looks that must see the same as an earlier one before code is taken to wait.
  static constexpr int kRepetitions = 8;

  /// Notes a look. A place whose registers have changed makes all that was seen before void.
  void see(const void* place, std::uint64_t registers) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (places_[i].place != place) continue;
      if (places_[i].registers != registers) return start_anew();
      ++repetitions_;
      return;
    }
    if (count_ == places_.size()) return start_anew();
    places_[count_++] = {place, registers};
  }
  void start_anew() {
    count_ = 0;
    repetitions_ = 0;
  }
  /// Whether enough has been seen.
  bool waits() const { return repetitions_ >= kRepetitions; }
  /// Whether these registers were seen there.
  bool has(const void* place, std::uint64_t registers) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (places_[i].place == place && places_[i].registers == registers) return true;
    }
    return false;
  }

 private:
  struct Sighting {
    const void* place = nullptr;
    std::uint64_t registers = 0;
  };
  std::array<Sighting, 64> places_;
  std::size_t count_ = 0;
  int repetitions_ = 0;
};

/// What a thread was seen with that goes round: a loop over some flags has a state for each of
/// them.
class Rounds {
 public:
  /// Notes a look. More states than there is room for are no round.
  void see(std::uint64_t state) {
    if (has(state)) {
      ++known_;
    } else {
      if (count_ == states_.size()) count_ = 0;
      states_[count_++] = state;
      known_ = 0;
    }
  }
  void start_anew() { count_ = known_ = 0; }
  /// Whether nothing new has been seen for so long that there is nothing else to see: a loop that
  /// counts somewhere shows that at a few of its places, which must not have been missed.
  bool complete() const { return known_ >= (count_ < kLeast / 2 ? kLeast : 2 * count_); }
  bool has(std::uint64_t state) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (states_[i] == state) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kLeast = 64;
  std::array<std::uint64_t, 512> states_;
  std::size_t count_ = 0;
  std::size_t known_ = 0;  ///< Looks since the last that showed something new.
};

}  // namespace heddle::host
