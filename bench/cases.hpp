// The groups of cases, one file each.
#pragma once

#include "harness.hpp"

namespace heddle::bench {

void add_core_cases(Suite& suite);  ///< core_bench.cpp: events, fibers.

}  // namespace heddle::bench
