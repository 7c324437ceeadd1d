// Memory of a process as descriptors and entries name it: one piece, or several in a row.
#pragma once

#include <portals4.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "core/address_space.hpp"

namespace heddle::portals {

/// Addresses of one process. Offsets count across the pieces as if they were one.
class Region {
 public:
  Region() = default;
  Region(void* start, ptl_size_t length)
      : start_(static_cast<std::byte*>(start)), length_(length) {}
  /// The pieces are copied: the array may go.
  Region(const ptl_iovec_t* pieces, ptl_size_t count);

  ptl_size_t length() const { return length_; }
  bool contains(ptl_size_t offset, ptl_size_t size) const {
    return offset <= length_ && size <= length_ - offset;
  }
  /// The address of the byte at `offset`.
  void* address(ptl_size_t offset) const { return piece_at(offset).start; }

  struct Piece {
    std::byte* start = nullptr;
    ptl_size_t length = 0;
  };
  /// From `offset` to the end of the piece that it lies in.
  Piece piece_at(ptl_size_t offset) const;

 private:
  struct Part {
    std::byte* start;
    ptl_size_t offset;  ///< Of its first byte, across the pieces.
  };
  std::byte* start_ = nullptr;
  ptl_size_t length_ = 0;
  std::unique_ptr<std::vector<Part>> parts_;  ///< Null for one piece.
};

/// A place in the memory of a process.
struct Place {
  AddressSpace* space = nullptr;
  const Region* region = nullptr;
  ptl_size_t offset = 0;
};

/// These answer false where the process has no such memory.
bool read(const Place& from, void* to, ptl_size_t size);
bool write(const Place& to, const void* from, ptl_size_t size);
bool copy(const Place& to, const Place& from, ptl_size_t size);

}  // namespace heddle::portals
