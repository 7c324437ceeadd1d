#include "calibrate/collective_calls.hpp"

namespace heddle::calibrate {
namespace {

using coll::Collective;
constexpr MPI_Comm kAllRanks = MPI_COMM_WORLD;

}  // namespace

void CollectiveCall::perform() const {
  const bool floats = bytes % 4 == 0;
  const MPI_Datatype type = floats ? MPI_FLOAT : MPI_BYTE;
  const MPI_Op op = floats ? MPI_SUM : MPI_BOR;
  const MPI_Count n = floats ? bytes / 4 : bytes;
  switch (collective) {
    case Collective::barrier:
      PMPI_Barrier(kAllRanks);
      return;
    case Collective::bcast:
      PMPI_Bcast_c(in, n, type, 0, kAllRanks);
      return;
    case Collective::reduce:
      PMPI_Reduce_c(out, in, n, type, op, 0, kAllRanks);
      return;
    case Collective::allreduce:
      PMPI_Allreduce_c(out, in, n, type, op, kAllRanks);
      return;
    case Collective::gather:
    case Collective::gatherv:
      PMPI_Gather_c(out, n, type, in, n, type, 0, kAllRanks);
      return;
    case Collective::scatter:
    case Collective::scatterv:
      PMPI_Scatter_c(out, n, type, in, n, type, 0, kAllRanks);
      return;
    case Collective::allgather:
    case Collective::allgatherv:
      PMPI_Allgather_c(out, n, type, in, n, type, kAllRanks);
      return;
    case Collective::alltoall:
    case Collective::alltoallv:
      PMPI_Alltoall_c(out, n, type, in, n, type, kAllRanks);
      return;
    default:
      PMPI_Reduce_scatter_block_c(out, in, n / ranks, type, op, kAllRanks);
  }
}

void CollectiveCall::start(MPI_Request* request) const {
  const bool floats = bytes % 4 == 0;
  const MPI_Datatype type = floats ? MPI_FLOAT : MPI_BYTE;
  const MPI_Op op = floats ? MPI_SUM : MPI_BOR;
  const MPI_Count n = floats ? bytes / 4 : bytes;
  switch (collective) {
    case Collective::barrier:
      PMPI_Ibarrier(kAllRanks, request);
      return;
    case Collective::bcast:
      PMPI_Ibcast_c(in, n, type, 0, kAllRanks, request);
      return;
    case Collective::reduce:
      PMPI_Ireduce_c(out, in, n, type, op, 0, kAllRanks, request);
      return;
    case Collective::allreduce:
      PMPI_Iallreduce_c(out, in, n, type, op, kAllRanks, request);
      return;
    case Collective::gather:
    case Collective::gatherv:
      PMPI_Igather_c(out, n, type, in, n, type, 0, kAllRanks, request);
      return;
    case Collective::scatter:
    case Collective::scatterv:
      PMPI_Iscatter_c(out, n, type, in, n, type, 0, kAllRanks, request);
      return;
    case Collective::allgather:
    case Collective::allgatherv:
      PMPI_Iallgather_c(out, n, type, in, n, type, kAllRanks, request);
      return;
    case Collective::alltoall:
    case Collective::alltoallv:
      PMPI_Ialltoall_c(out, n, type, in, n, type, kAllRanks, request);
      return;
    default:
      PMPI_Ireduce_scatter_block_c(out, in, n / ranks, type, op, kAllRanks, request);
  }
}

}  // namespace heddle::calibrate
