#include "host/memory/low_addresses.hpp"

#include <sys/mman.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>

namespace heddle::host {
namespace {

/// Below where the kernel puts programs, heaps and mappings, and above what sanitizers keep for
/// themselves.
constexpr std::uintptr_t kLimit = std::uintptr_t{1} << 45;
/// Left free below the first thread's stack, which grows.
constexpr std::uintptr_t kStackRoom = std::uintptr_t{64} << 20;

/// What the loader needs for its records of a thousand copies, in pieces that come from the heap.
constexpr std::size_t kPiece = 120 * 1024;
constexpr std::size_t kPieces = 64;

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool is_stack = false;
};

/// A line of /proc/self/maps: "begin-end ...", in hexadecimal digits.
Mapping mapping_of(const std::string& line) {
  Mapping mapping;
  const char* last = line.data() + line.size();
  const auto begin = std::from_chars(line.data(), last, mapping.begin, 16);
  if (begin.ptr != last) std::from_chars(begin.ptr + 1, last, mapping.end, 16);
  mapping.is_stack = line.ends_with("[stack]");
  return mapping;
}

/// The memory from `begin` to `end`, so that nobody else gets it; empty if that is refused.
std::span<std::byte> take(std::uintptr_t begin, std::uintptr_t end) {
  void* place = mmap(reinterpret_cast<void*>(begin), end - begin, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (place == MAP_FAILED) return {};
  return {static_cast<std::byte*>(place), end - begin};
}

/// What is free above the limit, in order.
std::vector<Mapping> gaps() {
  std::vector<Mapping> gaps;
  std::uintptr_t free_from = kLimit;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const Mapping mapping = mapping_of(line);
    const std::uintptr_t end = mapping.begin - (mapping.is_stack ? kStackRoom : 0);
    if (end > free_from) gaps.push_back({free_from, end});
    if (mapping.end > free_from) free_from = mapping.end;
    if (mapping.is_stack) break;
  }
  return gaps;
}

}  // namespace

LowAddresses::LowAddresses() {
  for (std::size_t i = 0; i < kPieces; ++i) {
    heap_.push_back(std::make_unique_for_overwrite<std::byte[]>(kPiece));
  }
  // All but the last, which keeps the others from going back to the kernel.
  heap_.erase(heap_.begin(), heap_.end() - 1);
  for (const Mapping& gap : gaps()) {
    const std::span<std::byte> taken = take(gap.begin, gap.end);
    if (!taken.empty()) taken_.push_back(taken);
  }
}

LowAddresses::~LowAddresses() {
  for (const std::span<std::byte> taken : taken_) munmap(taken.data(), taken.size());
}

}  // namespace heddle::host
