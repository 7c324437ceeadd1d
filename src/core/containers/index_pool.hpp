// A pool of records that are known by their numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/containers/record_store.hpp"
#include "core/large_vector.hpp"

namespace heddle {

/// Addresses stay valid for the pool's life. Records are constructed once and reused as they are;
/// after the first use of a record nothing touches the heap.
template <class T>
class IndexPool {
 public:
  std::uint32_t take() {
    if (free_.empty()) grow();
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }
  T& operator[](std::uint32_t number) { return chunks_[number / kChunk][number % kChunk]; }
  const T& operator[](std::uint32_t number) const {
    return chunks_[number / kChunk][number % kChunk];
  }
  std::size_t in_use() const { return records_.size() - free_.size(); }

 private:
  static constexpr std::uint32_t kChunk = 256;
  void grow() {
    const auto first = static_cast<std::uint32_t>(records_.size());
    chunks_.push_back(&records_.add());
    for (std::uint32_t i = 1; i < kChunk; ++i) records_.add();
    if (free_.capacity() < records_.size()) free_.reserve(2 * records_.size());
    for (std::uint32_t i = kChunk; i > 0; --i) free_.push_back(first + i - 1);
  }
  RecordStore<T, kChunk> records_;
  std::vector<T*> chunks_;
  LargeVector<std::uint32_t> free_;
};

}  // namespace heddle
