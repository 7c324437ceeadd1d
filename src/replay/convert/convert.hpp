// MPI traces made into schedules.
//
// The time between two calls becomes a calc. Blocking messages wait for what was before and hold up
// what comes after; others hold up only the call that waits for their request. Collective
// operations become the messages of one named algorithm. What a schedule cannot express is an
// error, or a warning that is counted.
#pragma once

#include "replay/convert/config.hpp"
#include "replay/convert/trace.hpp"
#include "replay/schedule.hpp"

namespace heddle::replay {

struct Conversion {
  Schedule schedule;
  ConversionReport report;
};

/// Throws InputError with the place in the trace.
Conversion convert(const Trace& trace, const ConvertConfig& config);

}  // namespace heddle::replay
