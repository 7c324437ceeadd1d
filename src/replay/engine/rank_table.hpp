// What the engine keeps of every rank, in one piece of memory per rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "core/large_vector.hpp"
#include "replay/engine/waiting_line.hpp"
#include "replay/matching.hpp"
#include "replay/schedule.hpp"

namespace heddle::replay {

/// Its program, what waits to be matched and where its time went, but for the noise. Clocks and
/// lines follow it in memory: with one processor and one adapter all of it is two lines of the
/// cache.
struct RankState {
  const PackedOp* ops = nullptr;
  MatchList posted;
  MatchList unexpected;
  std::int64_t compute = 0;
  std::int64_t overhead = 0;
  std::int64_t gap = 0;
};
static_assert(sizeof(RankState) == 64);

/// So many clocks, lines of operations and lines of messages belong to every rank of a table.
struct RankShape {
  std::uint32_t clocks;
  std::uint32_t op_lines;
  std::uint32_t message_lines;
};

/// The states of ranks 0, 1, ...: an event touches neighbouring lines of the cache.
class RankTable {
 public:
  RankTable(std::uint32_t ranks, const RankShape& shape)
      : clocks_at_(sizeof(RankState)),
        op_lines_at_(clocks_at_ + sizeof(std::int64_t) * shape.clocks),
        message_lines_at_(op_lines_at_ + sizeof(OpLine) * shape.op_lines),
        receives_at_(message_lines_at_ + sizeof(std::uint32_t) * shape.message_lines),
        stride_((receives_at_ + sizeof(std::uint32_t) + kUnit - 1) / kUnit),
        units_(stride_ * ranks) {
    for (std::uint32_t r = 0; r < ranks; ++r) {
      std::byte* const at = units_[r * stride_].bytes;
      std::construct_at(reinterpret_cast<RankState*>(at));
      std::uninitialized_value_construct_n(reinterpret_cast<std::int64_t*>(at + clocks_at_),
                                           shape.clocks);
      std::uninitialized_default_construct_n(reinterpret_cast<OpLine*>(at + op_lines_at_),
                                             shape.op_lines);
      std::uninitialized_fill_n(reinterpret_cast<std::uint32_t*>(at + message_lines_at_),
                                shape.message_lines, kNone);
      std::construct_at(reinterpret_cast<std::uint32_t*>(at + receives_at_), 0U);
    }
  }

  RankState& operator[](std::uint32_t r) { return *part<RankState>(r, 0); }
  const RankState& operator[](std::uint32_t r) const { return *part<const RankState>(r, 0); }
  std::int64_t* clocks(std::uint32_t r) { return part<std::int64_t>(r, clocks_at_); }
  const std::int64_t* clocks(std::uint32_t r) const {
    return part<const std::int64_t>(r, clocks_at_);
  }
  OpLine* op_lines(std::uint32_t r) { return part<OpLine>(r, op_lines_at_); }
  std::uint32_t* message_lines(std::uint32_t r) {
    return part<std::uint32_t>(r, message_lines_at_);
  }
  /// How many of its receives stand in the engine's queue.
  std::uint32_t& queued_receives(std::uint32_t r) { return *part<std::uint32_t>(r, receives_at_); }
  void prefetch(std::uint32_t r) const {
    const std::byte* const at = units_[r * stride_].bytes;
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
  }

 private:
  static constexpr std::size_t kUnit = 64;
  struct alignas(kUnit) Unit {
    std::byte bytes[kUnit];
  };
  template <class T>
  T* part(std::uint32_t r, std::size_t offset) {
    return std::launder(reinterpret_cast<T*>(units_[r * stride_].bytes + offset));
  }
  template <class T>
  T* part(std::uint32_t r, std::size_t offset) const {
    return std::launder(reinterpret_cast<T*>(units_[r * stride_].bytes + offset));
  }

  std::size_t clocks_at_;
  std::size_t op_lines_at_;
  std::size_t message_lines_at_;
  std::size_t receives_at_;
  std::size_t stride_;
  LargeVector<Unit> units_;
};

}  // namespace heddle::replay
