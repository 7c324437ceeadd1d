// What the numbers of a replay stand for: a type for each, so that none is taken for another, and
// sums of times.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/time.hpp"
#include "goal/chunk_pool.hpp"

namespace heddle::replay {

using heddle::RankId;
enum class OpId : std::uint32_t {};  ///< An operation of a rank, by its place in its program.
/// An operation among those of all ranks that are replayed in one place, as they lie in memory.
enum class OpNumber : std::uint64_t {};
enum class Tag : std::uint32_t {};
enum class CpuId : std::uint8_t {};       ///< A processor of a rank.
enum class NicId : std::uint8_t {};       ///< An adapter of a rank.
enum class PairId : std::uint32_t {};     ///< A processor and an adapter that are used together.
enum class MessageId : std::uint32_t {};  ///< A message that is kept, until it is received.
enum class PostingId : std::uint32_t {};  ///< A receive that is posted.
enum class LinkMessageId : std::uint32_t {};  ///< A message between links.

inline constexpr MessageId kNoMessage{goal::kNone};
inline constexpr PostingId kNoPosting{goal::kNone};

/// An instant before all others.
inline constexpr Time kBeforeAll = Time::ps(INT64_MIN);

/// Of instants and durations of a replay, of which none is beyond goal::kLatest: a few never
/// overflow, and are not looked at for that, as `+` does.
template <class... Times>
constexpr Time sum_of(Times... times) {
  return Time::ps((times.ps() + ...));
}

/// The rank `distance` further on.
constexpr RankId operator+(RankId rank, std::uint32_t distance) {
  return RankId{raw(rank) + distance};
}
constexpr RankId& operator++(RankId& rank) {
  return rank = rank + 1;
}
/// The operation of a rank whose first one has the number `first`.
constexpr OpNumber operator+(OpNumber first, OpId op) {
  return OpNumber{raw(first) + raw(op)};
}

}  // namespace heddle::replay
