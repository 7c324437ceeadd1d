// From which size on messages wait for their receiver, as far as curves show it.
#pragma once

#include "calibrate/measurement.hpp"

namespace heddle::calibrate {

struct EagerStep {
  std::int64_t limit = 0;  ///< Messages of fewer bytes travel at once.
  bool seen = false;       ///< Else it is a guess.
  std::string why;
};

/// Looks for the step that a change of protocol leaves in the latency or between the messages of a
/// window (`gaps`, in seconds, by the points of `stream`, which may be null).
EagerStep find_eager_step(const Measurement& latency, const Measurement* stream,
                          const std::vector<double>& gaps);

}  // namespace heddle::calibrate
