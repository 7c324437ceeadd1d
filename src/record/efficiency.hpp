// How well a run uses its ranks, as the POP project defines it.
#pragma once

#include "record/recording.hpp"

namespace heddle::record {

/// parallel = load_balance * serialisation * transfer. Computation is what is useful.
struct Efficiency {
  double parallel = 0;      ///< The mean of what ranks compute, of the length of the run.
  double load_balance = 0;  ///< The same of the longest that one computes.
  double serialisation =
      0;                ///< That, of what the run would take if messages and calls took no time.
  double transfer = 0;  ///< And that, of the length of the run.
  Time ideal;           ///< What the run would take so.
  bool known = false;   ///< Something was computed.
};

/// Plays the recording once more, with computation, sleep and files as long as they were, and
/// messages and calls of no length.
Efficiency find_efficiency(const Recording& recorder);

}  // namespace heddle::record
