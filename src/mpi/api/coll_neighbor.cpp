// Collective calls among neighbours.
#include "mpi/api/collective.hpp"

using namespace heddle::mpi;
using namespace heddle::mpi::collectives;

extern "C" {

int PMPI_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Neighbor_allgather", comm, [&](Communicator& c) {
    collectives::neighbor_allgather(c, {}, {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request* request) {
  return collective("MPI_Ineighbor_allgather", comm, [&](Communicator& c) {
    collectives::neighbor_allgather(c, at_once(request), {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info, MPI_Request* request) {
  return collective("MPI_Neighbor_allgather_init", comm, [&](Communicator& c) {
    collectives::neighbor_allgather(c, when_started(request), {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Neighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm) {
  return collective("MPI_Neighbor_allgather_c", comm, [&](Communicator& c) {
    collectives::neighbor_allgather(c, {}, {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Ineighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                               MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ineighbor_allgather_c", comm, [&](Communicator& c) {
    collectives::neighbor_allgather(c, at_once(request), {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Neighbor_allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                   MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Neighbor_allgather_init_c", comm, [&](Communicator& c) {
    collectives::neighbor_allgather(c, when_started(request), {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype});
  });
}

int PMPI_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const int* recvcounts, const int* displs,
                             MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Neighbor_allgatherv", comm, [&](Communicator& c) {
    collectives::neighbor_allgatherv(c, {}, {sendbuf, sendcount, sendtype},
                                     {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, const int* recvcounts, const int* displs,
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ineighbor_allgatherv", comm, [&](Communicator& c) {
    collectives::neighbor_allgatherv(c, at_once(request), {sendbuf, sendcount, sendtype},
                                     {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, const int* recvcounts, const int* displs,
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                                  MPI_Request* request) {
  return collective("MPI_Neighbor_allgatherv_init", comm, [&](Communicator& c) {
    collectives::neighbor_allgatherv(c, when_started(request), {sendbuf, sendcount, sendtype},
                                     {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Neighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs,
                               MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Neighbor_allgatherv_c", comm, [&](Communicator& c) {
    collectives::neighbor_allgatherv(c, {}, {sendbuf, sendcount, sendtype},
                                     {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Ineighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ineighbor_allgatherv_c", comm, [&](Communicator& c) {
    collectives::neighbor_allgatherv(c, at_once(request), {sendbuf, sendcount, sendtype},
                                     {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Neighbor_allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                    void* recvbuf, const MPI_Count* recvcounts,
                                    const MPI_Aint* displs, MPI_Datatype recvtype, MPI_Comm comm,
                                    MPI_Info, MPI_Request* request) {
  return collective("MPI_Neighbor_allgatherv_init_c", comm, [&](Communicator& c) {
    collectives::neighbor_allgatherv(c, when_started(request), {sendbuf, sendcount, sendtype},
                                     {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}

int PMPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Neighbor_alltoall", comm, [&](Communicator& c) {
    collectives::neighbor_alltoall(c, {}, {sendbuf, sendcount, sendtype},
                                   {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request* request) {
  return collective("MPI_Ineighbor_alltoall", comm, [&](Communicator& c) {
    collectives::neighbor_alltoall(c, at_once(request), {sendbuf, sendcount, sendtype},
                                   {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info, MPI_Request* request) {
  return collective("MPI_Neighbor_alltoall_init", comm, [&](Communicator& c) {
    collectives::neighbor_alltoall(c, when_started(request), {sendbuf, sendcount, sendtype},
                                   {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Neighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             MPI_Comm comm) {
  return collective("MPI_Neighbor_alltoall_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoall(c, {}, {sendbuf, sendcount, sendtype},
                                   {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Ineighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ineighbor_alltoall_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoall(c, at_once(request), {sendbuf, sendcount, sendtype},
                                   {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Neighbor_alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Neighbor_alltoall_init_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoall(c, when_started(request), {sendbuf, sendcount, sendtype},
                                   {recvbuf, recvcount, recvtype});
  });
}

int PMPI_Neighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls,
                            MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                            const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Neighbor_alltoallv", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallv(c, {},
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Ineighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls,
                             MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                             const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request* request) {
  return collective("MPI_Ineighbor_alltoallv", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallv(c, at_once(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Neighbor_alltoallv_init(const void* sendbuf, const int* sendcounts, const int* sdispls,
                                 MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                                 const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                                 MPI_Request* request) {
  return collective("MPI_Neighbor_alltoallv_init", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallv(c, when_started(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Neighbor_alltoallv_c(const void* sendbuf, const MPI_Count* sendcounts,
                              const MPI_Aint* sdispls, MPI_Datatype sendtype, void* recvbuf,
                              const MPI_Count* recvcounts, const MPI_Aint* rdispls,
                              MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Neighbor_alltoallv_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallv(c, {},
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Ineighbor_alltoallv_c(const void* sendbuf, const MPI_Count* sendcounts,
                               const MPI_Aint* sdispls, MPI_Datatype sendtype, void* recvbuf,
                               const MPI_Count* recvcounts, const MPI_Aint* rdispls,
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ineighbor_alltoallv_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallv(c, at_once(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Neighbor_alltoallv_init_c(const void* sendbuf, const MPI_Count* sendcounts,
                                   const MPI_Aint* sdispls, MPI_Datatype sendtype, void* recvbuf,
                                   const MPI_Count* recvcounts, const MPI_Aint* rdispls,
                                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                                   MPI_Request* request) {
  return collective("MPI_Neighbor_alltoallv_init_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallv(c, when_started(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}

int PMPI_Neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                            const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                            const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return collective("MPI_Neighbor_alltoallw", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallw(c, {},
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Ineighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                             const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                             const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                             MPI_Request* request) {
  return collective("MPI_Ineighbor_alltoallw", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallw(c, at_once(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Neighbor_alltoallw_init(const void* sendbuf, const int* sendcounts,
                                 const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
                                 void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls,
                                 const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info,
                                 MPI_Request* request) {
  return collective("MPI_Neighbor_alltoallw_init", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallw(c, when_started(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Neighbor_alltoallw_c(const void* sendbuf, const MPI_Count* sendcounts,
                              const MPI_Aint* sdispls, const MPI_Datatype* sendtypes, void* recvbuf,
                              const MPI_Count* recvcounts, const MPI_Aint* rdispls,
                              const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return collective("MPI_Neighbor_alltoallw_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallw(c, {},
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Ineighbor_alltoallw_c(const void* sendbuf, const MPI_Count* sendcounts,
                               const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
                               void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* rdispls,
                               const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ineighbor_alltoallw_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallw(c, at_once(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Neighbor_alltoallw_init_c(const void* sendbuf, const MPI_Count* sendcounts,
                                   const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
                                   void* recvbuf, const MPI_Count* recvcounts,
                                   const MPI_Aint* rdispls, const MPI_Datatype* recvtypes,
                                   MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Neighbor_alltoallw_init_c", comm, [&](Communicator& c) {
    collectives::neighbor_alltoallw(c, when_started(request),
                                    {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                                    {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}

}  // extern "C"
