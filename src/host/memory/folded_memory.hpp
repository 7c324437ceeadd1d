// Memory of which all ranks have the same: for data that nobody looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::host {

/// Gives ranks memory that lies in one file, from its beginning: what is written to one of these
/// areas appears in all. Ranks share the mappings, too, so that a million ranks with a gibibyte
/// each take one mapping, and a gibibyte where it is touched; only areas that one rank has at the
/// same time lie in different places.
class FoldedMemory {
 public:
  FoldedMemory() = default;
  ~FoldedMemory();
  FoldedMemory(const FoldedMemory&) = delete;
  FoldedMemory& operator=(const FoldedMemory&) = delete;

  /// A range of bytes, as an offset and the end of it.
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  /// Memory of at least `size` bytes for a rank, or null if the system has none.
  void* take(std::uint32_t rank, std::size_t size);
  /// Memory of which only whole pages of these ranges are folded; the rest is the rank's own.
  void* take(std::uint32_t rank, std::size_t size, std::span<const Range> folded);
  /// Gives back what the rank has at `address`; false if that is not of here.
  bool give_back(std::uint32_t rank, void* address);

 private:
  struct Area {
    std::size_t size;
    std::vector<bool> users;  ///< By rank: whether it has the area.
  };
  void* map(void* where, std::size_t size);
  bool grow(std::size_t size);

  int file_ = -1;
  std::size_t file_size_ = 0;
  std::map<std::byte*, Area> areas_;
  std::unordered_map<void*, std::size_t> partial_;  ///< Sizes of areas that are a rank's own.
};

}  // namespace heddle::host
