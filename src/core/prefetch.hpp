// Memory asked for before it is needed.
#pragma once

#include <cstddef>

namespace heddle {

/// Has a line of memory fetched into the caches; any address will do. Compilers believe that a
/// function which does nothing else has no effect, and leave its calls out: hence the empty
/// statement that they must not leave out.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}
/// The same of a whole object, or nearly so if it does not begin with a line.
template <class T>
void prefetch_whole(const T& object) {
  constexpr std::size_t kLine = 64;
  const auto* const bytes = reinterpret_cast<const char*>(&object);
  for (std::size_t at = 0; at < sizeof(T); at += kLine) prefetch(bytes + at);
}
/// The same for memory that is going to be written.
inline void prefetch_to_write(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

}  // namespace heddle
