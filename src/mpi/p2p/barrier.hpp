// A barrier for calls that need no more than one.
#pragma once

#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {

/// Returns when all members of the communicator, which nobody else uses, have come here.
void wait_for_all(Communicator& communicator, const Blocked& reason);

}  // namespace heddle::mpi
