// Which parameters of traffic make no difference beside the others.
#pragma once

#include <string>
#include <string_view>

#include "traffic/traffic_config.hpp"

namespace heddle::traffic {

/// Why the parameter called `name` (without its section) has no effect under `config`, as in "the
/// loop is closed"; "" if it may have one.
std::string idle_reason(const TrafficConfig& config, std::string_view name);

}  // namespace heddle::traffic
