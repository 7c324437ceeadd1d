// The laws that calls of ranks of one kind follow, over all traces.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/scale/rank_kind.hpp"
#include "traces/scale/scale.hpp"

namespace heddle::traces {

/// What is known of a call that ranks of one kind make.
struct FittedCall {
  Law compute;
  Law again;  ///< The same in further rounds.
  Law bytes;
  Law others;
  Law member;  ///< Of lists that have something for each member.
  Growth growth = Growth::none;
  std::vector<Relation> peers;  ///< What the peer may be, the likeliest first.
  Relation peer;
  Relation source;
  std::vector<std::uint64_t> back;  ///< The requests that a wait names, as requests_back().
  std::uint32_t slice = 0;          ///< Dimensions of the group of a collective of some ranks.
};

/// What a rank of one kind does in any grid.
struct FittedKind {
  Looped first;                   ///< One that does it.
  std::vector<CountLaw> rounds;   ///< By loop.
  std::vector<FittedCall> calls;  ///< Loops counted once.
};

/// Throws InputError that names the call which follows no law.
FittedKind fit_kind(const RankKind& kind, const AllKinds& all, const ScaleOptions& options);

}  // namespace heddle::traces
