#include "host/memory/populate.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "host/memory/rank_blocks.hpp"

namespace heddle::host {

void populate(std::byte* memory, std::size_t size, PageUse use) {
  constexpr int kPopulateRead = 22;   ///< MADV_POPULATE_READ, which older headers do not know.
  constexpr int kPopulateWrite = 23;  ///< MADV_POPULATE_WRITE.
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t ahead = begin % page;
  rank_blocks().expect_use(memory, size);
  const int before = errno;
  madvise(memory - ahead, size + ahead, use == PageUse::write ? kPopulateWrite : kPopulateRead);
  errno = before;
}

}  // namespace heddle::host
