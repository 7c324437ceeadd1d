// Open loops: traffic at an offered load, whatever becomes of it.
#pragma once

#include "traffic/pattern.hpp"
#include "traffic/sweep.hpp"

namespace heddle::traffic {

/// Runs one load of an open loop.
TrafficResult run_open(const Sweep& sweep, const Load& load, const Pattern& pattern,
                       const RandomStream& random);

}  // namespace heddle::traffic
