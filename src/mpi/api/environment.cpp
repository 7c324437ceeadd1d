// Beginning, end and what is around a program.
#include <fmt/core.h>
#include <heddle.h>

#include <cstring>
#include <string>

#include "host/rank/processor_use.hpp"
#include "mpi/api/call.hpp"
#include "mpi/call_log.hpp"
#include "mpi/comm/dynamic.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/session/session.hpp"
#include "mpi/transport/fidelity.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// Threads of a rank take turns, and give way only where calls wait.
constexpr int kThreadLevel = MPI_THREAD_MULTIPLE;

int init(const char* name) {
  Process& process = running_process(name);
  const host::Call mark(process.rank());
  if (world_initialised(process)) {
    process.rank().ending().fail_job(
        fmt::format("rank {}: {}: MPI is initialised already", process.id(), name));
  }
  const Time cost = process.world().config().init_cost;
  if (cost > Time::zero()) process.rank().thread().work().charge(cost);
  process.phase = Phase::initialised;
  join_sessions(process);
  join_parents(process);
  return MPI_SUCCESS;
}

void finalize(Process& process) {
  // Attributes of MPI_COMM_SELF go first, for libraries that want to know of the end.
  if (Objects* objects = process.find_part<Objects>()) {
    if (objects->self) objects->self->attributes.clear(MPI_COMM_SELF);
    objects->world->attributes.clear(MPI_COMM_WORLD);
    objects->parent = nullptr;
  }
  process.settle();
  process.phase = Phase::finalised;
}

void set_text(const std::string& text, int limit, char* to, int* length) {
  const std::size_t size = std::min(text.size(), static_cast<std::size_t>(limit) - 1);
  std::memcpy(to, text.data(), size);
  to[size] = '\0';
  *length = static_cast<int>(size);
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Init(int*, char***) {
  return init("MPI_Init");
}

int PMPI_Init_thread(int*, char***, int required, int* provided) {
  *provided = std::min(required, kThreadLevel);
  const int code = init("MPI_Init_thread");
  running_process("MPI_Init_thread").thread_level = *provided;
  return code;
}

int PMPI_Initialized(int* flag) {
  *flag = static_cast<int>(world_initialised(running_process("MPI_Initialized")));
  return MPI_SUCCESS;
}

int PMPI_Finalized(int* flag) {
  *flag = static_cast<int>(running_process("MPI_Finalized").phase == Phase::finalised);
  return MPI_SUCCESS;
}

int PMPI_Finalize(void) {
  return call("MPI_Finalize", finalize);
}

int PMPI_Abort(MPI_Comm, int errorcode) {
  Process& process = running_process("MPI_Abort");
  process.rank().ending().abort_job("MPI_Abort", errorcode);
}

int PMPI_Query_thread(int* provided) {
  return call("MPI_Query_thread", [&](Process& process) {
    need(provided, "provided");
    *provided = process.thread_level;
  });
}

int PMPI_Is_thread_main(int* flag) {
  return call("MPI_Is_thread_main", [&](Process& process) {
    need(flag, "flag");
    const heddle::host::Rank& rank = process.rank();
    *flag = static_cast<int>(&rank.thread() == &rank.threads().first());
  });
}

double PMPI_Wtime(void) {
  Process& process = running_process("MPI_Wtime");
  const heddle::host::Call mark(process.rank());
  process.settle();
  const heddle::Time cost = *process.world().config().clock_cost;
  process.rank().job().shared().saw_clock();
  process.rank().thread().work().charge(cost);
  if (CallLog* log = process.world().call_log()) log->stays(process, cost);
  return process.now().seconds();
}

double PMPI_Wtick(void) {
  return 1e-12;
}

int PMPI_Get_processor_name(char* name, int* length) {
  return call("MPI_Get_processor_name", [&](Process& process) {
    set_text(process.rank().node_name(), MPI_MAX_PROCESSOR_NAME, name, length);
  });
}

int PMPI_Get_version(int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int PMPI_Get_library_version(char* version, int* length) {
  set_text("Heddle", MPI_MAX_LIBRARY_VERSION_STRING, version, length);
  return MPI_SUCCESS;
}

int PMPI_Pcontrol(int level, ...) {
  if (level < 0) return MPI_SUCCESS;
  Process& process = running_process("MPI_Pcontrol");
  const heddle::host::Call mark(process.rank());
  process.settle();
  if (Fidelity* fidelity = process.world().find_part<Fidelity>()) {
    fidelity->switch_to(static_cast<std::uint32_t>(level));
  }
  return MPI_SUCCESS;
}

int heddle_fidelity(const char* level) {
  Process& process = running_process("heddle_fidelity");
  const heddle::host::Call mark(process.rank());
  process.settle();
  Fidelity* fidelity = process.world().find_part<Fidelity>();
  if (level == nullptr || fidelity == nullptr) return -1;
  return fidelity->switch_to(level) ? 0 : -1;
}

int PMPI_Comm_rank(MPI_Comm comm, int* rank) {
  return call("MPI_Comm_rank", on_comm(comm), [&](Process& process) {
    need(rank, "rank");
    *rank = communicator(process, comm).rank();
  });
}

int PMPI_Comm_size(MPI_Comm comm, int* size) {
  return call("MPI_Comm_size", on_comm(comm), [&](Process& process) {
    need(size, "size");
    *size = communicator(process, comm).size();
  });
}

}  // extern "C"
