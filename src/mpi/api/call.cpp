#include "mpi/api/call.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

#include "mpi/comm/communicator.hpp"
#include "mpi/io/file.hpp"
#include "mpi/rma/window.hpp"

namespace heddle::mpi {
namespace {

[[noreturn]] void end_run(Process& process, const char* name, const Error& error) {
  process.rank().ending().fail_job(fmt::format("rank {}: {}: {}", process.id(), name, error.text));
}

/// Of the object in charge; MPI_COMM_WORLD's where there is none.
ErrorHandlerRef handler_for(Process& process, const ErrorOwner& owner) {
  if (owner.kind == ErrorOwner::Kind::file) {
    return file_error_handler(process, static_cast<MPI_File>(owner.file));
  }
  if (owner.kind == ErrorOwner::Kind::window) {
    if (const Window* window = find_window(process, owner.handle)) return window->error_handler;
  }
  Communicator* found = nullptr;
  if (owner.kind == ErrorOwner::Kind::communicator) {
    found = find_communicator(process, owner.handle);
  }
  if (found == nullptr) found = find_communicator(process, MPI_COMM_WORLD);
  return found->error_handler;
}

/// Answers the code, which the program's function may have changed.
int call_handler(const ErrorHandler& handler, const ErrorOwner& owner, int code) {
  if (handler.of == HandlerOf::file) {
    auto* file = static_cast<MPI_File>(owner.file);
    reinterpret_cast<MPI_File_errhandler_function*>(handler.function)(&file, &code);
    return code;
  }
  int handle = owner.kind == ErrorOwner::Kind::none ? MPI_COMM_WORLD : owner.handle;
  reinterpret_cast<MPI_Comm_errhandler_function*>(handler.function)(&handle, &code);
  return code;
}

}  // namespace

int tell_handler(Process& process, const char* name, const ErrorHandlerRef& handler,
                 const ErrorOwner& owner, const Error& error) {
  if (handler == nullptr || handler->does == ErrorHandler::Does::end_run) {
    end_run(process, name, error);
  }
  if (handler->does != ErrorHandler::Does::call) return error.code;
  return call_handler(*handler, owner, error.code);
}

int handle_error(Process& process, const char* name, const ErrorOwner& owner, const Error& error) {
  process.rank().fiber().lead().await_turn();
  return tell_handler(process, name, handler_for(process, owner), owner, error);
}

/// Calls inside of others are part of them.
void CallMark::record() const {
  if (!mark_.outermost()) return;
  process_.rank().job().recorder()->call(mark_.thread().lane(), name_, begin_, process_.now(),
                                         process_.counters.bytes - bytes_);
}

Process& running_process(const char* name) {
  host::Rank* rank = host::current_rank();
  Process* process = rank == nullptr ? nullptr : Process::of(*rank);
  if (process == nullptr) refuse_call(rank, name);
  return *process;
}

void refuse_call(host::Rank* rank, const char* name) {
  if (rank == nullptr) {
    std::fprintf(stderr, "%s: called outside of a simulated rank\n", name);
    std::abort();
  }
  const Process* process = Process::of(*rank);
  const char* why = process == nullptr                   ? "this job has no MPI"
                    : process->phase == Phase::finalised ? "called after MPI_Finalize"
                                                         : "called before MPI_Init";
  rank->ending().fail_job(
      fmt::format("rank {}: {}: {}", static_cast<std::uint32_t>(rank->id()), name, why));
}

}  // namespace heddle::mpi
