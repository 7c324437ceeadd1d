// The worlds of a run.
#pragma once

#include <vector>

#include "platform/platform.hpp"
#include "run/world.hpp"

namespace heddle::run {

struct RunConfig;

/// What each consists of. Throws InputError if nodes are asked for that there are not, ParamError
/// if worlds apart would share some.
std::vector<WorldConfig> world_configs(const platform::Platform& platform, const RunConfig& config);

}  // namespace heddle::run
