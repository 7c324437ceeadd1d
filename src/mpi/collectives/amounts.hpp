// What a rank gives to a collective operation and gets from it, for who records calls.
#pragma once

#include "coll/algorithms/algorithm.hpp"
#include "mpi/call_log.hpp"

namespace heddle::mpi::collectives {

using namespace coll;  // What collectives are made of.

CollectiveAmounts amounts(const Barrier& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Bcast& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Gather& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Scatter& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Allgather& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Alltoall& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Reduce& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Allreduce& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const ReduceScatter& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Scan& work, Collective collective, const Steps& steps);
CollectiveAmounts amounts(const Neighbours& work, Collective collective, const Steps& steps);

}  // namespace heddle::mpi::collectives
