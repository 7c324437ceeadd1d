#include "host/rank/code/code_traps.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace heddle::host {
namespace {

/// A power of two; no more than half of them are used.
constexpr std::size_t kPlaces = 32'768;
constexpr std::uintptr_t kPage = 4096;

std::size_t first_for(std::uintptr_t place) {
  return (place * 0x9e3779b97f4a7c15ULL >> 32) % kPlaces;
}

/// Of the program that has been given this process to look into; none: 0.
bool has_tracer() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "TracerPid:") continue;
    int tracer = 0;
    return status >> tracer && tracer != 0;
  }
  return false;
}

std::uint8_t& byte_at(std::uintptr_t place) {
  return *reinterpret_cast<std::uint8_t*>(place);
}

bool make_writable(std::uintptr_t place) {
  return mprotect(reinterpret_cast<void*>(place & ~(kPage - 1)), kPage,
                  PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

}  // namespace

/// Memory for copies, near the code that they are copies of.
struct CodeTraps::Copies {
  static constexpr std::size_t kEach = 32;
  static constexpr std::size_t kBytes = 64 * 1024;
  /// So far off is what an instruction can name by its distance, and a little less.
  static constexpr std::uintptr_t kReach = 1UL << 30;

  struct Block {
    std::uintptr_t begin;
    std::size_t used;
  };
  std::vector<Block> blocks;

  static std::uintptr_t distance(std::uintptr_t a, std::uintptr_t b) {
    return a < b ? b - a : a - b;
  }

  static std::uintptr_t mapped_near(std::uintptr_t place) {
    constexpr std::uintptr_t kStep = 1UL << 20;
    for (std::uintptr_t off = kStep; off < kReach; off += kStep) {
      for (const std::uintptr_t wanted : {place + off, place - off}) {
        void* const at = reinterpret_cast<void*>(wanted & ~(kPage - 1));
        void* const got = mmap(at, kBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == at) return reinterpret_cast<std::uintptr_t>(got);
        if (got != MAP_FAILED) munmap(got, kBytes);
      }
    }
    return 0;
  }

  /// Room for one; 0: there is none.
  std::uintptr_t take(std::uintptr_t place) {
    for (Block& block : blocks) {
      if (block.used + kEach > kBytes || distance(block.begin, place) > kReach) continue;
      block.used += kEach;
      return block.begin + block.used - kEach;
    }
    const std::uintptr_t begin = mapped_near(place);
    if (begin == 0) return 0;
    blocks.push_back({begin, kEach});
    return begin;
  }

  /// What was taken last is not needed.
  void give_back(std::uintptr_t room) {
    for (Block& block : blocks) block.used -= block.begin + block.used - kEach == room ? kEach : 0;
  }

  bool has(std::uintptr_t place) const {
    for (const Block& block : blocks) {
      if (place >= block.begin && place < block.begin + block.used) return true;
    }
    return false;
  }
};

CodeTraps::CodeTraps()
    : traps_(std::make_unique<Trap[]>(kPlaces)), copies_(std::make_unique<Copies>()) {}
CodeTraps::~CodeTraps() = default;

bool CodeTraps::possible() {
#if defined(__x86_64__)
  return !has_tracer();
#else
  return false;
#endif
}

CodeTraps& CodeTraps::instance() {
  // Threads of libraries may come to a trap until the process ends.
  static CodeTraps& traps = *new CodeTraps;
  return traps;
}

CodeTraps::Trap* CodeTraps::find(const void* place) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(place);
  for (std::size_t i = first_for(wanted);; i = (i + 1) % kPlaces) {
    const std::uintptr_t there = traps_[i].place_.load(std::memory_order_acquire);
    if (there == wanted) return &traps_[i];
    if (there == 0) return nullptr;
  }
}

bool CodeTraps::stands(const void* place) {
  const Trap* const trap = find(place);
  return trap != nullptr && byte_at(reinterpret_cast<std::uintptr_t>(place)) == kTrap;
}

CodeTraps::Trap* CodeTraps::set(void* place, Copier copier) {
  if (stands(place)) return find(place);
  const Trap* const before = find(place);
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  if (before == nullptr && 2 * used_ >= kPlaces) return nullptr;
  const std::uintptr_t room = copies_->take(at);
  if (room == 0) return nullptr;
  // Code ends where its page does, as far as is known.
  if (!copier(at, kPage - at % kPage, room) || !make_writable(at)) {
    copies_->give_back(room);
    return nullptr;
  }
  Trap& trap = entry(at);
  trap.copy_ = reinterpret_cast<void*>(room);
  trap.byte_ = byte_at(at);
  trap.place_.store(at, std::memory_order_release);
  any_ = true;
  byte_at(at) = kTrap;
  return &trap;
}

CodeTraps::Trap& CodeTraps::entry(std::uintptr_t place) {
  std::size_t i = first_for(place);
  for (; traps_[i].place_.load(std::memory_order_relaxed) != place; i = (i + 1) % kPlaces) {
    if (traps_[i].place_.load(std::memory_order_relaxed) != 0) continue;
    ++used_;
    break;
  }
  return traps_[i];
}

void CodeTraps::take_away(const Trap& trap) {
  byte_at(trap.place_.load(std::memory_order_relaxed)) = trap.byte_;
}

const void* CodeTraps::original(const void* place) const {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  if (!copies_->has(at)) return place;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const auto copy = reinterpret_cast<std::uintptr_t>(traps_[i].copy_);
    if (copy != 0 && at - copy < Copies::kEach) return traps_[i].place();
  }
  return place;
}

void CodeTraps::restore_all(std::uint64_t place, void* code, std::size_t size) {
  auto* const bytes = static_cast<std::uint8_t*>(code);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != kTrap) continue;
    const Trap* const trap = find(reinterpret_cast<const void*>(place + i));
    if (trap != nullptr) bytes[i] = trap->byte_;
  }
}

}  // namespace heddle::host
