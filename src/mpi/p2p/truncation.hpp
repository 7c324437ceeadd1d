// Messages that are longer than what was made ready for them.
#pragma once

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// Throws MPI_ERR_TRUNCATE for an outcome that says so.
void check_truncation(const Outcome& outcome, const PointCall& call);

}  // namespace heddle::mpi
