// Allgathers that know where ranks are.
#pragma once

#include "coll/algorithms/algorithm.hpp"

namespace heddle::coll {

void allgather_loose_rings(Steps& steps, const Allgather& work, const Tuning& tuning);
void allgather_smp_ring(Steps& steps, const Allgather& work, const Tuning& tuning);
void allgather_smp_simple(Steps& steps, const Allgather& work, const Tuning& tuning);
void allgather_smp(Steps& steps, const Allgather& work, const Tuning& tuning);
void allgather_by_switch(Steps& steps, const Allgather& work, const Tuning& tuning);

}  // namespace heddle::coll
