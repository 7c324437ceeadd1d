// What this process takes of the computer it runs on.
#pragma once

#include "core/quantity.hpp"

namespace heddle::run {

/// What a run took of the machine it ran on.
struct HostUse {
  double processor_seconds = 0;
  Bytes memory;  ///< What the run added to the process at its largest, with its page tables.
};

/// Of the process, from its beginning to now; the memory at its largest.
HostUse usage();

}  // namespace heddle::run
