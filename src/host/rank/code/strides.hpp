// Whether code does nothing but look and count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "host/rank/code/number_index.hpp"
#include "host/rank/code/thought.hpp"

namespace heddle::host {

/// Registers and addresses from one round of a loop to the next.
template <std::size_t Count>
class Strides {
 public:
  using Registers = std::array<Thought, Count>;

  void begin(const Registers& registers) {
    before_ = registers;
    even_ = wanders_ = false;
    read_at_.clear();
  }
  /// A round is over.
  void round(const Registers& registers, bool first) {
    even_ = !first;
    for (std::size_t i = 0; i < Count; ++i) {
      const std::uint64_t stride = registers[i].value - before_[i].value;
      even_ = even_ && registers[i].known && stride == strides_[i];
      strides_[i] = stride;
    }
    before_ = registers;
  }
  /// The code reads this, at this place.
  void read(std::uint64_t place, std::uint64_t address) {
    if (wanders_) return;
    const std::size_t before = read_at_.size();
    const std::size_t number = read_at_.of(place);
    if (number == kPlaces) {
      wanders_ = true;
    } else if (number == before) {
      reads_[number] = address;
    } else {
      wanders_ = reads_[number] != address;
    }
  }
  /// It does more than that.
  void wander() { wanders_ = true; }
  /// Whether all registers change by the same in each round, and the same places are read.
  bool even() const { return even_ && !wanders_ && read_at_.size() > 0; }

 private:
  static constexpr std::size_t kPlaces = 256;
  Registers before_;                            ///< As they were the last time, ...
  std::array<std::uint64_t, Count> strides_{};  ///< ... and by what they had changed.
  bool even_ = false;
  bool wanders_ = false;
  NumberIndex<kPlaces> read_at_;
  std::array<std::uint64_t, kPlaces> reads_;
};

}  // namespace heddle::host
