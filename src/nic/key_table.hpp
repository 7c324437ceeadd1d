// Values found by a number, made when they are first asked for and never removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/prefetch.hpp"

namespace heddle::nic {

/// A hash table in one block of memory; empty it takes none. Keys are less than 2^64 - 1. Entries
/// of a value and its key may be aligned to the lines of the cache.
template <class Value, std::size_t kAlignment = alignof(std::uint64_t)>
class KeyTable {
 public:
  /// Valid until the next call with a key that is new.
  Value& operator[](std::uint64_t key) {
    if (Value* const value = find_if_used(key)) return *value;
    return add(key);
  }

  /// A use is near: fetches from memory where the key's value probably is.
  void foresee(std::uint64_t key) const {
    if (!entries_.empty()) prefetch(&entries_[home(key)]);
  }

  /// Null if the key has not been asked for; as long valid.
  Value* find_if_used(std::uint64_t key) {
    if (entries_.empty()) return nullptr;
    Entry& entry = find(key);
    return entry.used() ? &entry.value : nullptr;
  }

 private:
  static constexpr std::uint64_t kNoKey = UINT64_MAX;
  struct alignas(kAlignment) Entry {
    bool used() const { return key != kNoKey; }
    std::uint64_t key = kNoKey;
    Value value{};
  };

  std::size_t home(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15ULL) >> 32 & mask_; }
  Entry& find(std::uint64_t key) {
    std::size_t place = home(key);
    while (entries_[place].key != key && entries_[place].used()) place = (place + 1) & mask_;
    return entries_[place];
  }
  [[gnu::noinline]] Value& add(std::uint64_t key) {
    if (4 * (count_ + 1) > 3 * entries_.size()) grow();
    ++count_;
    Entry& entry = find(key);
    entry.key = key;
    return entry.value;
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? 4 : 2 * entries_.size());
    old.swap(entries_);
    mask_ = static_cast<std::uint32_t>(entries_.size() - 1);
    for (Entry& entry : old) {
      if (entry.used()) find(entry.key) = std::move(entry);
    }
  }

  /// Their number is a power of two, at most three quarters of them used.
  std::vector<Entry> entries_;
  std::uint32_t mask_ = 0;  ///< Their number less one.
  std::uint32_t count_ = 0;
};

}  // namespace heddle::nic
