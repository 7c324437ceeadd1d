// MPI traces made into schedules.
//
// The time between two calls becomes a calc. Blocking messages wait for what was before and hold up
// what comes after; others hold up only the call that waits for their request. Collective
// operations become the messages of one named algorithm. What a schedule cannot express is an
// error, or a warning that is counted.
#pragma once

#include "goal/schedule.hpp"
#include "traces/convert/config.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

struct Conversion {
  goal::Schedule schedule;
  ConversionReport report;
};

/// Throws InputError with the place in the trace.
Conversion convert(const Trace& trace, const ConvertConfig& config);

}  // namespace heddle::traces
