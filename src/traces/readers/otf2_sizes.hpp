// How much each member of a collective gives, of what an OTF2 archive says of it.
#pragma once

#include <cstdint>

#include "traces/readers/otf2_events.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// What a member sent and received, and its place.
struct Otf2Volume {
  Otf2Operation operation = Otf2Operation::others;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t members = 1;
  std::uint64_t member = 0;
  bool own = false;  ///< `sent` is a member's own part; else what goes to all members, with itself.
};

/// Its kind of call; finalize for what moves nothing.
CallKind kind_of(Otf2Operation operation);
/// Call::bytes: what the member adds, gets by a scatter, or sends to each other member.
std::uint64_t member_bytes(const Otf2Volume& volume);
/// Whether the sizes of the single messages are not known, but only their sum.
constexpr bool only_sum(Otf2Operation operation) {
  return operation == Otf2Operation::alltoallv || operation == Otf2Operation::alltoallw ||
         operation == Otf2Operation::reduce_scatter;
}

}  // namespace heddle::traces
