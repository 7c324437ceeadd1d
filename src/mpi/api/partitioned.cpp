// Partitioned communication.
#include "mpi/p2p/partitioned.hpp"

#include <fmt/core.h>

#include "mpi/api/call.hpp"
#include "mpi/p2p/arguments.hpp"

namespace heddle::mpi {
namespace {

void check_partitions(int partitions) {
  if (partitions >= 0) return;
  bad_argument(MPI_ERR_ARG, "partitions", fmt::format("{} is negative", partitions));
}

template <class Body>
int ready_call(const char* name, MPI_Request request, Body body) {
  return call(name, [&](Process& process) {
    body(partitioned_request(process, request, PartitionedRequest::Kind::send));
  });
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                    int dest, int tag, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return call("MPI_Psend_init", on_comm(comm), [&](Process& process) {
    need(request, "request");
    check_partitions(partitions);
    PointCall whole = send_arguments(process, buf, count * partitions, datatype, dest, tag, comm);
    add_request(make_request<PartitionedRequest>(process, std::move(whole),
                                                 PartitionedRequest::Kind::send, partitions),
                request);
  });
}

int PMPI_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                    int tag, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return call("MPI_Precv_init", on_comm(comm), [&](Process& process) {
    need(request, "request");
    check_partitions(partitions);
    PointCall whole =
        receive_arguments(process, buf, count * partitions, datatype, source, tag, comm);
    add_request(make_request<PartitionedRequest>(process, std::move(whole),
                                                 PartitionedRequest::Kind::receive, partitions),
                request);
  });
}

int PMPI_Pready(int partition, MPI_Request request) {
  return ready_call("MPI_Pready", request,
                    [&](PartitionedRequest& send) { send.make_ready(partition, partition); });
}

int PMPI_Pready_range(int first, int last, MPI_Request request) {
  return ready_call("MPI_Pready_range", request,
                    [&](PartitionedRequest& send) { send.make_ready(first, last); });
}

int PMPI_Pready_list(int length, const int partitions[], MPI_Request request) {
  return ready_call("MPI_Pready_list", request, [&](PartitionedRequest& send) {
    for (int i = 0; i < length; ++i) send.make_ready(partitions[i], partitions[i]);
  });
}

int PMPI_Parrived(MPI_Request request, int partition, int* flag) {
  return call("MPI_Parrived", [&](Process& process) {
    need(flag, "flag");
    *flag = 1;
    if (request == MPI_REQUEST_NULL) return;
    const PartitionedRequest& receive =
        partitioned_request(process, request, PartitionedRequest::Kind::receive);
    *flag = static_cast<int>(receive.arrived(partition));
    if (*flag == 0) process.look_in_vain();
  });
}

}  // extern "C"
