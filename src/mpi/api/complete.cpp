// Completion of requests: waiting, testing, cancelling, starting.
#include <algorithm>
#include <vector>

#include "mpi/api/call.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/p2p/blocking.hpp"
#include "mpi/p2p/completing.hpp"
#include "mpi/world.hpp"

using namespace heddle::mpi;

extern "C" {

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  return call("MPI_Wait", [&](Process& process) {
    need(request, "request");
    Request* const found = find_request(process, *request);
    if (found == nullptr || !found->active()) return set_status_with_error(status, Outcome{});
    wait(process, {&found, 1}, 1);
    const Outcome outcome = complete(process, *found, *request);
    set_status(status, outcome);
    raise(outcome);
  });
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return call("MPI_Waitall", [&](Process& process) {
    const RequestList list(process, count, requests);
    wait(process, list.all(), count);
    raise_in_statuses(list.complete_all(statuses), statuses);
  });
}

int PMPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return call("MPI_Waitany", [&](Process& process) {
    need(index, "index");
    const RequestList list(process, count, requests);
    wait(process, list.all(), 1);
    *index = list.first_complete();
    if (*index == MPI_UNDEFINED) return set_status_with_error(status, Outcome{});
    const Outcome outcome = list.complete(*index);
    set_status(status, outcome);
    raise(outcome);
  });
}

int PMPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                  MPI_Status statuses[]) {
  return call("MPI_Waitsome", [&](Process& process) {
    need(outcount, "outcount");
    const RequestList list(process, incount, requests);
    *outcount = MPI_UNDEFINED;
    if (!list.any_active()) return;
    wait(process, list.all(), 1);
    raise_in_statuses(list.complete_some(outcount, indices, statuses), statuses);
  });
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return call("MPI_Test", [&](Process& process) {
    need(request, "request");
    need(flag, "flag");
    Request* const found = find_request(process, *request);
    *flag = 1;
    if (found == nullptr || !found->active()) return set_status_with_error(status, Outcome{});
    *flag = static_cast<int>(look(process, [&] { return found->complete(); }));
    if (*flag == 0) return;
    const Outcome outcome = complete(process, *found, *request);
    set_status(status, outcome);
    raise(outcome);
  });
}

int PMPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return call("MPI_Testall", [&](Process& process) {
    need(flag, "flag");
    const RequestList list(process, count, requests);
    *flag = static_cast<int>(look(process, [&] { return list.all_complete(); }));
    if (*flag != 0) raise_in_statuses(list.complete_all(statuses), statuses);
  });
}

int PMPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return call("MPI_Testany", [&](Process& process) {
    need(index, "index");
    need(flag, "flag");
    const RequestList list(process, count, requests);
    *index = MPI_UNDEFINED;
    *flag = 1;
    if (!list.any_active()) return set_status_with_error(status, Outcome{});
    *flag = static_cast<int>(look(process, [&] { return list.first_complete() != MPI_UNDEFINED; }));
    if (*flag == 0) return;
    *index = list.first_complete();
    const Outcome outcome = list.complete(*index);
    set_status(status, outcome);
    raise(outcome);
  });
}

int PMPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                  MPI_Status statuses[]) {
  return call("MPI_Testsome", [&](Process& process) {
    need(outcount, "outcount");
    const RequestList list(process, incount, requests);
    *outcount = MPI_UNDEFINED;
    if (!list.any_active()) return;
    look(process, [&] { return list.first_complete() != MPI_UNDEFINED; });
    raise_in_statuses(list.complete_some(outcount, indices, statuses), statuses);
  });
}

int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return call("MPI_Request_get_status", [&](Process& process) {
    need(flag, "flag");
    Request* const found = find_request(process, request);
    *flag = 1;
    if (found == nullptr || !found->active()) return set_status_with_error(status, Outcome{});
    *flag = static_cast<int>(look(process, [&] { return found->complete(); }));
    if (*flag == 0) return;
    Outcome outcome = found->outcome();
    found->deliver(outcome);
    set_status(status, outcome);
  });
}

int PMPI_Request_free(MPI_Request* request) {
  return call("MPI_Request_free", [&](Process& process) {
    need(request, "request");
    Request* found = find_request(process, *request);
    if (found == nullptr) {
      bad_argument(MPI_ERR_REQUEST, "request", "MPI_REQUEST_NULL is no request here");
    }
    process.part<Requests>().table.remove(*request);
    *request = MPI_REQUEST_NULL;
    found->orphan();
  });
}

int PMPI_Cancel(MPI_Request* request) {
  return call("MPI_Cancel", [&](Process& process) {
    need(request, "request");
    Request* found = find_request(process, *request);
    if (found == nullptr || !found->active()) {
      bad_argument(MPI_ERR_REQUEST, "request", "it has nothing under way");
    }
    process.settle();
    found->cancel();
  });
}

int PMPI_Test_cancelled(const MPI_Status* status, int* flag) {
  return call("MPI_Test_cancelled", [&](Process&) {
    need(flag, "flag");
    *flag = status->count_hi_and_cancelled & 1;
  });
}

int PMPI_Start(MPI_Request* request) {
  return call("MPI_Start", [&](Process& process) {
    need(request, "request");
    start(process, *request);
  });
}

int PMPI_Startall(int count, MPI_Request requests[]) {
  return call("MPI_Startall", [&](Process& process) {
    for (int i = 0; i < count; ++i) start(process, requests[i]);
  });
}

}  // extern "C"
