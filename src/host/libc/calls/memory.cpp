// Memory: large blocks that programs of ranks ask for lie beside those of other ranks.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "host/libc/calls/rank_call.hpp"
#include "host/memory/rank_blocks.hpp"

namespace heddle::host {
namespace {

/// The C library's, or those that a library has that was loaded before it; null until the first is
/// needed. They are looked up without HEDDLE_REAL: what that needs may need memory itself.
struct RealFunctions {
  decltype(&::malloc) malloc;
  decltype(&::calloc) calloc;
  decltype(&::realloc) realloc;
  decltype(&::free) free;
  decltype(&::malloc_usable_size) malloc_usable_size;
};
constinit RealFunctions found{};

const RealFunctions& real() {
  if (found.malloc == nullptr) [[unlikely]] {
    found = {real_function<decltype(::malloc)>("malloc"),
             real_function<decltype(::calloc)>("calloc"),
             real_function<decltype(::realloc)>("realloc"), real_function<decltype(::free)>("free"),
             real_function<decltype(::malloc_usable_size)>("malloc_usable_size")};
  }
  return found;
}

/// A block for the rank whose code is running, or null.
void* take_block(size_t size, RankBlocks::Contents contents) {
  if (current_process() == nullptr) return nullptr;
  return rank_blocks().take(index(current_rank()->id()), size, contents);
}

// What is rare.
[[gnu::noinline]] void* large_or_first_malloc(size_t size) {
  void* const block =
      size >= RankBlocks::kLeast ? take_block(size, RankBlocks::Contents::any) : nullptr;
  return block != nullptr ? block : real().malloc(size);
}
[[gnu::noinline]] void large_or_first_free(void* memory) {
  if (rank_blocks().room(memory) == 0) return real().free(memory);
  rank_blocks().give_back(memory);
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

void* malloc(size_t size) noexcept {
  if (size >= RankBlocks::kLeast || found.malloc == nullptr) {
    [[unlikely]] return large_or_first_malloc(size);
  }
  return found.malloc(size);
}

void free(void* memory) noexcept {
  if (rank_blocks().spans(memory) || found.free == nullptr) {
    [[unlikely]] return large_or_first_free(memory);
  }
  found.free(memory);
}

void* calloc(size_t number, size_t size) noexcept {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(number, size, &bytes) && bytes >= RankBlocks::kLeast) {
    if (void* block = take_block(bytes, RankBlocks::Contents::zero)) return block;
  }
  return real().calloc(number, size);
}

void* realloc(void* memory, size_t size) noexcept {
  const size_t room = rank_blocks().room(memory);
  if (room == 0) {
    [[likely]] return real().realloc(memory, size);
  }
  if (size <= room && size >= RankBlocks::kLeast && size >= room / 2) return memory;
  void* const other = size == 0 ? nullptr : malloc(size);
  if (other != nullptr) memcpy(other, memory, std::min(room, size));
  if (other != nullptr || size == 0) free(memory);
  return other;
}

size_t malloc_usable_size(void* memory) noexcept {
  const size_t room = rank_blocks().room(memory);
  return room != 0 ? room : real().malloc_usable_size(memory);
}
}
