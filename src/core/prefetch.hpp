// Memory asked for before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

/// Has a line of memory fetched into the caches; any address will do. Compilers believe that a
/// function which does nothing else has no effect, and leave its calls out: hence the empty
/// statement that they must not leave out.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}
/// The same for memory that is going to be written.
inline void prefetch_to_write(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

inline constexpr std::size_t kCacheLine = 64;  ///< Bytes; no processor in use has shorter ones.

/// The line of an address, which may be null, and those that follow it, so many in all.
inline void prefetch_lines(const void* address, std::size_t lines) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < lines; ++i) {
    prefetch(reinterpret_cast<const void*>(first + i * kCacheLine));
  }
}
/// Enough of them for so many bytes, if the address begins one.
inline void prefetch_bytes(const void* address, std::size_t bytes) {
  prefetch_lines(address, (bytes + kCacheLine - 1) / kCacheLine);
}
/// The same of a whole object.
template <class T>
void prefetch_whole(const T& object) {
  prefetch_bytes(&object, sizeof(T));
}

}  // namespace heddle
