// What the engine keeps of every rank, in one piece of memory per rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "core/large_vector.hpp"
#include "core/prefetch.hpp"
#include "goal/matching.hpp"
#include "goal/schedule.hpp"
#include "replay/engine/rank_shape.hpp"
#include "replay/engine/waiting_line.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// Its program, what waits to be matched and where its time went, but for the noise. Clocks and
/// lines follow it in memory: with one processor and one adapter all of it is two lines of the
/// cache.
struct RankState {
  OpNumber first{};  ///< Number of its first operation.
  goal::MatchList posted;
  goal::MatchList unexpected;
  Time compute;
  Time overhead;
  Time gap;
};
static_assert(sizeof(RankState) == 64);

/// Where the parts of a rank's state begin, in bytes; it takes `stride` lines of the cache.
struct RankLayout {
  template <class Shape>
  explicit constexpr RankLayout(const Shape& shape)
      : clocks(sizeof(RankState)),
        op_lines(clocks + sizeof(Time) * (shape.cpus() + 2 * shape.nics())),
        message_lines(op_lines + sizeof(OpLine) * (shape.cpus() + shape.pairs())),
        receives(message_lines + sizeof(MessageId) * shape.pairs()),
        stride((receives + sizeof(std::uint32_t) + kCacheLine - 1) / kCacheLine) {}
  std::size_t clocks;  ///< Of processors, then of adapters that send, then that receive.
  std::size_t op_lines;
  std::size_t message_lines;
  std::size_t receives;
  std::size_t stride;
};

/// The states of ranks 0, 1, ...: an event touches neighbouring lines of the cache.
template <class Shape>
class RankTable {
 public:
  RankTable(std::uint32_t ranks, const Shape& shape)
      : layout_(shape), lines_(layout_.stride * ranks) {
    for (std::uint32_t r = 0; r < ranks; ++r) {
      std::construct_at(reinterpret_cast<RankState*>(at(r)));
      std::uninitialized_value_construct_n(reinterpret_cast<Time*>(at(r) + layout_.clocks),
                                           shape.cpus() + 2 * shape.nics());
      std::uninitialized_default_construct_n(reinterpret_cast<OpLine*>(at(r) + layout_.op_lines),
                                             shape.cpus() + shape.pairs());
      std::uninitialized_fill_n(reinterpret_cast<MessageId*>(at(r) + layout_.message_lines),
                                shape.pairs(), kNoMessage);
      std::construct_at(reinterpret_cast<std::uint32_t*>(at(r) + layout_.receives), 0U);
    }
  }

  [[gnu::always_inline]] RankState& state(std::uint32_t r) { return *part<RankState>(r, 0); }
  const RankState& state(std::uint32_t r) const { return *part<RankState>(r, 0); }
  [[gnu::always_inline]] Time* clocks(std::uint32_t r) { return part<Time>(r, layout().clocks); }
  const Time* clocks(std::uint32_t r) const { return part<Time>(r, layout().clocks); }
  OpLine* op_lines(std::uint32_t r) { return part<OpLine>(r, layout().op_lines); }
  [[gnu::always_inline]] MessageId* message_lines(std::uint32_t r) {
    return part<MessageId>(r, layout().message_lines);
  }
  /// How many of its receives stand in the engine's queue.
  [[gnu::always_inline]] std::uint32_t& queued_receives(std::uint32_t r) {
    return *part<std::uint32_t>(r, layout().receives);
  }
  void prefetch(std::uint32_t r) const { prefetch_lines(at(r), 2); }

 private:
  struct alignas(kCacheLine) Line {
    std::byte bytes[kCacheLine];
  };

  [[gnu::always_inline]] RankLayout layout() const {
    if constexpr (std::is_same_v<Shape, OneUnitEach>) {
      constexpr RankLayout kKnown{OneUnitEach()};
      return kKnown;
    } else {
      return layout_;
    }
  }
  [[gnu::always_inline]] std::byte* at(std::uint32_t r) {
    return lines_[r * layout().stride].bytes;
  }
  [[gnu::always_inline]] const std::byte* at(std::uint32_t r) const {
    return lines_[r * layout().stride].bytes;
  }
  template <class T>
  [[gnu::always_inline]] T* part(std::uint32_t r, std::size_t place) {
    return std::launder(reinterpret_cast<T*>(at(r) + place));
  }
  template <class T>
  [[gnu::always_inline]] const T* part(std::uint32_t r, std::size_t place) const {
    return std::launder(reinterpret_cast<const T*>(at(r) + place));
  }

  const RankLayout layout_;
  LargeVector<Line> lines_;
};

}  // namespace heddle::replay
