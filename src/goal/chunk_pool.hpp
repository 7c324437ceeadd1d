// Records by number, in chunks: they never move, and growing copies nothing.
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include "core/large_vector.hpp"

namespace heddle::goal {

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// `T` has a member `next` that links the free records. Memory is touched only where records are in
/// use; the first chunk lies in ordinary pages, so that a small pool takes little.
template <class T>
class ChunkPool {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ChunkPool() = default;
  ~ChunkPool() {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (i == 0) {
        operator delete (chunks_[i], std::align_val_t{alignof(T)});
      } else {
        give_large_memory_back(chunks_[i]);
      }
    }
  }
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  T& operator[](std::uint32_t i) { return chunks_[i >> kBits][i & kMask]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i >> kBits][i & kMask]; }

  /// The number of a record with unknown contents.
  std::uint32_t take() {
    if (free_ == kNone) return take_fresh();
    const std::uint32_t i = free_;
    free_ = (*this)[i].next;
    return i;
  }
  void give_back(std::uint32_t i) {
    (*this)[i].next = free_;
    free_ = i;
  }

 private:
  static constexpr unsigned kBits = 17;
  static constexpr std::uint32_t kMask = (1U << kBits) - 1;
  static constexpr std::size_t kBytes = sizeof(T) << kBits;

  std::uint32_t take_fresh() {
    if (used_ >> kBits == chunks_.size()) {
      chunks_.reserve(chunks_.size() + 1);
      void* const memory = chunks_.empty() ? operator new (kBytes, std::align_val_t{alignof(T)})
                                           : take_large_memory(kBytes);
      chunks_.push_back(static_cast<T*>(memory));
    }
    return used_++;
  }

  std::vector<T*> chunks_;
  std::uint32_t used_ = 0;  ///< Records that were taken at least once.
  std::uint32_t free_ = kNone;
};

}  // namespace heddle::goal
