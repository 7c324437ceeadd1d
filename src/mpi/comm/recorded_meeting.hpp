// Who makes collective calls together, for the recording of a run.
#pragma once

#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {

/// The running thread makes a call together with the other members; nothing if nobody records.
void record_meeting(const Communicator& communicator);

}  // namespace heddle::mpi
