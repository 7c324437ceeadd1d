// How much every operation still waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "core/large_vector.hpp"

namespace heddle::replay {

/// A byte per operation, as few wait for more than one or two others; what does not fit it is kept
/// elsewhere.
class WaitingCounts {
 public:
  /// So many operations that wait for nothing.
  void reset(std::size_t ops) {
    counts_.assign(ops, 0);
    more_.clear();
  }
  /// It waits for one more.
  void add(std::size_t op) {
    if (counts_[op] == kMany) {
      ++more_[op];
    } else {
      ++counts_[op];
    }
  }
  /// It waits for one less; true if that was the last.
  bool take(std::size_t op) {
    if (counts_[op] == kMany && take_from_more(op)) return false;
    return --counts_[op] == 0;
  }
  bool waits(std::size_t op) const { return counts_[op] != 0; }
  const std::uint8_t* data() const { return counts_.data(); }

 private:
  static constexpr std::uint8_t kMany = UINT8_MAX;

  bool take_from_more(std::size_t op) {
    const auto it = more_.find(op);
    if (it == more_.end()) return false;
    if (--it->second == 0) more_.erase(it);
    return true;
  }

  LargeVector<std::uint8_t> counts_;
  std::unordered_map<std::size_t, std::uint64_t> more_;  ///< What exceeds kMany; not 0.
};

}  // namespace heddle::replay
