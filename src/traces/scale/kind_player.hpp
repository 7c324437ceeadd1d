// Calls of ranks that no trace has, made of what was fitted.
#pragma once

#include <cstdint>

#include "traces/scale/kind_fit.hpp"

namespace heddle::traces {

/// What a rank of a larger grid does. Throws InputError where it lacks a peer.
RankTrace play_kind(const FittedKind& kind, const RankGrid& grid, std::uint32_t rank);

}  // namespace heddle::traces
