// Receives whose message an OTF2 archive does not tell.
//
// EZTrace often leaves out what a non-blocking receive has got. All messages that were sent are
// known, though, and so are those that other receives got: what is left for a rank goes to its
// receives without a message, in the order of their posting and in one in which the messages may
// have come (otf2_follower.hpp), by the clocks of their senders where that leaves a choice. All
// clocks begin where MPI was ready, which is about the same instant on all ranks.
#pragma once

#include <vector>

#include "traces/readers/otf2_calls.hpp"

namespace heddle::traces {

/// Gives them their messages, and takes back those for which none is left; both are counted.
void find_messages(const Otf2Definitions& definitions, std::vector<Otf2Rank>& ranks);

}  // namespace heddle::traces
