#include "host/memory/guarded_memory.hpp"

#include <cstring>

#include "core/prefetch.hpp"

namespace heddle::host {
namespace {

// Volatile: a signal handler looks at it in the middle of the copy.
StopPlace* volatile guard = nullptr;

/// What ranks send lies in memory that nobody has used for a while: asked for all at once, it comes
/// sooner than the copy itself would ask for it. Much would drive itself out of the cache again.
/// Where it goes to is not asked for: whole lines are written, which need not be read before.
void foresee_copy(const void* from, std::size_t size) {
  constexpr std::size_t kLeast = 256;
  constexpr std::size_t kMost = 16 * 1024;
  if (size >= kLeast && size <= kMost) prefetch_bytes(from, size);
}

}  // namespace

const StopPlace* guard_of_copy() {
  return guard;
}

bool guarded_copy(void* to, const void* from, std::size_t size) {
  if (to == nullptr || from == nullptr) return size == 0;
  StopPlace place;
  const bool there = unbroken(place, [&] {
    guard = &place;
    foresee_copy(from, size);
    std::memmove(to, from, size);
  });
  guard = nullptr;
  return there;
}

bool guarded_call(void (*function)(void*), void* argument) {
  StopPlace place;
  const bool whole = unbroken(place, [&] {
    guard = &place;
    function(argument);
  });
  guard = nullptr;
  return whole;
}

}  // namespace heddle::host
