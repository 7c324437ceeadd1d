// Which of a thread's stretches of computation are long.
#pragma once

#include <array>
#include <cstdint>

#include "core/time.hpp"

namespace heddle::host {

/// Guesses whether the next stretch is long by what came after the same row of long and short ones
/// before: programs repeat themselves, though a stretch between two calls that start messages may
/// be a thousandth of the one behind the call that waits for them.
class Stretches {
 public:
  /// So long that it pays to have another thread of the host compute it.
  static constexpr Time kLong = Time::us(15);

  bool expects_long() const { return votes_[past_] >= 0; }
  void add(bool is_long) {
    std::int8_t& votes = votes_[past_];
    if (is_long) {
      votes = kMost;
    } else if (votes > kLeast) {
      --votes;
    }
    past_ = static_cast<std::uint8_t>(past_ << 1 | static_cast<int>(is_long));
  }

 private:
  static constexpr std::int8_t kMost = 1;  ///< A wrong guess of long costs less than one of short.
  static constexpr std::int8_t kLeast = -1;
  std::array<std::int8_t, 256> votes_{};  ///< By the last eight: below zero, it was short.
  std::uint8_t past_ = 0;
};

}  // namespace heddle::host
