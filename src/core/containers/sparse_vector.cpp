#include "core/containers/sparse_vector.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heddle {
namespace {

/// So many bytes and more have pages of their own.
constexpr std::size_t kPaged = std::size_t{1} << 18;

std::byte* take_pages(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Only advice: a huge page would be taken for a few bytes.
  (void)madvise(memory, bytes, MADV_NOHUGEPAGE);
  return static_cast<std::byte*>(memory);
}

/// What the kernel says of the pages of this process; nothing where it says nothing.
class PageMap {
 public:
  PageMap() : file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~PageMap() {
    if (file_ >= 0) close(file_);
  }
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  /// Calls `visit` with the number of each page from `first` on that is in memory or was written
  /// out; false if that is not known of all.
  template <class Visit>
  bool for_each_present(std::size_t first, std::size_t count, Visit visit) const {
    std::array<std::uint64_t, 512> entries;  // A fiber may ask, whose stack is small.
    for (std::size_t done = 0; done < count;) {
      const std::size_t wanted = std::min(entries.size(), count - done) * sizeof(entries[0]);
      const auto place = static_cast<off_t>((first + done) * sizeof(entries[0]));
      const ssize_t got = pread(file_, entries.data(), wanted, place);
      if (got <= 0) return false;
      const std::size_t known = static_cast<std::size_t>(got) / sizeof(entries[0]);
      for (std::size_t i = 0; i < known; ++i) {
        if ((entries[i] & (kPresent | kSwapped)) != 0) visit(done + i);
      }
      done += known;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kSwapped = std::uint64_t{1} << 62;
  int file_;
};

}  // namespace

ZeroedMemory::ZeroedMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes >= kPaged) {
    data_ = take_pages(bytes);
  } else if (bytes > 0) {
    data_ = static_cast<std::byte*>(std::calloc(bytes, 1));
    if (data_ == nullptr) throw std::bad_alloc();
  }
}

ZeroedMemory::~ZeroedMemory() {
  if (bytes_ >= kPaged) {
    munmap(data_, bytes_);
  } else {
    std::free(data_);
  }
}

ZeroedMemory::ZeroedMemory(const ZeroedMemory& other) : ZeroedMemory(other.bytes_) {
  for (const Part& part : other.used()) {
    std::memcpy(data_ + part.begin, other.data_ + part.begin, part.end - part.begin);
  }
}

std::vector<ZeroedMemory::Part> ZeroedMemory::used() const {
  if (bytes_ == 0) return {};
  std::vector<Part> all{{0, bytes_}};
  if (bytes_ < kPaged) return all;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<Part> parts;
  const auto add = [&](std::size_t number) {
    const std::size_t begin = number * page;
    const std::size_t end = std::min(begin + page, bytes_);
    if (!parts.empty() && parts.back().end == begin) {
      parts.back().end = end;
    } else {
      parts.push_back({begin, end});
    }
  };
  const std::size_t first = reinterpret_cast<std::uintptr_t>(data_) / page;
  const std::size_t pages = (bytes_ + page - 1) / page;
  return PageMap().for_each_present(first, pages, add) ? parts : all;
}

}  // namespace heddle
