#include "mpi/objects/error_handler.hpp"

#include <fmt/core.h>

#include "mpi/error.hpp"

namespace heddle::mpi {

ErrorHandlerRef error_handler(Process& process, int handle, HandlerOf of) {
  if (handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_ABORT) return nullptr;
  if (handle == MPI_ERRORS_RETURN) {
    return std::make_shared<ErrorHandler>(ErrorHandler{ErrorHandler::Does::return_code});
  }
  ErrorHandlerRef* found = process.part<ErrorHandlers>().table.find(handle);
  if (found != nullptr && ((*found)->of == of || (*found)->of == HandlerOf::any)) return *found;
  bad_argument(MPI_ERR_ARG, "errhandler",
               fmt::format("{:#x} is no error handler for this kind of object",
                           static_cast<unsigned>(handle)));
}

int new_handle(Process& process, const ErrorHandlerRef& handler) {
  if (handler == nullptr) return MPI_ERRORS_ARE_FATAL;
  if (handler->does == ErrorHandler::Does::return_code) return MPI_ERRORS_RETURN;
  ErrorHandlers& handlers = process.part<ErrorHandlers>();
  const auto [use, fresh] = handlers.uses.try_emplace(handler.get(), ErrorHandlers::Use{});
  if (fresh) use->second.handle = handlers.table.add(handler);
  ++use->second.holds;
  return use->second.handle;
}

void free_handle(Process& process, int handle) {
  ErrorHandlers& handlers = process.part<ErrorHandlers>();
  const ErrorHandlerRef* found = handlers.table.find(handle);
  if (found == nullptr) bad_argument(MPI_ERR_ARG, "errhandler", "it is no error handler");
  const auto use = handlers.uses.find(found->get());
  if (--use->second.holds > 0) return;
  handlers.uses.erase(use);
  handlers.table.remove(handle);
}

}  // namespace heddle::mpi
