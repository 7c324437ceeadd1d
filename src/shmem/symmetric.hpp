// Addresses that stand for the same object at every PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "host/rank/rank.hpp"
#include "shmem/heap.hpp"

namespace heddle::shmem {

/// The symmetric heaps of all PEs, at equal distances in memory that is there when it is touched,
/// and the global variables of the program.
class SymmetricMemory {
 public:
  SymmetricMemory(host::Job& job, std::size_t heap_size);
  ~SymmetricMemory();
  SymmetricMemory(const SymmetricMemory&) = delete;
  SymmetricMemory& operator=(const SymmetricMemory&) = delete;

  /// Where `target` has what `own` has at an address; null if that is not symmetric, or is not
  /// `size` bytes long.
  void* translate(host::Rank& own, const void* address, std::size_t size, host::Rank& target);
  /// Why it is not, for an address that translate() has refused.
  std::string objection(host::Rank& own, const void* address, std::size_t size) const;
  /// "heap+0x40", "counts+0x8" (what the linker knows under that name), "globals+0x10 (0x7f...)".
  std::string place(host::Rank& own, const void* address) const;

  SharedHeap& heap() { return heap_; }
  std::size_t heap_size() const { return size_; }
  std::byte* heap_of(const host::Rank& rank) const {
    return base_ + apart_ * static_cast<std::size_t>(rank.id());
  }
  bool in_heap(const host::Rank& rank, const void* address) const {
    const auto* bytes = static_cast<const std::byte*>(address);
    return bytes >= heap_of(rank) && bytes < heap_of(rank) + size_;
  }

 private:
  /// Where in the program's writable memory something lies.
  struct Global {
    std::size_t segment;
    std::size_t offset;
    std::size_t left;  ///< Bytes to the end of the segment.
  };
  std::optional<Global> find_global(host::Rank& own, const void* address) const;

  std::size_t size_;
  std::size_t apart_;  ///< A power of two, of which all heaps begin at a multiple.
  std::size_t all_;
  std::byte* base_;
  SharedHeap heap_;
};

}  // namespace heddle::shmem
