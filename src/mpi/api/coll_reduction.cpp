// Collective calls that reduce.
#include "mpi/api/collective.hpp"

using namespace heddle::mpi;
using namespace heddle::mpi::collectives;

extern "C" {

int PMPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm) {
  return collective("MPI_Reduce", comm, [&](Communicator& c) {
    collectives::reduce(c, {}, {sendbuf, recvbuf, count, datatype, op}, root);
  });
}
int PMPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ireduce", comm, [&](Communicator& c) {
    collectives::reduce(c, at_once(request), {sendbuf, recvbuf, count, datatype, op}, root);
  });
}
int PMPI_Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Reduce_init", comm, [&](Communicator& c) {
    collectives::reduce(c, when_started(request), {sendbuf, recvbuf, count, datatype, op}, root);
  });
}
int PMPI_Reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, int root, MPI_Comm comm) {
  return collective("MPI_Reduce_c", comm, [&](Communicator& c) {
    collectives::reduce(c, {}, {sendbuf, recvbuf, count, datatype, op}, root);
  });
}
int PMPI_Ireduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, int root, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ireduce_c", comm, [&](Communicator& c) {
    collectives::reduce(c, at_once(request), {sendbuf, recvbuf, count, datatype, op}, root);
  });
}
int PMPI_Reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Reduce_init_c", comm, [&](Communicator& c) {
    collectives::reduce(c, when_started(request), {sendbuf, recvbuf, count, datatype, op}, root);
  });
}

int PMPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
  return collective("MPI_Allreduce", comm, [&](Communicator& c) {
    collectives::allreduce(c, {}, {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iallreduce", comm, [&](Communicator& c) {
    collectives::allreduce(c, at_once(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Allreduce_init", comm, [&](Communicator& c) {
    collectives::allreduce(c, when_started(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Allreduce_c", comm, [&](Communicator& c) {
    collectives::allreduce(c, {}, {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Iallreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iallreduce_c", comm, [&](Communicator& c) {
    collectives::allreduce(c, at_once(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Allreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                          MPI_Request* request) {
  return collective("MPI_Allreduce_init_c", comm, [&](Communicator& c) {
    collectives::allreduce(c, when_started(request), {sendbuf, recvbuf, count, datatype, op});
  });
}

int PMPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts,
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Reduce_scatter", comm, [&](Communicator& c) {
    collectives::reduce_scatter(c, {}, {sendbuf, recvbuf, 0, datatype, op}, PerRank(recvcounts));
  });
}
int PMPI_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ireduce_scatter", comm, [&](Communicator& c) {
    collectives::reduce_scatter(c, at_once(request), {sendbuf, recvbuf, 0, datatype, op},
                                PerRank(recvcounts));
  });
}
int PMPI_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int* recvcounts,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                             MPI_Request* request) {
  return collective("MPI_Reduce_scatter_init", comm, [&](Communicator& c) {
    collectives::reduce_scatter(c, when_started(request), {sendbuf, recvbuf, 0, datatype, op},
                                PerRank(recvcounts));
  });
}
int PMPI_Reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count* recvcounts,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Reduce_scatter_c", comm, [&](Communicator& c) {
    collectives::reduce_scatter(c, {}, {sendbuf, recvbuf, 0, datatype, op}, PerRank(recvcounts));
  });
}
int PMPI_Ireduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count* recvcounts,
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Ireduce_scatter_c", comm, [&](Communicator& c) {
    collectives::reduce_scatter(c, at_once(request), {sendbuf, recvbuf, 0, datatype, op},
                                PerRank(recvcounts));
  });
}
int PMPI_Reduce_scatter_init_c(const void* sendbuf, void* recvbuf, const MPI_Count* recvcounts,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                               MPI_Request* request) {
  return collective("MPI_Reduce_scatter_init_c", comm, [&](Communicator& c) {
    collectives::reduce_scatter(c, when_started(request), {sendbuf, recvbuf, 0, datatype, op},
                                PerRank(recvcounts));
  });
}

int PMPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Reduce_scatter_block", comm, [&](Communicator& c) {
    collectives::reduce_scatter_block(c, {}, {sendbuf, recvbuf, recvcount, datatype, op});
  });
}
int PMPI_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request* request) {
  return collective("MPI_Ireduce_scatter_block", comm, [&](Communicator& c) {
    collectives::reduce_scatter_block(c, at_once(request),
                                      {sendbuf, recvbuf, recvcount, datatype, op});
  });
}
int PMPI_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                                   MPI_Request* request) {
  return collective("MPI_Reduce_scatter_block_init", comm, [&](Communicator& c) {
    collectives::reduce_scatter_block(c, when_started(request),
                                      {sendbuf, recvbuf, recvcount, datatype, op});
  });
}
int PMPI_Reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Reduce_scatter_block_c", comm, [&](Communicator& c) {
    collectives::reduce_scatter_block(c, {}, {sendbuf, recvbuf, recvcount, datatype, op});
  });
}
int PMPI_Ireduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 MPI_Request* request) {
  return collective("MPI_Ireduce_scatter_block_c", comm, [&](Communicator& c) {
    collectives::reduce_scatter_block(c, at_once(request),
                                      {sendbuf, recvbuf, recvcount, datatype, op});
  });
}
int PMPI_Reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                                     MPI_Request* request) {
  return collective("MPI_Reduce_scatter_block_init_c", comm, [&](Communicator& c) {
    collectives::reduce_scatter_block(c, when_started(request),
                                      {sendbuf, recvbuf, recvcount, datatype, op});
  });
}

int PMPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return collective("MPI_Scan", comm, [&](Communicator& c) {
    collectives::scan(c, {}, {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iscan", comm, [&](Communicator& c) {
    collectives::scan(c, at_once(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Scan_init", comm, [&](Communicator& c) {
    collectives::scan(c, when_started(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Scan_c", comm, [&](Communicator& c) {
    collectives::scan(c, {}, {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Iscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iscan_c", comm, [&](Communicator& c) {
    collectives::scan(c, at_once(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Scan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Scan_init_c", comm, [&](Communicator& c) {
    collectives::scan(c, when_started(request), {sendbuf, recvbuf, count, datatype, op});
  });
}

int PMPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
  return collective("MPI_Exscan", comm, [&](Communicator& c) {
    collectives::exscan(c, {}, {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iexscan", comm, [&](Communicator& c) {
    collectives::exscan(c, at_once(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Exscan_init", comm, [&](Communicator& c) {
    collectives::exscan(c, when_started(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm comm) {
  return collective("MPI_Exscan_c", comm, [&](Communicator& c) {
    collectives::exscan(c, {}, {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Iexscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return collective("MPI_Iexscan_c", comm, [&](Communicator& c) {
    collectives::exscan(c, at_once(request), {sendbuf, recvbuf, count, datatype, op});
  });
}
int PMPI_Exscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return collective("MPI_Exscan_init_c", comm, [&](Communicator& c) {
    collectives::exscan(c, when_started(request), {sendbuf, recvbuf, count, datatype, op});
  });
}

}  // extern "C"
