// Sends in all modes.
#include "mpi/api/call.hpp"
#include "mpi/engine/bsend_buffer.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/p2p/blocking.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// The arguments of a send, as they come.
struct SendArguments {
  const void* buffer;
  MPI_Count count;
  MPI_Datatype type;
  int dest;
  int tag;
  MPI_Comm comm;

  PointCall checked(Process& process) const {
    return send_arguments(process, buffer, count, type, dest, tag, comm);
  }
};

int send(const char* name, SendMode mode, const SendArguments& arguments) {
  return call(name, on_comm(arguments.comm), [&](Process& process) {
    const PointCall point = arguments.checked(process);
    reserve_space(process, point, mode);
    blocking_send(process, point, mode);
  });
}

int start_send(const char* name, SendMode mode, const SendArguments& arguments,
               MPI_Request* request) {
  return call(name, on_comm(arguments.comm), [&](Process& process) {
    need(request, "request");
    PointCall point = arguments.checked(process);
    reserve_space(process, point, mode);
    PointRequest& made = process.world().part<PointRequests>().take(process, std::move(point),
                                                                    PointRequest::Kind::send, mode);
    *request = add_request(made);
    made.begin();
  });
}

int make_send(const char* name, SendMode mode, const SendArguments& arguments,
              MPI_Request* request) {
  return call(name, on_comm(arguments.comm), [&](Process& process) {
    need(request, "request");
    *request = add_request(process.world().part<PointRequests>().take(
        process, arguments.checked(process), PointRequest::Kind::send, mode, true));
  });
}

}  // namespace
}  // namespace heddle::mpi

using heddle::mpi::SendMode;

#define HEDDLE_SENDS(NAME, INAME, MODE)                                                            \
  int PMPI_##NAME(const void* buf, int count, MPI_Datatype type, int dest, int tag,                \
                  MPI_Comm comm) {                                                                 \
    return heddle::mpi::send("MPI_" #NAME, MODE, {buf, count, type, dest, tag, comm});             \
  }                                                                                                \
  int PMPI_##NAME##_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,      \
                      MPI_Comm comm) {                                                             \
    return heddle::mpi::send("MPI_" #NAME "_c", MODE, {buf, count, type, dest, tag, comm});        \
  }                                                                                                \
  int PMPI_##INAME(const void* buf, int count, MPI_Datatype type, int dest, int tag,               \
                   MPI_Comm comm, MPI_Request* request) {                                          \
    return heddle::mpi::start_send("MPI_" #INAME, MODE, {buf, count, type, dest, tag, comm},       \
                                   request);                                                       \
  }                                                                                                \
  int PMPI_##INAME##_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,     \
                       MPI_Comm comm, MPI_Request* request) {                                      \
    return heddle::mpi::start_send("MPI_" #INAME "_c", MODE, {buf, count, type, dest, tag, comm},  \
                                   request);                                                       \
  }                                                                                                \
  int PMPI_##NAME##_init(const void* buf, int count, MPI_Datatype type, int dest, int tag,         \
                         MPI_Comm comm, MPI_Request* request) {                                    \
    return heddle::mpi::make_send("MPI_" #NAME "_init", MODE, {buf, count, type, dest, tag, comm}, \
                                  request);                                                        \
  }                                                                                                \
  int PMPI_##NAME##_init_c(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag, \
                           MPI_Comm comm, MPI_Request* request) {                                  \
    return heddle::mpi::make_send("MPI_" #NAME "_init_c", MODE,                                    \
                                  {buf, count, type, dest, tag, comm}, request);                   \
  }

extern "C" {
HEDDLE_SENDS(Send, Isend, SendMode::standard)
HEDDLE_SENDS(Bsend, Ibsend, SendMode::buffered)
HEDDLE_SENDS(Ssend, Issend, SendMode::synchronous)
HEDDLE_SENDS(Rsend, Irsend, SendMode::ready)
}
