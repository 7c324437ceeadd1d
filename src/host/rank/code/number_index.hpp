// Numbers that come again and again, and what place each has among them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::host {

/// Counts different numbers as they come. For handlers of signals: nothing is allocated.
template <std::size_t Most>
class NumberIndex {
 public:
  void clear() {
    if (size_ > kFew) {
      slots_.fill(0);
    } else {
      for (std::size_t i = 0; i < size_; ++i) slots_[slot_of(i)] = 0;
    }
    size_ = 0;
  }
  std::size_t size() const { return size_; }
  /// How many others came before it, the first time that it did; Most: no more than those can be
  /// counted.
  std::size_t of(std::uint64_t number) {
    std::size_t slot = first_for(number);
    for (; slots_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
      if (numbers_[slots_[slot] - 1U] == number) return slots_[slot] - 1U;
    }
    if (size_ == Most) return Most;
    numbers_[size_] = number;
    slots_[slot] = static_cast<std::uint16_t>(++size_);
    return size_ - 1;
  }

 private:
  static constexpr std::size_t kSlots = 2 * Most;
  /// To empty so many slots takes less time than to empty all.
  static constexpr std::size_t kFew = kSlots / 64;
  static_assert((kSlots & (kSlots - 1)) == 0 && Most <= UINT16_MAX);

  static std::size_t first_for(std::uint64_t number) {
    return number * 0x9e3779b97f4a7c15ULL >> 32 & (kSlots - 1);
  }
  std::size_t slot_of(std::size_t which) const {
    std::size_t slot = first_for(numbers_[which]);
    while (slots_[slot] != which + 1) slot = (slot + 1) & (kSlots - 1);
    return slot;
  }
  std::array<std::uint64_t, Most> numbers_;
  std::array<std::uint16_t, kSlots> slots_{};
  std::size_t size_ = 0;
};

}  // namespace heddle::host
