// Messages that are longer than what was made ready for them.
#pragma once

#include <mpi.h>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// Throws MPI_ERR_TRUNCATE.
[[noreturn]] void throw_truncation(const Outcome& outcome, const PointCall& call);
/// The same for an outcome that says so.
inline void check_truncation(const Outcome& outcome, const PointCall& call) {
  if (outcome.error == MPI_ERR_TRUNCATE) throw_truncation(outcome, call);
}

}  // namespace heddle::mpi
