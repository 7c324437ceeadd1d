// Writes SimGrid's time-independent traces.
#pragma once

#include <cstdint>
#include <string>

#include "traces/trace.hpp"

namespace heddle::traces {

/// The actions of one rank of `ranks`, one per line, as TimeIndependentReader and SimGrid read
/// them. All calls must be on the world; time between them is written as so many flops per second.
std::string time_independent_text(const RankTrace& trace, std::uint32_t rank, std::uint32_t ranks,
                                  double flops_per_second);

}  // namespace heddle::traces
