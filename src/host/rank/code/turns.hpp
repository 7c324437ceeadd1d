// Places in a loop that each of its rounds comes to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::host {

/// Where a walk has been, for somebody who asks where a round of its loop begins.
class Turns {
 public:
  static constexpr std::size_t kMost = 20'000;
  using Places = std::array<std::uint64_t, 8>;  ///< Zeros behind them.

  Turns() : steps_(kMost) {}
  void clear() { count_ = 0; }
  /// Carries out the instruction at `place`, so many calls deep.
  void add(std::uint64_t place, int depth) {
    if (count_ < kMost) steps_[count_++] = {place, depth};
  }
  /// What was come to once in each of so many rounds, and in no function that the loop calls: from
  /// where the loop is written first. What a walk begins with it may have come to once more.
  /// Changes the order in which all is kept.
  Places once_in_each(std::uint32_t rounds);

 private:
  Places come_to(std::uint32_t times) const;

  struct Step {
    std::uint64_t place;
    int depth;
  };
  std::vector<Step> steps_;
  std::size_t count_ = 0;
};

}  // namespace heddle::host
