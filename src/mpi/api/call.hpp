// What the extern "C" functions have in common.
//
//   int PMPI_Comm_size(MPI_Comm comm, int* size) {
//     return mpi::call("MPI_Comm_size", mpi::on_comm(comm), [&](mpi::Process& p) {
//       *size = mpi::communicator(p, comm).size();
//     });
//   }
#pragma once

#include <mpi.h>

#include <utility>

#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "mpi/error.hpp"
#include "mpi/objects/error_handler.hpp"
#include "mpi/process.hpp"
#include "mpi/profile.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

/// Whose error handler is told when a call goes wrong.
struct ErrorOwner {
  enum class Kind : std::uint8_t { none, communicator, window, file };
  Kind kind = Kind::none;
  int handle = 0;
  void* file = nullptr;
};
inline ErrorOwner on_comm(MPI_Comm comm) {
  return {ErrorOwner::Kind::communicator, comm};
}
inline ErrorOwner on_win(MPI_Win win) {
  return {ErrorOwner::Kind::window, win};
}
inline ErrorOwner on_file(void* file) {
  return {ErrorOwner::Kind::file, 0, file};
}

/// Tells a given handler; answers what the call returns.
int tell_handler(Process& process, const char* name, const ErrorHandlerRef& handler,
                 const ErrorOwner& owner, const Error& error);
/// Tells the error handler in charge, and answers what the call returns.
int handle_error(Process& process, const char* name, const ErrorOwner& owner, const Error& error);
/// MPI is not usable now: before MPI_Init or after MPI_Finalize. Ends the run.
[[noreturn]] void refuse_call(host::Rank* rank, const char* name);

/// The process of the running rank, for the few calls that may come before MPI_Init and after
/// MPI_Finalize.
Process& running_process(const char* name);

/// An argument that points to a result, or to a handle, must point somewhere.
inline void need(const void* pointer, const char* argument) {
  if (pointer == nullptr) bad_argument(MPI_ERR_ARG, argument, "is a null pointer");
}

/// Marks a call for the profile and for messages, for as long as it lives.
class CallMark {
 public:
  CallMark(Process& process, const char* name, const host::Call& mark)
      : process_(process),
        mark_(mark),
        name_(name),
        outer_(std::exchange(process.call, name)),
        begin_(process.now()),
        waiting_(process.counters.waiting),
        bytes_(process.counters.bytes) {}
  ~CallMark() {
    process_.call = outer_;
    note();
  }
  CallMark(const CallMark&) = delete;
  CallMark& operator=(const CallMark&) = delete;

 private:
  void note() const {
    CallProfile& profile = process_.part<Profile>().of(name_);
    ++profile.calls;
    profile.time += process_.now() - begin_;
    profile.waiting += process_.counters.waiting - waiting_;
    profile.bytes += process_.counters.bytes - bytes_;
    if (process_.rank().job().recorder() != nullptr) record();
  }
  void record() const;
  Process& process_;
  const host::Call& mark_;
  const char* name_;
  const char* outer_;
  Time begin_;
  Time waiting_;
  std::int64_t bytes_;
};

/// One call of a process: `body(process)` does it, and may throw Error.
template <class Body>
int call_of(Process& process, const char* name, const ErrorOwner& owner, Body& body) {
  const host::Call mark(process.rank());
  const CallMark call_mark(process, name, mark);
  process.mailbox.save_sent(process);
  try {
    body(process);
    return MPI_SUCCESS;
  } catch (const Error& error) {
    return handle_error(process, name, owner, error);
  }
}

/// One call of the running rank.
template <class Body>
int call(const char* name, const ErrorOwner& owner, Body body) {
  host::Rank* rank = host::current_rank();
  Process* process = rank == nullptr ? nullptr : Process::of(*rank);
  if (process == nullptr || process->phase != Phase::initialised) refuse_call(rank, name);
  return call_of(*process, name, owner, body);
}
template <class Body>
int call(const char* name, Body body) {
  return call(name, ErrorOwner{}, body);
}
/// A call that may come before MPI_Init and after MPI_Finalize, too.
template <class Body>
int call_any_time(const char* name, Body body) {
  return call_of(running_process(name), name, ErrorOwner{}, body);
}

}  // namespace heddle::mpi
