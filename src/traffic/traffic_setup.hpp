// What a run of traffic needs first.
#pragma once

#include <memory>

#include "core/random.hpp"
#include "platform/platform.hpp"
#include "traffic/pattern.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::traffic {

/// Checked, and with the distribution of its file.
TrafficConfig complete(TrafficConfig config);

/// The pattern, on the grid of the machine if it has one and no other is asked for.
std::unique_ptr<const Pattern> pattern_for(TrafficConfig config, const platform::Platform& platform,
                                           const RandomStream& random);

}  // namespace heddle::traffic
