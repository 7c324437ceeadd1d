// Which bytes of a process's memory something concerns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mpi/datatypes.hpp"

namespace heddle::mpi {

/// Addresses from `begin` to `end` (not included).
struct ByteRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// Ranges in the order of addresses, none of which touches another.
class ByteRanges {
 public:
  ByteRanges() = default;
  /// The bytes of a buffer; none of one in so many pieces that looking at them would take too long.
  explicit ByteRanges(const Buffer& buffer);

  bool empty() const { return ranges_.empty(); }
  bool overlaps(const ByteRanges& other) const;
  std::uint64_t size() const;
  const std::vector<ByteRange>& list() const { return ranges_; }
  void add(const ByteRanges& other);
  void remove(const ByteRanges& other);

 private:
  void merge();
  std::vector<ByteRange> ranges_;
};

/// What so many bytes of a process hold, in one number: the first ones only, if they are very many.
/// Nothing where the process has no such memory.
std::optional<std::uint64_t> contents(const AddressSpace& memory, const ByteRanges& bytes);

}  // namespace heddle::mpi
