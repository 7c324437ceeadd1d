// Calls in the place of messages whose number depends on that of the ranks.
#pragma once

#include <cstdint>

#include "traces/trace.hpp"

namespace heddle::traces {

/// Makes one call of each agreement of all ranks and of each collective of some, whatever messages
/// they took; a collective's `comm` is the number of its group plus 1. The requests that are left
/// get new numbers, and waits name them in lists.
void simplify(RankTrace& trace, std::int64_t rank, std::int64_t ranks);

/// Ranks agree on something by messages in rounds: a barrier that has a tag stands for them.
inline bool is_agreement(const Call& call) {
  return call.kind == CallKind::barrier && call.tag != 0;
}

}  // namespace heddle::traces
