// Error handlers: what becomes of calls that go wrong.
#pragma once

#include <cstdint>
#include <memory>

namespace heddle::mpi {

class Process;

/// What an error handler is for; not all functions of programs take the same arguments.
enum class HandlerOf : std::uint8_t { any, communicator, window, file, session };

struct ErrorHandler {
  enum class Does : std::uint8_t { end_run, return_code, call };
  Does does = Does::end_run;
  HandlerOf of = HandlerOf::any;
  void (*function)() = nullptr;  ///< The program's, of a type that `of` says.
};
/// Shared by everything that it is set for; null is MPI_ERRORS_ARE_FATAL.
using ErrorHandlerRef = std::shared_ptr<const ErrorHandler>;

/// The handler of a handle; throws MPI_ERR_ARG.
ErrorHandlerRef error_handler(Process& process, int handle, HandlerOf of);
/// A handle for a handler, as MPI_Comm_get_errhandler gives: freed by the program.
int new_handle(Process& process, const ErrorHandlerRef& handler);

}  // namespace heddle::mpi
