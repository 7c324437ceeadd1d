// Vectors of many megabytes.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace heddle {

/// So much memory and more is asked for in huge pages.
inline constexpr std::size_t kLargeMemory = std::size_t{4} << 20;

/// Memory in huge pages where the system has them to give: whoever reaches into all of a large
/// array needs a hundredth of the translations of addresses. Throws std::bad_alloc.
void* take_large_memory(std::size_t bytes);
void give_large_memory_back(void* memory);

/// Elements that are given no value have none: to make room for them touches no memory.
template <class T>
struct LargeAllocator {
  using value_type = T;
  static constexpr std::size_t kElement = sizeof(T);  // NOLINT: it may be a pointer

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT: allocators are converted

  T* allocate(std::size_t n) {
    if (n * kElement < kLargeMemory) return std::allocator<T>().allocate(n);
    return static_cast<T*>(take_large_memory(n * kElement));
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * kElement < kLargeMemory) return std::allocator<T>().deallocate(memory, n);
    give_large_memory_back(memory);
  }
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace heddle
