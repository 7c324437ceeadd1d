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
  /// Whether it may soon be enough: nothing has changed so far, and some of it came again.
  bool promising() const { return repetitions_ > 0 || (count_ > 0 && count_ < kRepetitions); }
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

}  // namespace heddle::host
