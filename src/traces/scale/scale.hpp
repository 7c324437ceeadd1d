// Traces of a program on few ranks, made into one of many.
//
// Ranks stand in a grid of up to three dimensions, as even as their number allows. Those that have
// neighbours on the same sides must do the same calls in the same order, in all traces. The peer of
// a message is a neighbour in the grid, a fixed rank, or the rank mirrored at the diagonal; the
// ranks of a collective are all, a row or a plane; sizes and computation are a constant times
// powers of the grid's sides. What does not fit is refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/trace.hpp"

namespace heddle::traces {

struct ScaleOptions {
  std::uint32_t ranks = 0;         ///< Of the trace that is made.
  double size_tolerance = 0.02;    ///< By which sizes may miss the law that they seem to follow,
  double compute_tolerance = 0.1;  ///< and computation its own.
};

struct Scaled {
  /// Collectives of some ranks are calls whose `comm` is the number of their group plus 1.
  Trace trace;
  std::vector<std::string> found;  ///< What was found, in sentences.
};

/// `traces` are of different numbers of ranks, all calls on the world. Throws InputError that names
/// the call which could not be fitted.
Scaled scale(const std::vector<Trace>& traces, const ScaleOptions& options);

}  // namespace heddle::traces
