// Memory asked for before it is needed.
#pragma once

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

}  // namespace heddle
