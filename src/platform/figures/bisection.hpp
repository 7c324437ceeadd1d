// A narrow cut between two halves of the nodes, for fabrics without a formula for it.
#pragma once

#include <optional>

#include "platform/figures/metrics.hpp"

namespace heddle::platform {

/// The narrowest cut found between halves of the nodes (of equal size, or one apart): an upper
/// bound of the bisection. Tries halves by number, by place in a drawing, grown from both ends of
/// the fabric, and those that the topology proposes, and improves them by exchanging switches with
/// their nodes (after Kernighan and Lin); the same in every run. Nothing if a link of the fabric
/// has no fixed ends, there are fewer than two nodes, or so many links that the search would take
/// long.
std::optional<Bisection> narrowest_cut_found(const Platform& platform);

}  // namespace heddle::platform
