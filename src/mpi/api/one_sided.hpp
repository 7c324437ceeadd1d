// Calls of one-sided communication, whatever their form: arguments as the program gives them.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace heddle::mpi::one_sided {

/// One side of an operation.
struct Side {
  const void* address;
  std::int64_t count;
  MPI_Datatype type;
};
struct RemoteSide {
  int rank;
  MPI_Aint displacement;
  std::int64_t count;
  MPI_Datatype type;
};

/// Calls of the running rank with a name; as a request if `request` is not null.
int put(const char* name, const Side& origin, const RemoteSide& target, MPI_Win win,
        MPI_Request* request = nullptr);
int get(const char* name, const Side& origin, const RemoteSide& target, MPI_Win win,
        MPI_Request* request = nullptr);
int accumulate(const char* name, const Side& origin, const RemoteSide& target, MPI_Op op,
               MPI_Win win, MPI_Request* request = nullptr);
int get_accumulate(const char* name, const Side& origin, const Side& result,
                   const RemoteSide& target, MPI_Op op, MPI_Win win,
                   MPI_Request* request = nullptr);

}  // namespace heddle::mpi::one_sided
