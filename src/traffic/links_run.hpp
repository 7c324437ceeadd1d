// Traffic over `links`: all flows first, then their times.
#pragma once

#include "traffic/pattern.hpp"
#include "traffic/sweep.hpp"

namespace heddle::traffic {

/// Runs one load of an open loop.
TrafficResult run_open_links(const Sweep& sweep, const Load& load, const Pattern& pattern,
                             const RandomStream& random);
/// Runs messages whose times are known.
TrafficResult run_file_links(const Sweep& sweep, const std::vector<FileMessage>& messages);

}  // namespace heddle::traffic
