#include "host/program/loading/shared_pages.hpp"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "host/memory/kept_once.hpp"

namespace heddle::host {
namespace {

std::size_t page() {
  return PageMap::page();
}

int protection(const Elf64_Phdr& segment) {
  return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) |
         ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

}  // namespace

SharedPages::~SharedPages() {
  for (const auto& [path, original] : originals_) {
    munmap(const_cast<std::byte*>(original.bytes.data()), original.bytes.size());
    close(original.file);
  }
}

const SharedPages::Original& SharedPages::original(const std::string& path, int file) {
  Original& original = originals_[path];
  if (original.file >= 0) return original;
  struct stat status {};
  fstat(file, &status);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  original.file = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (bytes != MAP_FAILED) original.bytes = {static_cast<const std::byte*>(bytes), size};
  return original;
}

void SharedPages::share(const std::string& path, int file, std::byte* base,
                        std::span<const Elf64_Phdr> segments) {
  const bool first = !originals_.contains(path);
  const Original& from = original(path, file);
  if (from.bytes.empty()) return;
  std::vector<bool> needed((from.bytes.size() + page() - 1) / page());
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
    const std::size_t begin = segment.p_offset / page();
    const std::size_t end = (segment.p_offset + segment.p_filesz + page() - 1) / page();
    for (std::size_t i = begin; i < std::min(end, needed.size()); ++i) needed[i] = true;
  }
  std::vector<bool> kept = needed;
  if (!first) {
    kept.assign(needed.size(), false);
    for (const Elf64_Phdr& segment : segments) {
      if (segment.p_type == PT_LOAD) share_segment(from, base, segment, kept);
    }
  }
  give_back(file, kept);
}

/// Those pages of a segment's that stay the copy's own are marked.
void SharedPages::share_segment(const Original& from, std::byte* base, const Elf64_Phdr& segment,
                                std::vector<bool>& needed) {
  const std::size_t begin = segment.p_offset / page();
  const std::size_t end = (segment.p_offset + segment.p_filesz + page() - 1) / page();
  std::byte* const place = base + segment.p_vaddr / page() * page();
  const auto is_same = [&](std::size_t i) {
    return (i + 1) * page() <= from.bytes.size() &&
           std::memcmp(place + (i - begin) * page(), from.bytes.data() + i * page(), page()) == 0;
  };
  for (std::size_t i = begin; i < end;) {
    std::size_t last = i;
    while (last < end && is_same(last)) ++last;
    const std::size_t size = (last - i) * page();
    const bool shared =
        last - i >= KeptOnce::kLeastPages &&
        mmap(place + (i - begin) * page(), size, protection(segment), MAP_PRIVATE | MAP_FIXED,
             from.file, static_cast<off_t>(i * page())) != MAP_FAILED;
    if (shared) {
      kept_.add_mapped({place + (i - begin) * page(), size});
    } else {
      // The one behind them is another.
      last = std::min(last + 1, end);
      std::fill(needed.begin() + static_cast<std::ptrdiff_t>(i),
                needed.begin() + static_cast<std::ptrdiff_t>(last), true);
    }
    i = last;
  }
}

/// A hole in a file takes no memory.
void SharedPages::give_back(int file, const std::vector<bool>& needed) {
  for (std::size_t i = 0; i < needed.size();) {
    std::size_t last = i;
    while (last < needed.size() && !needed[last]) ++last;
    if (last > i) {
      // Where the system cannot do it, they take memory.
      (void)fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      static_cast<off_t>(i * page()), static_cast<off_t>((last - i) * page()));
    }
    i = last + 1;
  }
}

}  // namespace heddle::host
