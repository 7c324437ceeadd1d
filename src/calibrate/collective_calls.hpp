// The collectives that benchmarks call, by their names.
#pragma once

#include <mpi.h>

#include "coll/rules/operation.hpp"

namespace heddle::calibrate {

/// What all ranks of MPI_COMM_WORLD call, of so many bytes of each. Buffers are addresses that
/// nothing is read from or written to.
struct CollectiveCall {
  coll::Collective collective;
  const void* out;
  void* in;
  MPI_Count bytes;
  int ranks;

  void perform() const;
  /// Starts it without waiting for it.
  void start(MPI_Request* request) const;
};

}  // namespace heddle::calibrate
