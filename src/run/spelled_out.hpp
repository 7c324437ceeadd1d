// Collectives of a trace, spelled out as the messages they take.
#pragma once

#include "coll/rules/coll_config.hpp"
#include "traces/trace.hpp"

namespace heddle::run {

/// Which collectives.
enum class Spelled : std::uint8_t {
  some_ranks,  ///< Those whose `comm` is the number of a group of ranks plus 1.
  all,
};

/// Puts the messages in their places that MPI's algorithms take: those that the parameters choose
/// for ranks on nodes of their own. Throws InputError for an algorithm that is not there.
void spell_out(traces::Trace& trace, const coll::CollConfig& config, Spelled which);

}  // namespace heddle::run
