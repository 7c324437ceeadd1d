#include "host/memory/rank_blocks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace heddle::host {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// What the blocks of a row have room for: an eighth more than is asked for, at most.
std::size_t rounded(std::size_t size) {
  const std::size_t unit = std::bit_floor(size) / 8;
  return (size + unit - 1) / unit * unit;
}

}  // namespace

void* RankBlocks::take(std::uint32_t rank, std::size_t size, Contents contents) {
  if (rank >= ranks_ || size > most_) return nullptr;
  const Row* const row = row_for(rank, rounded(size));
  if (row == nullptr) return nullptr;
  void* const block = reinterpret_cast<void*>(row->begin + rank * row->step);
  if (row->state(rank).exchange(State::used, std::memory_order_acquire) == State::left) {
    left_.fetch_sub(row->room, std::memory_order_relaxed);
    if (contents == Contents::zero) std::memset(block, 0, size);
  }
  return block;
}

const RankBlocks::Row* RankBlocks::row_for(std::uint32_t rank, std::size_t room) {
  const std::size_t count = row_count_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < count; ++i) {
    const Row& row = rows_[i];
    if (row.room == room && rank < row.ranks &&
        !is_taken(row.state(rank).load(std::memory_order_relaxed))) {
      return &row;
    }
  }
  return count == kRows ? nullptr : add_row(room);
}

const RankBlocks::Row* RankBlocks::add_row(std::size_t room) {
  Row row;
  row.room = room;
  // One page apart: blocks of a power of two would compete for the same lines of caches.
  row.step = room + static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  row.ranks = ranks_;
  void* const memory =
      mmap(nullptr, (row.step + sizeof(std::atomic<State>)) * ranks_, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  row.begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t count = row_count_.load(std::memory_order_relaxed);
  rows_[count] = row;
  row_count_.store(count + 1, std::memory_order_release);
  begin_.store(std::min(begin_.load(), row.begin));
  end_.store(std::max(end_.load(), row.end()));
  return &rows_[count];
}

const RankBlocks::Row* RankBlocks::row_of(std::uintptr_t place) const {
  const std::size_t count = row_count_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    if (rows_[i].contains(place)) return &rows_[i];
  }
  return nullptr;
}

std::size_t RankBlocks::room_within(std::uintptr_t place) const {
  const Row* const row = row_of(place);
  if (row == nullptr || (place - row->begin) % row->step != 0) return 0;
  const std::size_t rank = (place - row->begin) / row->step;
  return is_taken(row->state(rank).load(std::memory_order_relaxed)) ? row->room : 0;
}

std::atomic<RankBlocks::State>& RankBlocks::state_of(const void* block) const {
  const auto place = reinterpret_cast<std::uintptr_t>(block);
  const Row& row = *row_of(place);
  return row.state((place - row.begin) / row.step);
}

void RankBlocks::note_mapped(const void* block) {
  state_of(block).store(State::mapped, std::memory_order_relaxed);
}

bool RankBlocks::is_mapped(const void* block) const {
  return state_of(block).load(std::memory_order_relaxed) == State::mapped;
}

void RankBlocks::give_back(void* block) {
  constexpr std::size_t kMostLeft = std::size_t{64} << 20;
  const auto place = reinterpret_cast<std::uintptr_t>(block);
  const Row& row = *row_of(place);
  std::atomic<State>& state = state_of(block);
  if (state.load(std::memory_order_relaxed) == State::mapped) {
    // Given back, what was mapped would be there again.
    const int before = errno;
    const bool clean =
        mmap(block, row.room, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
    errno = before;
    if (!clean) std::memset(block, 0, row.room);
    return state.store(State::clean, std::memory_order_release);
  }
  if (left_.fetch_add(row.room, std::memory_order_relaxed) + row.room <= kMostLeft) {
    return state.store(State::left, std::memory_order_release);
  }
  left_.fetch_sub(row.room, std::memory_order_relaxed);
  const int before = errno;
  const bool clean = madvise(block, row.room, MADV_DONTNEED) == 0;
  errno = before;
  // Locked memory stays.
  if (!clean) std::memset(block, 0, row.room);
  state.store(State::clean, std::memory_order_release);
}

void RankBlocks::expect_use(const void* memory, std::size_t size) const {
  const auto place = reinterpret_cast<std::uintptr_t>(memory);
  const Row* const row = row_of(place);
  if (row == nullptr) return;
  const auto up = [](std::uintptr_t p) { return (p + kHugePage - 1) / kHugePage * kHugePage; };
  const auto down = [](std::uintptr_t p) { return p / kHugePage * kHugePage; };
  const std::uintptr_t begin = std::max(down(place), up(row->begin));
  const std::uintptr_t end = std::min(up(place + size), down(row->end()));
  if (begin >= end) return;
  // Only advice: without such pages it is memory like any other.
  const int before = errno;
  (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  errno = before;
}

}  // namespace heddle::host
