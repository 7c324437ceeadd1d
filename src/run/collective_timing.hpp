// How long one collective operation takes on a machine.
#pragma once

#include <optional>

#include "coll/rules/operation.hpp"
#include "run/program_run.hpp"

namespace heddle::run {

/// One operation of all ranks. `bytes` are those of the data of a broadcast or reduction, of one
/// block of the others.
struct CollectiveCase {
  coll::Collective collective = coll::Collective::allreduce;
  std::uint32_t ranks = 1;
  Bytes bytes = {};
};

/// Whether operations of this kind can be timed.
bool can_time(coll::Collective collective);

/// The calls of all ranks: a barrier and then, if `with_operation`, the operation.
traces::Trace calls_of(const CollectiveCase& operation, bool with_operation);

/// When the last rank has ended that makes those calls, where ranks are as `placement` has them;
/// nothing if that is later than `limit`. What the ranks call is all that is simulated. A run that
/// is given up keeps its memory: with a limit, to be called in a process that ends soon.
std::optional<Time> end_of_calls(const platform::Platform& platform, const Settings& settings,
                                 const RunConfig& placement, const traces::Trace& calls,
                                 Time limit = Time::never());

}  // namespace heddle::run
