// Error handlers: what becomes of calls that go wrong.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/handle.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

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

/// Part of a process: its error handlers, and the errors that it has added.
struct ErrorHandlers final : Part {
  explicit ErrorHandlers(Process&) {}
  HandleTable<ErrorHandlerRef, ObjectKind::error_handler> table;
  /// How often the program holds the handle of an error handler, which is always the same one.
  struct Use {
    int handle;
    int holds;
  };
  std::unordered_map<const ErrorHandler*, Use> uses;

  /// An error class or code that the program has added.
  struct AddedError {
    int error_class;
    std::string text = {};
  };
  std::vector<AddedError> errors;    ///< In the order of their numbers, which follow one another.
  int last_code = MPI_ERR_LASTCODE;  ///< Programs get pointers to it.
};

/// The handler of a handle; throws MPI_ERR_ARG.
ErrorHandlerRef error_handler(Process& process, int handle, HandlerOf of);
/// A handle for a handler, as MPI_Comm_get_errhandler gives: freed by the program.
int new_handle(Process& process, const ErrorHandlerRef& handler);
/// The program holds the handle of an error handler once less; throws MPI_ERR_ARG.
void free_handle(Process& process, int handle);
/// The number of the first error class or code that a program adds.
inline constexpr int kFirstAddedError = MPI_ERR_LASTCODE + 1;

}  // namespace heddle::mpi
