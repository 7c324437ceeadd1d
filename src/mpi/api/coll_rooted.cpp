// Collective calls with a root, and the barrier.
#include "mpi/api/collective.hpp"

using namespace heddle::mpi;
using namespace heddle::mpi::collectives;

extern "C" {

int PMPI_Barrier(MPI_Comm comm) {
  return collective("MPI_Barrier", comm, [&](Communicator& c) { collectives::barrier(c, {}); });
}
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ibarrier", comm,
                    [&](Communicator& c) { collectives::barrier(c, at_once(request)); });
}
int PMPI_Barrier_init(MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Barrier_init", comm,
                    [&](Communicator& c) { collectives::barrier(c, when_started(request)); });
}

int PMPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return collective("MPI_Bcast", comm, [&](Communicator& c) {
    collectives::bcast(c, {}, {buffer, count, datatype}, root);
  });
}
int PMPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                MPI_Request* request) {
  return collective("MPI_Ibcast", comm, [&](Communicator& c) {
    collectives::bcast(c, at_once(request), {buffer, count, datatype}, root);
  });
}
int PMPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                    MPI_Info, MPI_Request* request) {
  return collective("MPI_Bcast_init", comm, [&](Communicator& c) {
    collectives::bcast(c, when_started(request), {buffer, count, datatype}, root);
  });
}
int PMPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return collective("MPI_Bcast_c", comm, [&](Communicator& c) {
    collectives::bcast(c, {}, {buffer, count, datatype}, root);
  });
}
int PMPI_Ibcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                  MPI_Request* request) {
  return collective("MPI_Ibcast_c", comm, [&](Communicator& c) {
    collectives::bcast(c, at_once(request), {buffer, count, datatype}, root);
  });
}
int PMPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                      MPI_Info, MPI_Request* request) {
  return collective("MPI_Bcast_init_c", comm, [&](Communicator& c) {
    collectives::bcast(c, when_started(request), {buffer, count, datatype}, root);
  });
}

int PMPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return collective("MPI_Gather", comm, [&](Communicator& c) {
    collectives::gather(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                        root);
  });
}
int PMPI_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return collective("MPI_Igather", comm, [&](Communicator& c) {
    collectives::gather(c, at_once(request), {sendbuf, sendcount, sendtype},
                        {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                     MPI_Request* request) {
  return collective("MPI_Gather_init", comm, [&](Communicator& c) {
    collectives::gather(c, when_started(request), {sendbuf, sendcount, sendtype},
                        {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return collective("MPI_Gather_c", comm, [&](Communicator& c) {
    collectives::gather(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                        root);
  });
}
int PMPI_Igather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   MPI_Request* request) {
  return collective("MPI_Igather_c", comm, [&](Communicator& c) {
    collectives::gather(c, at_once(request), {sendbuf, sendcount, sendtype},
                        {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Gather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                       MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Gather_init_c", comm, [&](Communicator& c) {
    collectives::gather(c, when_started(request), {sendbuf, sendcount, sendtype},
                        {recvbuf, recvcount, recvtype}, root);
  });
}

int PMPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 const int* recvcounts, const int* displs, MPI_Datatype recvtype, int root,
                 MPI_Comm comm) {
  return collective("MPI_Gatherv", comm, [&](Communicator& c) {
    collectives::gatherv(c, {}, {sendbuf, sendcount, sendtype},
                         {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype}, root);
  });
}
int PMPI_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int* recvcounts, const int* displs, MPI_Datatype recvtype, int root,
                  MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Igatherv", comm, [&](Communicator& c) {
    collectives::gatherv(c, at_once(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype}, root);
  });
}
int PMPI_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      const int* recvcounts, const int* displs, MPI_Datatype recvtype, int root,
                      MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Gatherv_init", comm, [&](Communicator& c) {
    collectives::gatherv(c, when_started(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype}, root);
  });
}
int PMPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype,
                   int root, MPI_Comm comm) {
  return collective("MPI_Gatherv_c", comm, [&](Communicator& c) {
    collectives::gatherv(c, {}, {sendbuf, sendcount, sendtype},
                         {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype}, root);
  });
}
int PMPI_Igatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype,
                    int root, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Igatherv_c", comm, [&](Communicator& c) {
    collectives::gatherv(c, at_once(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype}, root);
  });
}
int PMPI_Gatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs,
                        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                        MPI_Request* request) {
  return collective("MPI_Gatherv_init_c", comm, [&](Communicator& c) {
    collectives::gatherv(c, when_started(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, PerRank(recvcounts), PerRank(displs), recvtype}, root);
  });
}

int PMPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return collective("MPI_Scatter", comm, [&](Communicator& c) {
    collectives::scatter(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                         root);
  });
}
int PMPI_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request* request) {
  return collective("MPI_Iscatter", comm, [&](Communicator& c) {
    collectives::scatter(c, at_once(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                      MPI_Request* request) {
  return collective("MPI_Scatter_init", comm, [&](Communicator& c) {
    collectives::scatter(c, when_started(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return collective("MPI_Scatter_c", comm, [&](Communicator& c) {
    collectives::scatter(c, {}, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                         root);
  });
}
int PMPI_Iscatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    MPI_Request* request) {
  return collective("MPI_Iscatter_c", comm, [&](Communicator& c) {
    collectives::scatter(c, at_once(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Scatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Scatter_init_c", comm, [&](Communicator& c) {
    collectives::scatter(c, when_started(request), {sendbuf, sendcount, sendtype},
                         {recvbuf, recvcount, recvtype}, root);
  });
}

int PMPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* displs,
                  MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm) {
  return collective("MPI_Scatterv", comm, [&](Communicator& c) {
    collectives::scatterv(c, {}, {sendbuf, PerRank(sendcounts), PerRank(displs), sendtype},
                          {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Iscatterv(const void* sendbuf, const int* sendcounts, const int* displs,
                   MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iscatterv", comm, [&](Communicator& c) {
    collectives::scatterv(c, at_once(request),
                          {sendbuf, PerRank(sendcounts), PerRank(displs), sendtype},
                          {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Scatterv_init(const void* sendbuf, const int* sendcounts, const int* displs,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Scatterv_init", comm, [&](Communicator& c) {
    collectives::scatterv(c, when_started(request),
                          {sendbuf, PerRank(sendcounts), PerRank(displs), sendtype},
                          {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Scatterv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* displs,
                    MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return collective("MPI_Scatterv_c", comm, [&](Communicator& c) {
    collectives::scatterv(c, {}, {sendbuf, PerRank(sendcounts), PerRank(displs), sendtype},
                          {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Iscatterv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* displs,
                     MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iscatterv_c", comm, [&](Communicator& c) {
    collectives::scatterv(c, at_once(request),
                          {sendbuf, PerRank(sendcounts), PerRank(displs), sendtype},
                          {recvbuf, recvcount, recvtype}, root);
  });
}
int PMPI_Scatterv_init_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* displs,
                         MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                         MPI_Request* request) {
  return collective("MPI_Scatterv_init_c", comm, [&](Communicator& c) {
    collectives::scatterv(c, when_started(request),
                          {sendbuf, PerRank(sendcounts), PerRank(displs), sendtype},
                          {recvbuf, recvcount, recvtype}, root);
  });
}

}  // extern "C"
