#include "host/memory/page_map.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace heddle::host {

PageMap::PageMap() : file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

PageMap::~PageMap() {
  if (file_ >= 0) close(file_);
}

std::size_t PageMap::page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::span<const PageMap::Page> PageMap::read(const void* place, std::size_t pages) {
  pages_.resize(pages);
  const std::size_t bytes = pages * sizeof(Page);
  const auto first = reinterpret_cast<std::uintptr_t>(place) / page();
  const ssize_t got = pread(file_, pages_.data(), bytes, static_cast<off_t>(first * sizeof(Page)));
  if (got != static_cast<ssize_t>(bytes)) return {};
  return pages_;
}

}  // namespace heddle::host
