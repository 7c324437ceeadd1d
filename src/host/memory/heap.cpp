#include "host/memory/heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "host/memory/rank_blocks.hpp"

namespace heddle::host {
namespace {

/// Makes the heap longer by `size`, which stays free.
void lengthen_heap(std::size_t size) {
  constexpr std::size_t kMoreThanIsFree = std::size_t{4} << 20;
  constexpr int kUsualGrowth = 128 * 1024;
  // The C library would learn such figures itself from what is freed, but not with the others set.
  // Large pieces are better apart: one behind the other, they compete for the same lines of caches.
  constexpr int kOwnMapping = 1 << 20;
  constexpr int kKeptFree = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, 2 * static_cast<int>(kMoreThanIsFree));
  mallopt(M_TRIM_THRESHOLD, kKeptFree + static_cast<int>(size));
  mallopt(M_TOP_PAD, static_cast<int>(size));
  // Volatile: nobody uses it, and it would be left out.
  void* volatile piece = std::malloc(kMoreThanIsFree);
  std::free(piece);
  mallopt(M_TOP_PAD, kUsualGrowth);
  mallopt(M_MMAP_THRESHOLD, kOwnMapping);
}

}  // namespace

void prepare_heap(std::uint32_t ranks, bool compared) {
  constexpr std::uint32_t kFew = 64;
  constexpr std::size_t kPerRank = 256 * 1024;
  constexpr std::size_t kMost = std::size_t{256} << 20;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (compared) rank_blocks().serve(ranks, RankBlocks::kMostCompared);
  if (ranks < kFew) return;
  if (!compared) rank_blocks().serve(ranks);
  auto* const begin = static_cast<std::byte*>(sbrk(0));
  lengthen_heap(std::min(ranks * kPerRank, kMost));
  auto* const end = static_cast<std::byte*>(sbrk(0));
  const std::size_t ahead = kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
  // It has not grown where it is elsewhere, or has no room here.
  if (end - begin <= static_cast<std::ptrdiff_t>(ahead)) return;
  (void)madvise(begin + ahead, static_cast<std::size_t>(end - begin) - ahead, MADV_HUGEPAGE);
}

}  // namespace heddle::host
