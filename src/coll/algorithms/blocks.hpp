// Buffers that hold something for each rank, or are divided into parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "coll/datatype/datatype.hpp"

namespace heddle::coll {

/// `count` elements of a buffer, from element `first` on.
inline Buffer part(const Buffer& buffer, std::int64_t first, std::int64_t count) {
  return {static_cast<std::byte*>(buffer.address) + first * buffer.type->extent(), count,
          buffer.type};
}

/// MPI_BYTE.
const Datatype& byte_type();

/// A number per rank: the same for all, or one of a list of the program, which must live as long.
class PerRank {
 public:
  PerRank(std::int64_t same = 0) : same_(same) {}
  explicit PerRank(const int* list) : list_(list), width_(sizeof(int)) {}
  explicit PerRank(const long* list) : list_(list), width_(sizeof(long)) {}
  explicit PerRank(const long long* list) : list_(list), width_(sizeof(long long)) {}

  std::int64_t operator[](int i) const {
    if (!list_) return same_;
    const auto* place = static_cast<const std::byte*>(list_) + static_cast<std::size_t>(i) * width_;
    if (width_ == sizeof(int)) return load<std::int32_t>(place);
    return load<std::int64_t>(place);
  }

 private:
  template <class Number>
  static std::int64_t load(const std::byte* place) {
    Number number;
    std::memcpy(&number, place, sizeof number);
    return number;
  }

  std::int64_t same_ = 0;
  const void* list_ = nullptr;
  std::size_t width_ = 0;
};

/// Block i of a buffer belongs to rank i, or to step i of something.
class Blocks {
 public:
  Blocks() = default;
  /// `count` elements each, one behind the other.
  static Blocks equal(void* address, std::int64_t count, const Datatype& type);
  /// The buffer in `parts` parts that differ by at most one element, the longer ones first.
  static Blocks split(const Buffer& buffer, int parts);
  /// Of different length, one behind the other.
  static Blocks packed(void* address, std::span<const std::int64_t> counts, const Datatype& type);
  /// Anywhere: displacements in elements.
  static Blocks scattered(void* address, const PerRank& counts, const PerRank& displacements,
                          const Datatype& type);
  /// Anywhere, of different types: displacements in bytes. The list of types must live as long.
  static Blocks mixed(void* address, const PerRank& counts, const PerRank& displacements,
                      const Datatype* const* types);

  Buffer operator[](int i) const {
    if (shape_ == Shape::equal) return at(i * count_, count_);
    if (shape_ == Shape::split) return at(split_start(i), count_ + (i < longer_ ? 1 : 0));
    if (shape_ == Shape::packed) return range(i, 1);
    return scattered_block(i);
  }
  /// Whether the blocks lie one behind the other.
  bool dense() const { return shape_ < Shape::scattered; }
  /// `n` blocks from block `first` on, as one buffer; only of dense ones.
  Buffer range(int first, int n) const {
    const std::int64_t from = start(first);
    return at(from, start(first + n) - from);
  }
  /// Where block i begins, in elements; only of dense ones.
  std::int64_t start(int i) const {
    if (shape_ == Shape::equal) return i * count_;
    if (shape_ == Shape::split) return split_start(i);
    return starts_[static_cast<std::size_t>(i)];
  }
  /// Blocks of the same lengths in other memory; only of dense ones.
  Blocks moved_to(const Buffer& memory) const;
  void* address() const { return address_; }
  const Datatype* type() const { return type_; }

 private:
  enum class Shape : std::uint8_t { equal, split, packed, scattered };
  Buffer at(std::int64_t element, std::int64_t count) const {
    return {static_cast<std::byte*>(address_) + element * type_->extent(), count, type_};
  }
  std::int64_t split_start(int i) const { return i * count_ + std::min(i, longer_); }
  Buffer scattered_block(int i) const;

  void* address_ = nullptr;
  const Datatype* type_ = nullptr;
  Shape shape_ = Shape::equal;
  int longer_ = 0;  ///< Parts that have one element more.
  std::int64_t count_ = 0;
  PerRank counts_;
  PerRank displacements_;
  const Datatype* const* types_ = nullptr;
  std::vector<std::int64_t> starts_;
};

}  // namespace heddle::coll
