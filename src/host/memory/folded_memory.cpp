#include "host/memory/folded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::host {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}
std::size_t round_down(std::size_t size) {
  return size / page_size() * page_size();
}
std::size_t round_up(std::size_t size) {
  return round_down(size + page_size() - 1);
}

/// Notes that the rank has it; false if it had it already.
bool use(std::vector<bool>& users, std::uint32_t rank) {
  if (rank >= users.size()) users.resize(rank + 1);
  if (users[rank]) return false;
  users[rank] = true;
  return true;
}

}  // namespace

FoldedMemory::~FoldedMemory() {
  for (const auto& [address, area] : areas_) munmap(address, area.size);
  for (const auto& [address, size] : partial_) munmap(address, size);
  if (file_ >= 0) close(file_);
}

/// Makes the file as long as an area; its pages appear when they are touched.
bool FoldedMemory::grow(std::size_t size) {
  if (file_ < 0) file_ = memfd_create("heddle-folded", MFD_CLOEXEC);
  if (file_ < 0) return false;
  if (size <= file_size_) return true;
  if (ftruncate(file_, static_cast<off_t>(size)) != 0) return false;
  file_size_ = size;
  return true;
}

/// The first `size` bytes of the file, anywhere or over what is at `where`; null if it cannot be.
void* FoldedMemory::map(void* where, std::size_t size) {
  if (!grow(size)) return nullptr;
  const int flags = MAP_SHARED | MAP_NORESERVE | (where != nullptr ? MAP_FIXED : 0);
  void* place = mmap(where, size, PROT_READ | PROT_WRITE, flags, file_, 0);
  return place == MAP_FAILED ? nullptr : place;
}

void* FoldedMemory::take(std::uint32_t rank, std::size_t size) {
  const std::size_t whole = round_up(size == 0 ? 1 : size);
  for (auto& [address, area] : areas_) {
    if (area.size >= whole && use(area.users, rank)) return address;
  }
  void* place = map(nullptr, whole);
  if (place != nullptr) use((areas_[static_cast<std::byte*>(place)] = {whole, {}}).users, rank);
  return place;
}

void* FoldedMemory::take(std::uint32_t, std::size_t size, std::span<const Range> folded) {
  const std::size_t whole = round_up(size == 0 ? 1 : size);
  void* place = mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  for (const Range& range : folded) {
    const std::size_t begin = round_up(range.begin);
    const std::size_t end = round_down(range.end < whole ? range.end : whole);
    // Where it cannot be folded it stays the rank's own.
    if (begin < end) map(static_cast<std::byte*>(place) + begin, end - begin);
  }
  partial_[place] = whole;
  return place;
}

bool FoldedMemory::give_back(std::uint32_t rank, void* address) {
  if (const auto own = partial_.find(address); own != partial_.end()) {
    munmap(address, own->second);
    partial_.erase(own);
    return true;
  }
  const auto found = areas_.find(static_cast<std::byte*>(address));
  if (found == areas_.end()) return false;
  std::vector<bool>& users = found->second.users;
  if (rank >= users.size() || !users[rank]) return false;
  users[rank] = false;
  return true;
}

}  // namespace heddle::host
