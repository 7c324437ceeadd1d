// How much every operation still waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <unordered_map>

#include "core/large_vector.hpp"
#include "goal/schedule.hpp"

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
  void add(std::size_t op, std::uint64_t more) {
    if (more != 0) more_[op] = more;
  }
  /// The first from `op` on that waits for nothing; `end` if there is none before it.
  std::size_t find_free(std::size_t op, std::size_t end) const {
    if (op == end) return end;
    const void* const found = std::memchr(counts_.data() + op, 0, end - op);
    if (found == nullptr) return end;
    return static_cast<std::size_t>(static_cast<const Count*>(found) - counts_.data());
  }
  /// It waits for one less; true if that was the last.
  [[gnu::always_inline]] bool take(std::size_t op) {
    const auto count = static_cast<std::uint8_t>(counts_[op]);
    if (count == kMany) return take_from_many(op);
    counts_[op] = static_cast<Count>(count - 1);
    return count == 1;
  }
  bool waits(std::size_t op) const { return counts_[op] != Count{0}; }
  /// Of any number, to be fetched.
  const void* address_of(std::size_t op) const { return counts_.data() + op; }

 private:
  /// A type of its own: the compiler takes a byte that is written for a part of anything.
  enum class Count : std::uint8_t {};

  [[gnu::noinline]] bool take_from_many(std::size_t op) {
    const auto it = more_.find(op);
    if (it == more_.end()) {
      counts_[op] = static_cast<Count>(kMany - 1);
    } else if (--it->second == 0) {
      more_.erase(it);
    }
    return false;
  }

  LargeVector<Count> counts_;
  std::unordered_map<std::size_t, std::uint64_t> more_;  ///< What exceeds kMany; not 0.
};

}  // namespace heddle::replay
