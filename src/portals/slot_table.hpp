// A growing table of objects whose places are used again, with a count of how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/prefetch.hpp"
#include "portals/handle.hpp"

namespace heddle::portals {

/// Objects move when the table grows: keep indices, not addresses. Takes no memory while empty.
template <class T>
class SlotTable {
 public:
  /// Puts `value` into a free place and gives its index.
  std::uint32_t add(T value) {
    ++used_;
    if (first_free_ == kNone) {
      slots_.push_back({std::move(value), 0, kUsed});
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t place = first_free_;
    first_free_ = slots_[place].next_free;
    slots_[place].value = std::move(value);
    slots_[place].next_free = kUsed;
    return place;
  }
  /// Makes the place free; its handles become stale.
  void remove(std::uint32_t place) {
    --used_;
    slots_[place].value = T();
    slots_[place].generation = (slots_[place].generation + 1) % kGenerations;
    slots_[place].next_free = first_free_;
    first_free_ = place;
  }

  /// Null if the place is free or has been used again since.
  T* find(std::uint32_t place, std::uint32_t generation) {
    if (!contains(place) || slots_[place].generation != generation) return nullptr;
    return &slots_[place].value;
  }
  bool contains(std::uint32_t place) const {
    return place < slots_.size() && slots_[place].next_free == kUsed;
  }
  /// A use of a place is near: fetches it from memory.
  void foresee(std::uint32_t place) const {
    if (place < slots_.size()) prefetch_whole(slots_[place]);
  }
  T& operator[](std::uint32_t place) { return slots_[place].value; }
  const T& operator[](std::uint32_t place) const { return slots_[place].value; }
  std::uint32_t generation(std::uint32_t place) const { return slots_[place].generation; }
  std::uint32_t places() const { return static_cast<std::uint32_t>(slots_.size()); }
  std::uint32_t used() const { return used_; }

 private:
  static constexpr std::uint32_t kUsed = UINT32_MAX - 1;
  /// Large ones begin with a line of the cache.
  static constexpr std::size_t kAlignment =
      sizeof(T) + 2 * sizeof(std::uint32_t) >= kCacheLine ? kCacheLine : alignof(T);
  struct alignas(kAlignment) Slot {
    T value;
    std::uint32_t generation;
    std::uint32_t next_free;  ///< kUsed while taken.
  };
  std::vector<Slot> slots_;
  std::uint32_t first_free_ = kNone;
  std::uint32_t used_ = 0;
};

}  // namespace heddle::portals
