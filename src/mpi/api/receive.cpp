// Receives, and calls that send and receive.
#include <fmt/core.h>

#include "mpi/api/call.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/p2p/blocking.hpp"
#include "mpi/p2p/pair_request.hpp"
#include "mpi/p2p/truncation.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// The arguments of a send or a receive, as they come.
struct PointArguments {
  void* buffer;
  MPI_Count count;
  MPI_Datatype type;
  int peer;
  int tag;

  PointCall to_send(Process& process, MPI_Comm comm) const {
    return send_arguments(process, buffer, count, type, peer, tag, comm);
  }
  PointCall to_receive(Process& process, MPI_Comm comm) const {
    return receive_arguments(process, buffer, count, type, peer, tag, comm);
  }
};

/// One for each type of a count, so that it is a part of its call: see blocking_receive().
template <class Count>
int receive(const char* name, const PointArguments& arguments, MPI_Comm comm, MPI_Status* status) {
  return call(name, on_comm(comm), [&](Process& process) {
    const PointCall point = arguments.to_receive(process, comm);
    const Outcome outcome = blocking_receive(process, point);
    set_status(status, outcome);
    check_truncation(outcome, point);
  });
}

int start_receive(const char* name, const PointArguments& arguments, MPI_Comm comm,
                  MPI_Request* request) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(request, "request");
    PointRequest& made = process.world().part<PointRequests>().take(
        process, arguments.to_receive(process, comm), PointRequest::Kind::receive);
    *request = add_request(made);
    made.begin();
  });
}

int make_receive(const char* name, const PointArguments& arguments, MPI_Comm comm,
                 MPI_Request* request) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(request, "request");
    *request = add_request(process.world().part<PointRequests>().take(
        process, arguments.to_receive(process, comm), PointRequest::Kind::receive,
        SendMode::standard, true));
  });
}

/// A send that goes on while its rank waits for the receive.
void send_and_receive(Process& process, const PointCall& sends, const PointCall& receives,
                      MPI_Status* status) {
  Engine& engine = engine_of(process);
  const Channel channel = sends.communicator->channel(Traffic::point_to_point);
  Signal received(process);
  Signal sent(process);
  engine.receive(process, channel, receives.peer, receives.tag, receives.buffer(), received);
  engine.send(process, channel, sends.peer, sends.tag, sends.buffer(), SendMode::standard, sent);
  wait(process, received, receives, false, &sent);
  wait(process, sent, sends, true);
  set_status(status, received.outcome());
  check_truncation(received.outcome(), receives);
}

int sendrecv(const char* name, const PointArguments& sends, const PointArguments& receives,
             MPI_Comm comm, MPI_Status* status) {
  return call(name, on_comm(comm), [&](Process& process) {
    send_and_receive(process, sends.to_send(process, comm), receives.to_receive(process, comm),
                     status);
  });
}

/// What is sent, kept aside because its buffer is received into.
PointCall packed_aside(Process& process, const PointCall& call, std::vector<std::byte>& aside) {
  aside.resize(static_cast<std::size_t>(bytes(call.buffer())));
  pack(process.memory(), call.buffer(), aside.data());
  PointCall packed = call;
  packed.type = &datatype(process, MPI_PACKED);
  packed.address = aside.data();
  packed.count = static_cast<std::int64_t>(aside.size());
  return packed;
}

int sendrecv_replace(const char* name, const PointArguments& sends, const PointArguments& receives,
                     MPI_Comm comm, MPI_Status* status) {
  return call(name, on_comm(comm), [&](Process& process) {
    const PointCall receive = receives.to_receive(process, comm);
    std::vector<std::byte> aside;
    const PointCall send = packed_aside(process, sends.to_send(process, comm), aside);
    send_and_receive(process, send, receive, status);
  });
}

int start_sendrecv(const char* name, const PointArguments& sends, const PointArguments& receives,
                   MPI_Comm comm, MPI_Request* request) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(request, "request");
    add_request(make_request<PairRequest>(process, sends.to_send(process, comm),
                                          receives.to_receive(process, comm)),
                request)
        .begin();
  });
}

int start_sendrecv_replace(const char* name, const PointArguments& sends,
                           const PointArguments& receives, MPI_Comm comm, MPI_Request* request) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(request, "request");
    const PointCall receive = receives.to_receive(process, comm);
    std::vector<std::byte> aside;
    const PointCall send = packed_aside(process, sends.to_send(process, comm), aside);
    add_request(make_request<PairRequest>(process, send, receive, std::move(aside)), request)
        .begin();
  });
}

void* writable(const void* buffer) {
  return const_cast<void*>(buffer);
}

}  // namespace
}  // namespace heddle::mpi

using heddle::mpi::writable;

#define HEDDLE_RECEIVES(SUFFIX, COUNT)                                                             \
  int PMPI_Recv##SUFFIX(void* buf, COUNT count, MPI_Datatype type, int source, int tag,            \
                        MPI_Comm comm, MPI_Status* status) {                                       \
    return heddle::mpi::receive<COUNT>("MPI_Recv" #SUFFIX, {buf, count, type, source, tag}, comm,  \
                                       status);                                                    \
  }                                                                                                \
  int PMPI_Irecv##SUFFIX(void* buf, COUNT count, MPI_Datatype type, int source, int tag,           \
                         MPI_Comm comm, MPI_Request* request) {                                    \
    return heddle::mpi::start_receive("MPI_Irecv" #SUFFIX, {buf, count, type, source, tag}, comm,  \
                                      request);                                                    \
  }                                                                                                \
  int PMPI_Recv_init##SUFFIX(void* buf, COUNT count, MPI_Datatype type, int source, int tag,       \
                             MPI_Comm comm, MPI_Request* request) {                                \
    return heddle::mpi::make_receive("MPI_Recv_init" #SUFFIX, {buf, count, type, source, tag},     \
                                     comm, request);                                               \
  }                                                                                                \
  int PMPI_Sendrecv##SUFFIX(const void* sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, \
                            int sendtag, void* recvbuf, COUNT recvcount, MPI_Datatype recvtype,    \
                            int source, int recvtag, MPI_Comm comm, MPI_Status* status) {          \
    return heddle::mpi::sendrecv("MPI_Sendrecv" #SUFFIX,                                           \
                                 {writable(sendbuf), sendcount, sendtype, dest, sendtag},          \
                                 {recvbuf, recvcount, recvtype, source, recvtag}, comm, status);   \
  }                                                                                                \
  int PMPI_Isendrecv##SUFFIX(const void* sendbuf, COUNT sendcount, MPI_Datatype sendtype,          \
                             int dest, int sendtag, void* recvbuf, COUNT recvcount,                \
                             MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,        \
                             MPI_Request* request) {                                               \
    return heddle::mpi::start_sendrecv(                                                            \
        "MPI_Isendrecv" #SUFFIX, {writable(sendbuf), sendcount, sendtype, dest, sendtag},          \
        {recvbuf, recvcount, recvtype, source, recvtag}, comm, request);                           \
  }                                                                                                \
  int PMPI_Sendrecv_replace##SUFFIX(void* buf, COUNT count, MPI_Datatype type, int dest,           \
                                    int sendtag, int source, int recvtag, MPI_Comm comm,           \
                                    MPI_Status* status) {                                          \
    return heddle::mpi::sendrecv_replace("MPI_Sendrecv_replace" #SUFFIX,                           \
                                         {buf, count, type, dest, sendtag},                        \
                                         {buf, count, type, source, recvtag}, comm, status);       \
  }                                                                                                \
  int PMPI_Isendrecv_replace##SUFFIX(void* buf, COUNT count, MPI_Datatype type, int dest,          \
                                     int sendtag, int source, int recvtag, MPI_Comm comm,          \
                                     MPI_Request* request) {                                       \
    return heddle::mpi::start_sendrecv_replace(                                                    \
        "MPI_Isendrecv_replace" #SUFFIX, {buf, count, type, dest, sendtag},                        \
        {buf, count, type, source, recvtag}, comm, request);                                       \
  }

extern "C" {
HEDDLE_RECEIVES(, int)
HEDDLE_RECEIVES(_c, MPI_Count)
}
