// What is to be done, by level.
#pragma once

#include <bit>
#include <cstdint>

#include "network/fluid/min_heap.hpp"

namespace heddle::network {

/// Numbers that wait, in the order of their levels, which are not negative.
///
/// Such levels are ordered as their bits are. The number takes the place of as many of the last
/// bits as it needs, so that a level and its number are one integer: levels that differ less than
/// those bits are ordered by number.
class LevelQueue {
 public:
  /// For numbers below `count`.
  explicit LevelQueue(std::size_t count) : number_mask_(std::bit_ceil(count) - 1) {}

  bool empty() const { return keys_.empty(); }
  void push(double level, std::uint32_t number) {
    keys_.push((std::bit_cast<std::uint64_t>(level) & ~number_mask_) | number);
  }
  /// The one with the least level; the queue must not be empty.
  std::uint32_t top() const { return static_cast<std::uint32_t>(keys_.top() & number_mask_); }
  /// Takes it out.
  std::uint32_t pop() {
    const std::uint32_t number = top();
    keys_.pop();
    return number;
  }

 private:
  std::uint64_t number_mask_;
  MinHeap<std::uint64_t> keys_;
};

}  // namespace heddle::network
