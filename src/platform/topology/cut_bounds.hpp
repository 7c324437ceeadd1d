// The narrowest of several cuts through a regular fabric.
#pragma once

#include <vector>

#include "platform/topology.hpp"

namespace heddle::platform {

/// No cut into halves is narrower than the narrowest of a fabric's bounds.
struct CutBound {
  RunCut cut;
  bool reached = true;  ///< A cut of just this width exists.
};

/// The narrowest of the bounds, given what a cable of each run carries, if it is reached.
inline std::optional<RunCut> narrowest_reached(const std::vector<CutBound>& bounds,
                                               const std::vector<Bandwidth>& by_run) {
  const CutBound* best = nullptr;
  __int128 least = 0;
  for (const CutBound& bound : bounds) {
    const __int128 width =
        static_cast<__int128>(by_run[bound.cut.run].bits_per_second()) * bound.cut.cables;
    if (best != nullptr && (width > least || (width == least && !bound.reached))) continue;
    best = &bound;
    least = width;
  }
  return best != nullptr && best->reached ? std::optional(best->cut) : std::nullopt;
}

}  // namespace heddle::platform
