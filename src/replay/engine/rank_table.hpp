// What the engine keeps of every rank, in one piece of memory per rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "replay/engine/waiting_line.hpp"
#include "replay/matching.hpp"
#include "replay/result.hpp"
#include "replay/schedule.hpp"

namespace heddle::replay {

/// Its program, what it waits for and where its time went. Clocks and lines follow it in memory.
struct RankState {
  const PackedOp* ops = nullptr;
  const Edge* edges = nullptr;
  std::uint32_t* waiting = nullptr;  ///< By operation: what it still waits for.
  MatchList posted;
  MatchList unexpected;
  RankTimes times;
};

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
        stride_((message_lines_at_ + sizeof(std::uint32_t) * shape.message_lines + kUnit - 1) /
                kUnit),
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
  void prefetch(std::uint32_t r) const {
    const std::byte* const at = units_[r * stride_].bytes;
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
  }

 private:
  static constexpr std::size_t kUnit = 32;
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
  std::size_t stride_;
  std::vector<Unit> units_;
};

}  // namespace heddle::replay
