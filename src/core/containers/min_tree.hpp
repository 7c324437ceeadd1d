// The least of many numbers that change often.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle {

/// Keeps one key per slot and knows the least. A tree of wide nodes: most changes end at the node
/// they happen in, which is cheaper than moving entries of a heap about.
class MinTree {
 public:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  /// Makes room for `slots` keys; new ones are kNone.
  void resize(std::size_t slots) {
    if (!levels_.empty() && slots <= levels_[0].size()) return;
    for (std::size_t level = 0; level == 0 || slots > 1; ++level) {
      const std::size_t nodes = (slots + kWidth - 1) / kWidth;
      if (level == levels_.size()) add_level();
      grow(levels_[level], nodes * kWidth);
      slots = nodes;
    }
  }

  /// Sets the key of `slot`, which must be below the size.
  void set(std::size_t slot, std::int64_t key) {
    const auto changed = static_cast<std::uint32_t>(slot);
    Entry entry{key, changed};
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      Entry* const entries = levels_[level].data();
      entries[slot] = entry;
      slot /= kWidth;
      const Entry& before = level + 1 < levels_.size() ? levels_[level + 1][slot] : least_;
      if (before.slot == changed && before < entry) {
        entry = least_of(entries + slot * kWidth);
      } else if (!(entry < before)) {
        return;
      }
    }
    least_ = entry;
  }

  /// The least key, or kNone.
  std::int64_t least() const { return least_.key; }
  /// The lowest slot with the least key, if that is not kNone.
  std::size_t least_slot() const { return least_.slot; }

 private:
  static constexpr std::size_t kWidth = 8;  ///< Known to least_of.

  struct Entry {
    std::int64_t key = kNone;
    std::uint32_t slot = 0;  ///< Whose key it is.
    bool operator<(const Entry& other) const {
      return key < other.key || (key == other.key && slot < other.slot);
    }
  };
  using Level = std::vector<Entry>;

  /// A level above the others takes over their least.
  void add_level() { levels_.emplace_back(1, least_); }

  static void grow(Level& level, std::size_t entries) {
    while (level.size() < entries) level.emplace_back();
  }

  /// Of a node, whose entries are in the order of their slots. Without a branch: which it is is as
  /// good as random. In pairs, which do not wait for each other.
  static Entry least_of(const Entry* node) {
    return node[earlier(node, earlier(node, earlier(node, 0, 1), earlier(node, 2, 3)),
                        earlier(node, earlier(node, 4, 5), earlier(node, 6, 7)))];
  }
  /// Of two entries, the first of which comes first where keys are the same.
  static std::size_t earlier(const Entry* node, std::size_t first, std::size_t second) {
    return node[second].key < node[first].key ? second : first;
  }

  /// levels_[0] are the keys; each entry of a level is the least of a node of the level below; the
  /// last level is one node.
  std::vector<Level> levels_;
  Entry least_;
};

}  // namespace heddle
