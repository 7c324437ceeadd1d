// Entries by the slice of time that they fall into, for the slices that come next.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/timed_entry.hpp"

namespace heddle {

/// A ring of slots, one per slice; what is in one lies in chunks, as it was pushed.
class SliceRing {
 public:
  static constexpr std::int64_t kSlices = 1024;

  SliceRing();

  /// The slot of a slice, which is not negative.
  static std::size_t slot(std::int64_t slice) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(slice) % kSlices);
  }
  /// Puts the entry where the slot has room; false if it has none.
  bool push(std::size_t slot, std::int64_t time, std::uint64_t sequence, std::uint64_t what) {
    const std::uint32_t last = ring_[slot];
    if (last == kNoChunk) return false;
    Chunk& chunk = chunks_[last];
    if (chunk.size >= chunk.room) return false;
    chunk.entries[chunk.size++] = {time, sequence, what};
    return true;
  }
  /// Gives the slot another chunk, with the entry in it; its number.
  std::uint32_t push_to_new(std::size_t slot, const TimedEntry& entry);

  /// Adds the entries of the slot to `out` and empties it.
  void take(std::size_t slot, std::vector<TimedEntry>& out);
  /// The entries of a slot that has some in one chunk; otherwise none.
  std::span<const TimedEntry> lone_chunk(std::size_t slot) const {
    const std::uint32_t number = ring_[slot];
    const Chunk& chunk = chunks_[number];
    if (chunk.next != number) return {};
    return {chunk.entries.data(), chunk.size};
  }
  /// Empties a slot that has some.
  void give_back(std::size_t slot);
  /// How far behind the slice `current` the next one with entries is, or kSlices.
  std::int64_t next_occupied(std::int64_t current) const;
  /// The least time in a slot that has some.
  std::int64_t soonest(std::size_t slot) const;

  /// The entries of a chunk, to which nothing will be added any more.
  std::span<TimedEntry> close(std::uint32_t number) {
    Chunk& chunk = chunks_[number];
    chunk.room = chunk.size;
    return {chunk.entries.data(), chunk.size};
  }
  void prefetch_chunk(std::uint32_t number) const;

 private:
  static constexpr std::size_t kWords = kSlices / 64;
  static constexpr std::uint32_t kNoChunk = UINT32_MAX;
  static constexpr std::uint16_t kChunk = 10;

  /// Some entries of a slot.
  struct Chunk {
    std::uint16_t size = 0;
    std::uint16_t room = kChunk;    ///< For so many entries.
    std::uint32_t next = kNoChunk;  ///< In a circle; or of the free.
    std::array<TimedEntry, kChunk> entries;
  };

  std::uint32_t make_chunk();

  std::array<std::uint32_t, kSlices> ring_;  ///< By slot: its last chunk, which leads to the first.
  std::array<std::uint64_t, kWords> occupied_{};
  std::vector<Chunk> chunks_;
  std::uint32_t free_chunk_ = kNoChunk;
};

inline std::uint32_t SliceRing::push_to_new(std::size_t slot, const TimedEntry& entry) {
  const std::uint32_t last = ring_[slot];
  const std::uint32_t number = free_chunk_ == kNoChunk ? make_chunk() : free_chunk_;
  Chunk& chunk = chunks_[number];
  free_chunk_ = chunk.next;
  chunk.size = 1;
  chunk.room = kChunk;
  chunk.entries[0] = entry;
  ring_[slot] = number;
  occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
  chunk.next = last == kNoChunk ? number : std::exchange(chunks_[last].next, number);
  return number;
}

inline void SliceRing::give_back(std::size_t slot) {
  const std::uint32_t last = std::exchange(ring_[slot], kNoChunk);
  std::swap(chunks_[last].next, free_chunk_);
  occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
}

inline std::int64_t SliceRing::next_occupied(std::int64_t current) const {
  // Slots are visited in the order of their slices, from the one after the current.
  for (std::int64_t step = 1; step < kSlices;) {
    const auto slot = static_cast<std::size_t>((current + step) % kSlices);
    const std::uint64_t word = occupied_[slot / 64] >> slot % 64;
    if (word != 0) return step + std::countr_zero(word);
    step += static_cast<std::int64_t>(64 - slot % 64);
  }
  return kSlices;
}

}  // namespace heddle
