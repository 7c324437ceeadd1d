// What the extern "C" functions of collectives have in common.
#pragma once

#include "mpi/api/call.hpp"
#include "mpi/collectives/calls.hpp"

namespace heddle::mpi::collectives {

/// The forms of MPI_Ibcast and of MPI_Bcast_init.
inline How at_once(MPI_Request* request) {
  need(request, "request");
  return {How::Mode::nonblocking, request};
}
inline How when_started(MPI_Request* request) {
  need(request, "request");
  return {How::Mode::persistent, request};
}

/// A collective call on a communicator.
template <class Body>
int collective(const char* name, MPI_Comm comm, const Body& body) {
  return call(name, on_comm(comm), [&](Process& process) { body(communicator(process, comm)); });
}

}  // namespace heddle::mpi::collectives
