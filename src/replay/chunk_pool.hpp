// Records by number, in chunks: they never move, and growing copies nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::replay {

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// `T` has a member `next` that links the free records.
template <class T>
class ChunkPool {
 public:
  T& operator[](std::uint32_t i) { return chunks_[i >> kBits][i & kMask]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i >> kBits][i & kMask]; }

  /// The number of a record with unknown contents.
  std::uint32_t take() {
    if (free_ == kNone) grow();
    const std::uint32_t i = free_;
    free_ = (*this)[i].next;
    return i;
  }
  void give_back(std::uint32_t i) {
    (*this)[i].next = free_;
    free_ = i;
  }

 private:
  static constexpr unsigned kBits = 14;
  static constexpr std::uint32_t kMask = (1U << kBits) - 1;

  void grow() {
    const auto base = static_cast<std::uint32_t>(chunks_.size() << kBits);
    chunks_.push_back(std::make_unique_for_overwrite<T[]>(std::size_t{1} << kBits));
    for (std::uint32_t i = 0; i <= kMask; ++i) chunks_.back()[i].next = base + i + 1;
    chunks_.back()[kMask].next = kNone;
    free_ = base;
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint32_t free_ = kNone;
};

}  // namespace heddle::replay
