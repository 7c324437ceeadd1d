// The loops of benchmarks, run through the simulator.
#pragma once

#include <vector>

#include "calibrate/measurement.hpp"
#include "core/params.hpp"
#include "platform/platform.hpp"

namespace heddle::calibrate {

/// Whether the simulator has something to say beside what was measured; else why not.
std::string why_not_simulated(const Measurement& measurement);

/// How many ranks the loop has, and on each node. Throws InputError where the file does not say how
/// many took part.
struct LoopRanks {
  std::uint32_t ranks = 2;
  std::uint32_t per_node = 1;
};
/// Whether ranks of one node have their partners on another; else all ranks do the same.
bool in_pairs(Loop loop);
/// Whether they have to be asked for.
bool ranks_missing(const Measurement& measurement);
LoopRanks ranks_of(const Measurement& measurement);

/// What the simulator makes of each point, in the unit of the measurement. Real ones repeat a loop
/// a thousand times to be rid of noise; here each round is as long as the one before, so that two
/// are enough behind one to warm up.
std::vector<double> simulate(const platform::Platform& platform, const Settings& settings,
                             const Measurement& measurement);

}  // namespace heddle::calibrate
