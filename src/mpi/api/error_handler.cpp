// Error handlers, error classes and codes.
#include <fmt/core.h>

#include <cstring>

#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/error_classes.hpp"

namespace heddle::mpi {
namespace {

int new_handler(Process& process, HandlerOf of, void (*function)()) {
  return new_handle(process, std::make_shared<ErrorHandler>(
                                 ErrorHandler{ErrorHandler::Does::call, of, function}));
}

ErrorHandlers::AddedError* added(Process& process, int code) {
  auto& errors = process.part<ErrorHandlers>().errors;
  const auto place = static_cast<std::size_t>(code - kFirstAddedError);
  return code >= kFirstAddedError && place < errors.size() ? &errors[place] : nullptr;
}

int add_error(Process& process, int error_class) {
  ErrorHandlers& handlers = process.part<ErrorHandlers>();
  const int code = ++handlers.last_code;
  handlers.errors.push_back({error_class < 0 ? code : error_class});
  return code;
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;
using Function = void (*)();

extern "C" {

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handle) {
  return call("MPI_Comm_create_errhandler", [&](Process& process) {
    need(handle, "errhandler");
    *handle = new_handler(process, HandlerOf::communicator, reinterpret_cast<Function>(function));
  });
}

int PMPI_Errhandler_create(MPI_Comm_errhandler_function* function, MPI_Errhandler* handle) {
  return PMPI_Comm_create_errhandler(function, handle);
}

int PMPI_Win_create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handle) {
  return call("MPI_Win_create_errhandler", [&](Process& process) {
    need(handle, "errhandler");
    *handle = new_handler(process, HandlerOf::window, reinterpret_cast<Function>(function));
  });
}

int PMPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handle) {
  return call("MPI_File_create_errhandler", [&](Process& process) {
    need(handle, "errhandler");
    *handle = new_handler(process, HandlerOf::file, reinterpret_cast<Function>(function));
  });
}

int PMPI_Session_create_errhandler(MPI_Session_errhandler_function* function,
                                   MPI_Errhandler* handle) {
  return call_any_time("MPI_Session_create_errhandler", [&](Process& process) {
    need(handle, "errhandler");
    *handle = new_handler(process, HandlerOf::session, reinterpret_cast<Function>(function));
  });
}

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle) {
  return call("MPI_Comm_set_errhandler", on_comm(comm), [&](Process& process) {
    communicator(process, comm).error_handler =
        error_handler(process, handle, HandlerOf::communicator);
  });
}

int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handle) {
  return PMPI_Comm_set_errhandler(comm, handle);
}

int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handle) {
  return call("MPI_Comm_get_errhandler", on_comm(comm), [&](Process& process) {
    need(handle, "errhandler");
    *handle = new_handle(process, communicator(process, comm).error_handler);
  });
}

int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handle) {
  return PMPI_Comm_get_errhandler(comm, handle);
}

int PMPI_Errhandler_free(MPI_Errhandler* handle) {
  return call_any_time("MPI_Errhandler_free", [&](Process& process) {
    need(handle, "errhandler");
    if (!is_built_in(*handle)) free_handle(process, *handle);
    *handle = MPI_ERRHANDLER_NULL;
  });
}

int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  return call("MPI_Comm_call_errhandler", on_comm(comm), [&](Process& process) {
    communicator(process, comm);
    handle_error(process, "MPI_Comm_call_errhandler", on_comm(comm),
                 {errorcode, fmt::format("called with {}", errorcode)});
  });
}

int PMPI_Error_class(int errorcode, int* errorclass) {
  ErrorHandlers::AddedError* found = added(running_process("MPI_Error_class"), errorcode);
  *errorclass = found == nullptr ? errorcode : found->error_class;
  return MPI_SUCCESS;
}

int PMPI_Error_string(int errorcode, char* string, int* resultlen) {
  ErrorHandlers::AddedError* found = added(running_process("MPI_Error_string"), errorcode);
  const std::string text(found == nullptr ? error_text(errorcode) : found->text);
  std::memcpy(string, text.c_str(), text.size() + 1);
  *resultlen = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

int PMPI_Add_error_class(int* errorclass) {
  return call("MPI_Add_error_class", [&](Process& process) {
    need(errorclass, "errorclass");
    *errorclass = add_error(process, -1);
  });
}

int PMPI_Add_error_code(int errorclass, int* errorcode) {
  return call("MPI_Add_error_code", [&](Process& process) {
    need(errorcode, "errorcode");
    *errorcode = add_error(process, errorclass);
  });
}

int PMPI_Add_error_string(int errorcode, const char* string) {
  return call("MPI_Add_error_string", [&](Process& process) {
    ErrorHandlers::AddedError* found = added(process, errorcode);
    if (found == nullptr) {
      bad_argument(MPI_ERR_ARG, "errorcode", fmt::format("{} was not added", errorcode));
    }
    found->text = std::string(string).substr(0, MPI_MAX_ERROR_STRING - 1);
  });
}

}  // extern "C"
