// How much every operation still waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <unordered_map>

#include "core/large_vector.hpp"
#include "goal/schedule.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// A byte per operation, as few wait for more than one or two others; what does not fit it is kept
/// elsewhere.
class WaitingCounts {
 public:
  /// Of operations that wait for so much; where that is kMany it may be more.
  void reset(std::span<const std::uint8_t> counts) {
    counts_.resize(counts.size());
    if (!counts.empty()) std::memcpy(counts_.data(), counts.data(), counts.size());
    more_.clear();
  }
  static constexpr std::uint8_t kMany = goal::RankView::kMany;
  bool any_waits_for_many() const {
    return !counts_.empty() && std::memchr(counts_.data(), kMany, counts_.size()) != nullptr;
  }
  /// An operation that waits for kMany and so much more.
  void add(OpNumber op, std::uint64_t more) {
    if (more != 0) more_[op] = more;
  }
  /// The first from `op` on that waits for nothing; `end` if there is none before it.
  OpNumber find_free(OpNumber op, OpNumber end) const {
    if (op == end) return end;
    const void* const found = std::memchr(counts_.data() + index(op), 0, index(end) - index(op));
    if (found == nullptr) return end;
    return OpNumber{static_cast<std::uint64_t>(static_cast<const Count*>(found) - counts_.data())};
  }
  /// It waits for one less; true if that was the last.
  [[gnu::always_inline]] bool take(OpNumber op) {
    const auto count = static_cast<std::uint8_t>(counts_[index(op)]);
    if (count == kMany) return take_from_many(op);
    counts_[index(op)] = static_cast<Count>(count - 1);
    return count == 1;
  }
  bool waits(OpNumber op) const { return counts_[index(op)] != Count{0}; }
  /// Of any number, to be fetched.
  const void* address_of(OpNumber op) const { return counts_.data() + index(op); }

 private:
  /// A type of its own: the compiler takes a byte that is written for a part of anything.
  enum class Count : std::uint8_t {};

  [[gnu::noinline]] bool take_from_many(OpNumber op) {
    const auto it = more_.find(op);
    if (it == more_.end()) {
      counts_[index(op)] = static_cast<Count>(kMany - 1);
    } else if (--it->second == 0) {
      more_.erase(it);
    }
    return false;
  }

  LargeVector<Count> counts_;
  std::unordered_map<OpNumber, std::uint64_t> more_;  ///< What exceeds kMany; not 0.
};

}  // namespace heddle::replay
