#include "core/slice_ring.hpp"

#include <algorithm>

#include "core/prefetch.hpp"

namespace heddle {

SliceRing::SliceRing() {
  constexpr std::size_t kFew = 256;  // So that a small run has all the room it ever needs.
  ring_.fill(kNoChunk);
  chunks_.reserve(kFew);
}

/// A free one.
[[gnu::noinline]] std::uint32_t SliceRing::make_chunk() {
  chunks_.emplace_back();
  return static_cast<std::uint32_t>(chunks_.size() - 1);
}

void SliceRing::take(std::size_t slot, std::vector<TimedEntry>& out) {
  const std::uint32_t last = ring_[slot];
  if (last == kNoChunk) return;
  for (std::uint32_t number = chunks_[last].next;; number = chunks_[number].next) {
    const Chunk& chunk = chunks_[number];
    out.insert(out.end(), chunk.entries.begin(), chunk.entries.begin() + chunk.size);
    if (number == last) break;
  }
  give_back(slot);
}

std::int64_t SliceRing::soonest(std::size_t slot) const {
  std::int64_t time = INT64_MAX;
  const std::uint32_t last = ring_[slot];
  for (std::uint32_t number = chunks_[last].next;; number = chunks_[number].next) {
    const Chunk& chunk = chunks_[number];
    for (std::uint32_t i = 0; i < chunk.size; ++i) time = std::min(time, chunk.entries[i].time);
    if (number == last) return time;
  }
}

void SliceRing::prefetch_chunk(std::uint32_t number) const {
  prefetch_whole(chunks_[number]);
}

}  // namespace heddle
