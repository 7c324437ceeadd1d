#include "mpi/comm/objects.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/comm/registry.hpp"
#include "mpi/error.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

Objects::Objects(Process& process)
    : world(make_ref<Communicator>(process, MPI_COMM_WORLD,
                                   process.world().registry().launch_of(process.id()).world)),
      tag_ub(kLargestTag),
      host(MPI_PROC_NULL),
      io(MPI_ANY_SOURCE),
      universe(static_cast<int>(
          std::max(process.world().size(), process.world().job().platform().nodes()))),
      last_code(kFirstAddedError - 1),
      application(process.world().registry().launch_of(process.id()).application(process.id())) {}

namespace {

/// Made when the program first names it.
[[gnu::noinline]] Communicator* find_self(Process& process, Objects& objects) {
  if (!objects.self) {
    objects.self =
        make_ref<Communicator>(process, MPI_COMM_SELF, process.world().registry().self(process));
  }
  return objects.self.get();
}

}  // namespace

Communicator* find_communicator(Process& process, int handle) {
  Objects& objects = process.part<Objects>();
  if (handle == MPI_COMM_WORLD) return objects.world.get();
  if (handle == MPI_COMM_SELF) return find_self(process, objects);
  CommunicatorRef* found = objects.communicators.find(handle);
  return found == nullptr ? nullptr : found->get();
}

Communicator& communicator(Process& process, int handle, const char* argument) {
  if (Communicator* found = find_communicator(process, handle)) return *found;
  bad_argument(MPI_ERR_COMM, argument,
               handle == MPI_COMM_NULL
                   ? "MPI_COMM_NULL is no communicator here"
                   : fmt::format("{:#x} is no communicator", static_cast<unsigned>(handle)));
}

GroupRef group(Process& process, int handle, const char* argument) {
  if (handle == MPI_GROUP_EMPTY) return process.world().registry().empty_group();
  if (GroupRef* found = process.part<Objects>().groups.find(handle)) return *found;
  bad_argument(MPI_ERR_GROUP, argument,
               handle == MPI_GROUP_NULL
                   ? "MPI_GROUP_NULL is no group here"
                   : fmt::format("{:#x} is no group", static_cast<unsigned>(handle)));
}

int new_group(Process& process, GroupRef group) {
  if (group->size() == 0) return MPI_GROUP_EMPTY;
  return process.part<Objects>().groups.add(std::move(group));
}

Info environment_info(Process& process) {
  Info info;
  info.set("maxprocs", std::to_string(communicator(process, MPI_COMM_WORLD).size()));
  info.set("host", process.rank().node_name());
  info.set("thread_level", "MPI_THREAD_MULTIPLE");
  return info;
}

ErrorHandlerRef error_handler(Process& process, int handle, HandlerOf of) {
  if (handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_ABORT) return nullptr;
  if (handle == MPI_ERRORS_RETURN)
    return std::make_shared<ErrorHandler>(ErrorHandler{ErrorHandler::Does::return_code});
  ErrorHandlerRef* found = process.part<Objects>().error_handlers.find(handle);
  if (found != nullptr && ((*found)->of == of || (*found)->of == HandlerOf::any)) return *found;
  bad_argument(MPI_ERR_ARG, "errhandler",
               fmt::format("{:#x} is no error handler for this kind of object",
                           static_cast<unsigned>(handle)));
}

int new_handle(Process& process, const ErrorHandlerRef& handler) {
  if (handler == nullptr) return MPI_ERRORS_ARE_FATAL;
  if (handler->does == ErrorHandler::Does::return_code) return MPI_ERRORS_RETURN;
  Objects& objects = process.part<Objects>();
  const auto [use, fresh] = objects.handler_uses.try_emplace(handler.get(), Objects::HandlerUse{});
  if (fresh) use->second.handle = objects.error_handlers.add(handler);
  ++use->second.holds;
  return use->second.handle;
}

void free_handle(Process& process, int handle) {
  Objects& objects = process.part<Objects>();
  const ErrorHandlerRef* found = objects.error_handlers.find(handle);
  if (found == nullptr) bad_argument(MPI_ERR_ARG, "errhandler", "it is no error handler");
  const auto use = objects.handler_uses.find(found->get());
  if (--use->second.holds > 0) return;
  objects.handler_uses.erase(use);
  objects.error_handlers.remove(handle);
}

}  // namespace heddle::mpi
