// Overrides: other values for the cables or nodes that a pattern selects.
#pragma once

#include <vector>

#include "platform/machine.hpp"

namespace heddle::platform {

/// Throws InputError unless every value names a parameter of the target and is accepted by it: of a
/// link for cables, of a node or its nic for nodes.
void check_override(const Override& change);

/// Applies the overrides in their order. Throws InputError for a pattern that selects nothing.
void apply_overrides(Platform& platform, const std::vector<Override>& changes);

}  // namespace heddle::platform
