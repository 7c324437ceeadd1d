// Collective operations of a trace: the calls that belong together, and their messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "goal/patterns/side.hpp"
#include "traces/convert/communicators.hpp"
#include "traces/convert/config.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// The i-th collective calls of all members of a communicator belong together.
class Collectives {
 public:
  /// Throws InputError where members call different things.
  Collectives(const Trace& trace, const Communicators& communicators);

  std::uint32_t count(std::uint32_t comm) const {
    return calls_[comm].empty() ? 0 : static_cast<std::uint32_t>(calls_[comm][0].size());
  }
  /// Calls whose sizes another member's call contradicts: how many, and what the first says.
  struct Contradictions {
    std::uint64_t count = 0;
    std::string first;
  };
  const Contradictions& contradictions() const { return contradictions_; }

  /// The call of a member, as an index into its rank's calls.
  std::uint32_t call(std::uint32_t comm, std::uint32_t number, std::uint32_t member) const {
    return calls_[comm][member][number];
  }

 private:
  void collect(const Trace& trace, const Communicators& communicators);
  void check(const Trace& trace, const Communicators& communicators, std::uint32_t comm) const;
  void compare_sizes(const Trace& trace, const Communicators& communicators, std::uint32_t comm);

  std::vector<std::vector<std::vector<std::uint32_t>>> calls_;  ///< By communicator and member.
  Contradictions contradictions_;
};

/// One collective operation, seen by all of its members.
struct Collective {
  const Trace& trace;
  const std::vector<std::uint32_t>& members;
  const Collectives& collectives;
  std::uint32_t comm;
  std::uint32_t number;

  Call call(std::uint32_t member) const {
    return trace.ranks[members[member]].calls[collectives.call(comm, number, member)];
  }
  const RankTrace& rank(std::uint32_t member) const { return trace.ranks[members[member]]; }
};

/// Writes one member's messages.
void expand(const goal::Side& side, const Collective& collective, const ConvertConfig& config);

}  // namespace heddle::traces
