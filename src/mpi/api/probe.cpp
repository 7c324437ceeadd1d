// Probes, matched or not.
#include <fmt/core.h>

#include "mpi/api/call.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/p2p/blocking.hpp"
#include "mpi/p2p/completing.hpp"
#include "mpi/p2p/probing.hpp"
#include "mpi/p2p/truncation.hpp"
#include "mpi/world.hpp"

using namespace heddle::mpi;

extern "C" {

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return call("MPI_Probe", on_comm(comm), [&](Process& process) {
    set_status(status, outcome_of(Probe(process, source, tag, comm).wait()));
  });
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return call("MPI_Iprobe", on_comm(comm), [&](Process& process) {
    need(flag, "flag");
    const Probe probe(process, source, tag, comm);
    const std::optional<Message*> found = probe.look();
    *flag = static_cast<int>(found.has_value());
    if (found) set_status(status, outcome_of(*found));
  });
}

int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return call("MPI_Mprobe", on_comm(comm), [&](Process& process) {
    need(message, "message");
    Message* found = Probe(process, source, tag, comm).wait();
    set_status(status, outcome_of(found));
    *message = extracted(process, found, comm);
  });
}

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                 MPI_Status* status) {
  return call("MPI_Improbe", on_comm(comm), [&](Process& process) {
    need(flag, "flag");
    need(message, "message");
    const Probe probe(process, source, tag, comm);
    const std::optional<Message*> found = probe.look();
    *flag = static_cast<int>(found.has_value());
    if (!found) return;
    set_status(status, outcome_of(*found));
    *message = extracted(process, *found, comm);
  });
}

int PMPI_Mrecv_c(void* buf, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                 MPI_Status* status) {
  return call("MPI_Mrecv", [&](Process& process) {
    const Extracted taken = take_extracted(process, message);
    const PointCall point = receive_call(process, taken, buf, count, type);
    if (taken.message == nullptr) return set_status(status, outcome_of(nullptr));
    Signal signal(process);
    engine_of(process).receive_extracted(*taken.message, point.buffer(), signal);
    wait(process, signal, point, false);
    set_status(status, signal.outcome());
    check_truncation(signal.outcome(), point);
  });
}

int PMPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return PMPI_Mrecv_c(buf, count, type, message, status);
}

int PMPI_Imrecv_c(void* buf, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                  MPI_Request* request) {
  return call("MPI_Imrecv", [&](Process& process) {
    need(request, "request");
    const Extracted taken = take_extracted(process, message);
    PointRequest& made = process.world().part<PointRequests>().take(
        process, receive_call(process, taken, buf, count, type), PointRequest::Kind::receive);
    *request = add_request(made);
    if (taken.message == nullptr) return made.begin();
    made.begin_extracted(*taken.message);
  });
}

int PMPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
                MPI_Request* request) {
  return PMPI_Imrecv_c(buf, count, type, message, request);
}

}  // extern "C"
