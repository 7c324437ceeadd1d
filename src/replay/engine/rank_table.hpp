// What the engine keeps of every rank, in one piece of memory per rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "core/large_vector.hpp"
#include "core/prefetch.hpp"
#include "replay/engine/waiting_line.hpp"
#include "replay/matching.hpp"
#include "replay/schedule.hpp"

namespace heddle::replay {

/// Its program, what waits to be matched and where its time went, but for the noise. Clocks and
/// lines follow it in memory: with one processor and one adapter all of it is two lines of the
/// cache.
struct RankState {
  std::uint64_t first = 0;  ///< Number of its first operation.
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

/// One clock of the processor and two of the adapter, a line of calcs, one of sends and one of
/// messages.
inline constexpr RankShape kPlainShape{3, 2, 1};

/// The states of ranks 0, 1, ...: an event touches neighbouring lines of the cache. Whoever knows
/// that all are of kPlainShape says so, and where the parts of a state are is then known when the
/// program is compiled.
class RankTable {
 public:
  RankTable(std::uint32_t ranks, const RankShape& shape)
      : places_(shape), units_(places_.stride * ranks) {
    for (std::uint32_t r = 0; r < ranks; ++r) {
      std::byte* const at = units_[r * places_.stride].bytes;
      std::construct_at(reinterpret_cast<RankState*>(at));
      std::uninitialized_value_construct_n(reinterpret_cast<std::int64_t*>(at + places_.clocks),
                                           shape.clocks);
      std::uninitialized_default_construct_n(reinterpret_cast<OpLine*>(at + places_.op_lines),
                                             shape.op_lines);
      std::uninitialized_fill_n(reinterpret_cast<std::uint32_t*>(at + places_.message_lines),
                                shape.message_lines, kNone);
      std::construct_at(reinterpret_cast<std::uint32_t*>(at + places_.receives), 0U);
    }
  }

  template <bool plain>
  RankState& state(std::uint32_t r) {
    return *std::launder(reinterpret_cast<RankState*>(at<plain>(r)));
  }
  template <bool plain>
  const RankState& state(std::uint32_t r) const {
    return *std::launder(reinterpret_cast<const RankState*>(at<plain>(r)));
  }
  template <bool plain>
  std::int64_t* clocks(std::uint32_t r) {
    return std::launder(reinterpret_cast<std::int64_t*>(at<plain>(r) + places<plain>().clocks));
  }
  template <bool plain>
  const std::int64_t* clocks(std::uint32_t r) const {
    return std::launder(
        reinterpret_cast<const std::int64_t*>(at<plain>(r) + places<plain>().clocks));
  }
  template <bool plain>
  OpLine* op_lines(std::uint32_t r) {
    return std::launder(reinterpret_cast<OpLine*>(at<plain>(r) + places<plain>().op_lines));
  }
  template <bool plain>
  std::uint32_t* message_lines(std::uint32_t r) {
    return std::launder(
        reinterpret_cast<std::uint32_t*>(at<plain>(r) + places<plain>().message_lines));
  }
  /// How many of its receives stand in the engine's queue.
  template <bool plain>
  std::uint32_t& queued_receives(std::uint32_t r) {
    return *std::launder(reinterpret_cast<std::uint32_t*>(at<plain>(r) + places<plain>().receives));
  }
  void prefetch(std::uint32_t r) const {
    const std::byte* const state = at<false>(r);
    heddle::prefetch(state);
    heddle::prefetch(state + 64);
  }

 private:
  static constexpr std::size_t kUnit = 64;
  struct alignas(kUnit) Unit {
    std::byte bytes[kUnit];
  };
  /// Where the parts of a rank's state begin, in bytes; it takes `stride` units.
  struct Places {
    explicit constexpr Places(const RankShape& shape)
        : clocks(sizeof(RankState)),
          op_lines(clocks + sizeof(std::int64_t) * shape.clocks),
          message_lines(op_lines + sizeof(OpLine) * shape.op_lines),
          receives(message_lines + sizeof(std::uint32_t) * shape.message_lines),
          stride((receives + sizeof(std::uint32_t) + kUnit - 1) / kUnit) {}
    std::size_t clocks;
    std::size_t op_lines;
    std::size_t message_lines;
    std::size_t receives;
    std::size_t stride;
  };

  template <bool plain>
  Places places() const {
    return plain ? Places(kPlainShape) : places_;
  }
  template <bool plain>
  std::byte* at(std::uint32_t r) {
    return units_[r * places<plain>().stride].bytes;
  }
  template <bool plain>
  const std::byte* at(std::uint32_t r) const {
    return units_[r * places<plain>().stride].bytes;
  }

  const Places places_;
  LargeVector<Unit> units_;
};

}  // namespace heddle::replay
