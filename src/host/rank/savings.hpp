// What ranks of a job leave out because others have done it, or have it.
#pragma once

#include "host/memory/folded_memory.hpp"
#include "host/rank/samples.hpp"

namespace heddle::host {

/// Of one job, as its programs ask for it.
struct Savings {
  Samples samples;      ///< Of code that is carried out a few times only.
  FoldedMemory memory;  ///< Of which all ranks have the same.
};

}  // namespace heddle::host
