// Whether it pays to run stretches of a thread's code beside the simulator.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/time.hpp"

namespace heddle::host {

/// Stretches of code that are over at once cost more than they gain: after such, ever more are left
/// out before the next is tried.
class SideWorth {
 public:
  static constexpr Time kCost = Time::us(15);  ///< Of having another thread of the host run one.

  /// Whether to try with the next one.
  bool tries_next() {
    if (left_out_ == 0) return true;
    --left_out_;
    return false;
  }
  /// One that was tried has taken so much processor time.
  void took(Time stretch) {
    gained_ = std::min(gained_ + stretch - kCost, kMost);
    if (gained_ >= Time::zero()) {
      next_out_ = kFirst;
      return;
    }
    gained_ = Time::zero();
    left_out_ = next_out_;
    next_out_ = std::min(2 * next_out_ + 1, kLongest);
  }

 private:
  static constexpr Time kMost = Time::ms(2);
  static constexpr std::uint32_t kFirst = 2;
  static constexpr std::uint32_t kLongest = 1000;

  Time gained_;                 ///< What it was worth so far, within limits.
  std::uint32_t left_out_ = 0;  ///< How many stretches are still not worth trying.
  std::uint32_t next_out_ = 0;  ///< How many the next time.
};

}  // namespace heddle::host
