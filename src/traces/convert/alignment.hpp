// Where inside the calls the messages of the "durations" mode happen.
//
// With the time inside MPI calls kept as compute, a rank that enters a call late would delay those
// that entered early although they spent that time waiting already: their durations contain it. So
// the ranks' clocks are followed through all calls together. A collective operation happens when
// its last member has entered it, a message when its sender has entered the send and, for a
// blocking send, its receiver has posted the receive; the part of a call's duration up to that
// instant is put before its messages, the rest behind them. Only where a call ends before the
// other side enters its own, which real clocks cannot show, does a rank have to wait.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/convert/communicators.hpp"
#include "traces/convert/posts.hpp"

namespace heddle::traces {

struct Alignment {
  std::vector<std::vector<std::int64_t>> before;  ///< By rank and call, in picoseconds.
  std::uint64_t forced = 0;  ///< Calls that could not wait for their counterpart's turn.
  std::int64_t waited = 0;   ///< Picoseconds that ranks have to wait all the same.
};

Alignment align(const Trace& trace, const Communicators& communicators,
                const std::vector<RankPosts>& ranks,
                const std::vector<std::vector<Counterpart>>& pairs);

}  // namespace heddle::traces
