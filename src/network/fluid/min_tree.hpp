// The least of many numbers that change often.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::network {

/// Keeps one key per slot and finds the least. A tree of wide nodes: most changes end at the node
/// they happen in, which is cheaper than moving entries of a heap about.
class MinTree {
 public:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  /// Makes room for `slots` keys; new ones are kNone.
  void resize(std::size_t slots) {
    if (!levels_.empty() && slots <= levels_[0].size()) return;
    for (std::size_t level = 0; level == 0 || slots > 1; ++level) {
      const std::size_t nodes = (slots + kWidth - 1) / kWidth;
      if (level == levels_.size()) add_level(nodes * kWidth);
      if (levels_[level].size() < nodes * kWidth) levels_[level].resize(nodes * kWidth, kNone);
      slots = nodes;
    }
  }

  /// Sets the key of `slot`, which must be below the size.
  void set(std::size_t slot, std::int64_t key) {
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const std::size_t node = slot / kWidth;
      const std::int64_t old = levels_[level][slot];
      levels_[level][slot] = key;
      const std::int64_t least_before =
          level + 1 < levels_.size() ? levels_[level + 1][node] : least_;
      if (old == least_before && key > old) {
        key = least_of(level, node);
      } else if (key >= least_before) {
        return;
      }
      slot = node;
    }
    least_ = key;
  }

  /// The least key, or kNone.
  std::int64_t least() const { return least_; }
  /// The lowest slot with the least key.
  std::size_t least_slot() const {
    const std::int64_t key = least();
    std::size_t node = 0;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      const std::int64_t* keys = levels_[level].data();
      node = static_cast<std::size_t>(
          std::find(keys + node * kWidth, keys + (node + 1) * kWidth, key) - keys);
    }
    return node;
  }

 private:
  static constexpr std::size_t kWidth = 16;

  /// A level above the others takes over their least.
  void add_level(std::size_t keys) {
    levels_.emplace_back(keys, kNone);
    levels_.back()[0] = least_;
  }

  std::int64_t least_of(std::size_t level, std::size_t node) const {
    const std::int64_t* keys = levels_[level].data() + node * kWidth;
    std::int64_t least = keys[0];
    for (std::size_t i = 1; i < kWidth; ++i) least = std::min(least, keys[i]);
    return least;
  }

  /// levels_[0] are the keys; each number of a level is the least of a node of the level below; the
  /// last level is one node.
  std::vector<std::vector<std::int64_t>> levels_;
  std::int64_t least_ = kNone;
};

}  // namespace heddle::network
