#include "host/guarded_memory.hpp"

#include <cstring>

namespace heddle::host {
namespace {

// Volatile: a signal handler looks at it in the middle of the copy.
sigjmp_buf* volatile guard = nullptr;

}  // namespace

sigjmp_buf* guard_of_copy() {
  return guard;
}

bool guarded_copy(void* to, const void* from, std::size_t size) {
  sigjmp_buf place;
  const bool there = sigsetjmp(place, 0) == 0;
  if (there) {
    guard = &place;
    std::memmove(to, from, size);
  }
  guard = nullptr;
  return there;
}

}  // namespace heddle::host
