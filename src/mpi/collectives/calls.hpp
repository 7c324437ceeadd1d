// The collective calls, whatever their form: arguments as the program gives them.
#pragma once

#include <mpi.h>

#include "coll/algorithms/blocks.hpp"
#include "mpi/collectives/perform.hpp"

namespace heddle::mpi::collectives {

/// A buffer argument: the same for all forms of a call.
struct Given {
  const void* address = nullptr;
  std::int64_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  bool in_place() const { return address == MPI_IN_PLACE; }
};
/// One with blocks of different lengths.
struct GivenBlocks {
  const void* address = nullptr;
  PerRank counts;
  PerRank displacements;  ///< In elements.
  MPI_Datatype type = MPI_DATATYPE_NULL;
  bool in_place() const { return address == MPI_IN_PLACE; }
};
/// One with blocks of different types.
struct GivenMixed {
  const void* address = nullptr;
  PerRank counts;
  PerRank displacements;  ///< In bytes.
  const MPI_Datatype* types = nullptr;
  bool in_place() const { return address == MPI_IN_PLACE; }
};
/// The data of a reduction.
struct GivenReduction {
  const void* send = nullptr;
  void* receive = nullptr;
  std::int64_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  bool in_place() const { return send == MPI_IN_PLACE; }
};

// All throw Error for arguments that cannot be.

void barrier(Communicator& comm, const How& how);
void bcast(Communicator& comm, const How& how, const Given& data, int root);
void gather(Communicator& comm, const How& how, const Given& send, const Given& receive, int root);
void gatherv(Communicator& comm, const How& how, const Given& send, const GivenBlocks& receive,
             int root);
void scatter(Communicator& comm, const How& how, const Given& send, const Given& receive, int root);
void scatterv(Communicator& comm, const How& how, const GivenBlocks& send, const Given& receive,
              int root);
void allgather(Communicator& comm, const How& how, const Given& send, const Given& receive);
void allgatherv(Communicator& comm, const How& how, const Given& send, const GivenBlocks& receive);
void alltoall(Communicator& comm, const How& how, const Given& send, const Given& receive);
void alltoallv(Communicator& comm, const How& how, const GivenBlocks& send,
               const GivenBlocks& receive);
void alltoallw(Communicator& comm, const How& how, const GivenMixed& send,
               const GivenMixed& receive);
void reduce(Communicator& comm, const How& how, const GivenReduction& data, int root);
void allreduce(Communicator& comm, const How& how, const GivenReduction& data);
/// `data.count` is not used.
void reduce_scatter(Communicator& comm, const How& how, const GivenReduction& data,
                    const PerRank& counts);
void reduce_scatter_block(Communicator& comm, const How& how, const GivenReduction& data);
void scan(Communicator& comm, const How& how, const GivenReduction& data);
void exscan(Communicator& comm, const How& how, const GivenReduction& data);

void neighbor_allgather(Communicator& comm, const How& how, const Given& send,
                        const Given& receive);
void neighbor_allgatherv(Communicator& comm, const How& how, const Given& send,
                         const GivenBlocks& receive);
void neighbor_alltoall(Communicator& comm, const How& how, const Given& send, const Given& receive);
void neighbor_alltoallv(Communicator& comm, const How& how, const GivenBlocks& send,
                        const GivenBlocks& receive);
void neighbor_alltoallw(Communicator& comm, const How& how, const GivenMixed& send,
                        const GivenMixed& receive);

}  // namespace heddle::mpi::collectives
