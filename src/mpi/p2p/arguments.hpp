// The arguments of point-to-point calls, looked at before anything happens.
#pragma once

#include <mpi.h>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// Throw Error for arguments that cannot be.
PointCall send_arguments(Process& process, const void* buffer, MPI_Count count, MPI_Datatype type,
                         int dest, int tag, MPI_Comm comm);
PointCall receive_arguments(Process& process, void* buffer, MPI_Count count, MPI_Datatype type,
                            int source, int tag, MPI_Comm comm);
/// Source and tag of a probe.
void check_source_and_tag(const Communicator& communicator, int source, int tag);

/// Fills a status; MPI_ERROR stays as it is.
void fill_status(MPI_Status& status, const Outcome& outcome);
/// The same unless it is to be ignored.
inline void set_status(MPI_Status* status, const Outcome& outcome) {
  if (status != MPI_STATUS_IGNORE) fill_status(*status, outcome);
}
/// The same with the error.
void set_status_with_error(MPI_Status* status, const Outcome& outcome);

}  // namespace heddle::mpi
