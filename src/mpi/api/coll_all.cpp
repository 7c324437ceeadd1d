// Collective calls that give everybody something of everybody's.
#include "mpi/api/collective.hpp"

using namespace heddle::mpi;
using namespace heddle::mpi::collectives;

extern "C" {

int PMPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Allgather", comm, [&](Communicator& c) {
    collectives::allgather(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iallgather", comm, [&](Communicator& c) {
    collectives::allgather(c, at_once(request), {sendbuf, sendcount, sendtype},
                           {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                        MPI_Request* request) {
  return collective("MPI_Allgather_init", comm, [&](Communicator& c) {
    collectives::allgather(c, when_started(request), {sendbuf, sendcount, sendtype},
                           {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Allgather_c", comm, [&](Communicator& c) {
    collectives::allgather(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Iallgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request* request) {
  return collective("MPI_Iallgather_c", comm, [&](Communicator& c) {
    collectives::allgather(c, at_once(request), {sendbuf, sendcount, sendtype},
                           {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                          void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                          MPI_Info, MPI_Request* request) {
  return collective("MPI_Allgather_init_c", comm, [&](Communicator& c) {
    collectives::allgather(c, when_started(request), {sendbuf, sendcount, sendtype},
                           {recvbuf, recvcount, recvtype});
  });
}

int PMPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int* recvcounts, const int* displs, MPI_Datatype recvtype,
                    MPI_Comm comm) {
  return collective("MPI_Allgatherv", comm, [&](Communicator& c) {
    collectives::allgatherv(c, {}, {sendbuf, sendcount, sendtype},
                            {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm,
                     MPI_Request* request) {
  return collective("MPI_Iallgatherv", comm, [&](Communicator& c) {
    collectives::allgatherv(c, at_once(request), {sendbuf, sendcount, sendtype},
                            {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int* recvcounts, const int* displs, MPI_Datatype recvtype,
                         MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Allgatherv_init", comm, [&](Communicator& c) {
    collectives::allgatherv(c, when_started(request), {sendbuf, sendcount, sendtype},
                            {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs,
                      MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Allgatherv_c", comm, [&](Communicator& c) {
    collectives::allgatherv(c, {}, {sendbuf, sendcount, sendtype},
                            {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Iallgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iallgatherv_c", comm, [&](Communicator& c) {
    collectives::allgatherv(c, at_once(request), {sendbuf, sendcount, sendtype},
                            {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}
int PMPI_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Allgatherv_init_c", comm, [&](Communicator& c) {
    collectives::allgatherv(c, when_started(request), {sendbuf, sendcount, sendtype},
                            {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype});
  });
}

int PMPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Alltoall", comm, [&](Communicator& c) {
    collectives::alltoall(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ialltoall", comm, [&](Communicator& c) {
    collectives::alltoall(c, at_once(request), {sendbuf, sendcount, sendtype},
                          {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                       MPI_Request* request) {
  return collective("MPI_Alltoall_init", comm, [&](Communicator& c) {
    collectives::alltoall(c, when_started(request), {sendbuf, sendcount, sendtype},
                          {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Alltoall_c", comm, [&](Communicator& c) {
    collectives::alltoall(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Ialltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                     MPI_Request* request) {
  return collective("MPI_Ialltoall_c", comm, [&](Communicator& c) {
    collectives::alltoall(c, at_once(request), {sendbuf, sendcount, sendtype},
                          {recvbuf, recvcount, recvtype});
  });
}
int PMPI_Alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Info, MPI_Request* request) {
  return collective("MPI_Alltoall_init_c", comm, [&](Communicator& c) {
    collectives::alltoall(c, when_started(request), {sendbuf, sendcount, sendtype},
                          {recvbuf, recvcount, recvtype});
  });
}

int PMPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls,
                   MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* rdispls,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Alltoallv", comm, [&](Communicator& c) {
    collectives::alltoallv(c, {}, {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Ialltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls,
                    MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* rdispls,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ialltoallv", comm, [&](Communicator& c) {
    collectives::alltoallv(c, at_once(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Alltoallv_init(const void* sendbuf, const int* sendcounts, const int* sdispls,
                        MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                        const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                        MPI_Request* request) {
  return collective("MPI_Alltoallv_init", comm, [&](Communicator& c) {
    collectives::alltoallv(c, when_started(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Alltoallv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                     MPI_Datatype sendtype, void* recvbuf, const MPI_Count* recvcounts,
                     const MPI_Aint* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  return collective("MPI_Alltoallv_c", comm, [&](Communicator& c) {
    collectives::alltoallv(c, {}, {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Ialltoallv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                      MPI_Datatype sendtype, void* recvbuf, const MPI_Count* recvcounts,
                      const MPI_Aint* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request* request) {
  return collective("MPI_Ialltoallv_c", comm, [&](Communicator& c) {
    collectives::alltoallv(c, at_once(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}
int PMPI_Alltoallv_init_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                          MPI_Datatype sendtype, void* recvbuf, const MPI_Count* recvcounts,
                          const MPI_Aint* rdispls, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                          MPI_Request* request) {
  return collective("MPI_Alltoallv_init_c", comm, [&](Communicator& c) {
    collectives::alltoallv(c, when_started(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtype},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtype});
  });
}

int PMPI_Alltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls,
                   const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                   const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return collective("MPI_Alltoallw", comm, [&](Communicator& c) {
    collectives::alltoallw(c, {}, {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Ialltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls,
                    const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                    const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                    MPI_Request* request) {
  return collective("MPI_Ialltoallw", comm, [&](Communicator& c) {
    collectives::alltoallw(c, at_once(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Alltoallw_init(const void* sendbuf, const int* sendcounts, const int* sdispls,
                        const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                        const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info,
                        MPI_Request* request) {
  return collective("MPI_Alltoallw_init", comm, [&](Communicator& c) {
    collectives::alltoallw(c, when_started(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Alltoallw_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                     const MPI_Datatype* sendtypes, void* recvbuf, const MPI_Count* recvcounts,
                     const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return collective("MPI_Alltoallw_c", comm, [&](Communicator& c) {
    collectives::alltoallw(c, {}, {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Ialltoallw_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                      const MPI_Datatype* sendtypes, void* recvbuf, const MPI_Count* recvcounts,
                      const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                      MPI_Request* request) {
  return collective("MPI_Ialltoallw_c", comm, [&](Communicator& c) {
    collectives::alltoallw(c, at_once(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}
int PMPI_Alltoallw_init_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                          const MPI_Datatype* sendtypes, void* recvbuf, const MPI_Count* recvcounts,
                          const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                          MPI_Info, MPI_Request* request) {
  return collective("MPI_Alltoallw_init_c", comm, [&](Communicator& c) {
    collectives::alltoallw(c, when_started(request),
                           {sendbuf, PerRank(sendcounts), PerRank(sdispls), sendtypes},
                           {recvbuf, PerRank(recvcounts), PerRank(rdispls), recvtypes});
  });
}

}  // extern "C"
