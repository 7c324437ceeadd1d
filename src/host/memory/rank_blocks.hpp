// Large blocks of memory that programs of ranks ask the C library for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::host {

/// Ranks of one program ask for the same blocks and use them alike. Here, those of one size are
/// laid out in rows, one block per rank and row: what neighbours use by turns shares pages, huge
/// ones where it is known that all of it is going to be used. A block takes no memory before it is
/// touched, and little afterwards when it has been given back.
///
/// Blocks are taken by the thread that runs the ranks, and are given back by any. Rows stay.
class RankBlocks {
 public:
  /// What is smaller the C library keeps together, and what is larger it keeps apart.
  static constexpr std::size_t kLeast = std::size_t{1} << 20;
  static constexpr std::size_t kMost = std::size_t{16} << 20;
  /// Where they are to be compared with each other, such are not.
  static constexpr std::size_t kMostCompared = std::size_t{1} << 30;

  constexpr RankBlocks() = default;
  RankBlocks(const RankBlocks&) = delete;
  RankBlocks& operator=(const RankBlocks&) = delete;

  /// From now on the first `ranks` can take blocks of up to `most`.
  void serve(std::uint32_t ranks, std::size_t most = kMost) {
    ranks_ = ranks;
    most_ = most;
  }

  enum class Contents : std::uint8_t { any, zero };
  /// At least `size` bytes, which must be kLeast or more, for a rank, aligned to pages; or null: it
  /// is to ask elsewhere.
  void* take(std::uint32_t rank, std::size_t size, Contents contents);
  /// Whether an address is among those of blocks, or between them.
  bool spans(const void* address) const {
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    return place >= begin_.load(std::memory_order_relaxed) &&
           place < end_.load(std::memory_order_relaxed);
  }
  /// How many bytes the block at `address` has; 0 where none begins there.
  std::size_t room(const void* address) const {
    return spans(address) ? room_within(reinterpret_cast<std::uintptr_t>(address)) : 0;
  }
  /// A block goes back, one that has room.
  void give_back(void* block);
  /// Calls `function` with each block that a rank has, and the number of its row.
  template <class Function>
  void each(std::uint32_t rank, const Function& function) const {
    const std::size_t count = row_count_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i) {
      const Row& row = rows_[i];
      if (rank >= row.ranks || !is_taken(row.state(rank).load())) continue;
      function(i, std::span(reinterpret_cast<std::byte*>(row.begin + rank * row.step), row.room));
    }
  }
  /// Something else was mapped over pages of a block that somebody has.
  void note_mapped(const void* block);
  bool is_mapped(const void* block) const;
  /// All of this memory is going to be used. Where it is of blocks, the kernel may give it, and
  /// what is beside it in the row, huge pages.
  void expect_use(const void* memory, std::size_t size) const;

 private:
  enum class State : std::uint8_t {
    clean,   ///< Zero, and takes no memory.
    used,    ///< Taken, ...
    mapped,  ///< ... and in part not the memory that it was.
    left,    ///< Given back as it is.
  };
  static bool is_taken(State state) { return state == State::used || state == State::mapped; }
  struct Row {
    std::uintptr_t begin = 0;
    std::size_t room = 0;  ///< Of a block.
    std::size_t step = 0;  ///< From one block to the next.
    std::uint32_t ranks = 0;

    std::uintptr_t end() const { return begin + step * ranks; }
    bool contains(std::uintptr_t place) const { return place >= begin && place < end(); }
    /// Of a rank's block; they follow the last.
    std::atomic<State>& state(std::size_t rank) const {
      return reinterpret_cast<std::atomic<State>*>(end())[rank];
    }
  };
  static constexpr std::size_t kRows = 64;

  std::size_t room_within(std::uintptr_t place) const;
  /// The row that a place is in, or null.
  const Row* row_of(std::uintptr_t place) const;
  /// One of blocks with this room in which the rank has none, or null.
  const Row* row_for(std::uint32_t rank, std::size_t room);
  const Row* add_row(std::size_t room);
  std::atomic<State>& state_of(const void* block) const;

  std::atomic<std::uintptr_t> begin_ = UINTPTR_MAX;  ///< Of the first row in memory.
  std::atomic<std::uintptr_t> end_ = 0;              ///< Of the last.
  std::atomic<std::size_t> row_count_ = 0;
  std::atomic<std::size_t> left_ = 0;  ///< Bytes of blocks that were given back as they were.
  std::uint32_t ranks_ = 0;
  std::size_t most_ = kMost;
  std::array<Row, kRows> rows_{};
};

/// Those of the ranks of this process. Known here, for whoever gives memory back asks it.
inline constinit RankBlocks all_rank_blocks;
inline RankBlocks& rank_blocks() {
  return all_rank_blocks;
}

}  // namespace heddle::host
