#include "core/large_vector.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace heddle {

void* take_large_memory(std::size_t bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* const memory = std::aligned_alloc(kHugePage, whole);
  if (memory == nullptr) throw std::bad_alloc();
  // Only advice: without such pages it is memory like any other.
  (void)madvise(memory, whole, MADV_HUGEPAGE);
  return memory;
}

void give_large_memory_back(void* memory) {
  std::free(memory);
}

}  // namespace heddle
