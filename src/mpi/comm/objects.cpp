#include "mpi/comm/objects.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/comm/registry.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi {

Objects::Objects(Process& process)
    : world(make_ref<Communicator>(process, MPI_COMM_WORLD,
                                   process.world().part<Registry>().launch_of(process.id()).world)),
      tag_ub(kLargestTag),
      host(MPI_PROC_NULL),
      io(MPI_ANY_SOURCE),
      universe(static_cast<int>(
          std::max(process.world().size(), process.world().job().platform().nodes()))),
      application(
          process.world().part<Registry>().launch_of(process.id()).application(process.id())) {}

namespace {

/// Made when the program first names it.
[[gnu::noinline]] Communicator* find_self(Process& process, Objects& objects) {
  if (!objects.self) {
    objects.self = make_ref<Communicator>(process, MPI_COMM_SELF,
                                          process.world().part<Registry>().self(process));
  }
  return objects.self.get();
}

/// A part of both that ask.
[[gnu::always_inline]] inline Communicator* known_communicator(Process& process, int handle) {
  Objects& objects = process.part<Objects>();
  if (handle == MPI_COMM_WORLD) return objects.world.get();
  if (handle == MPI_COMM_SELF) return find_self(process, objects);
  CommunicatorRef* found = objects.communicators.find(handle);
  return found == nullptr ? nullptr : found->get();
}

/// Aside: most calls name one.
[[noreturn, gnu::noinline]] void no_such_communicator(int handle, const char* argument) {
  bad_argument(MPI_ERR_COMM, argument,
               handle == MPI_COMM_NULL
                   ? "MPI_COMM_NULL is no communicator here"
                   : fmt::format("{:#x} is no communicator", static_cast<unsigned>(handle)));
}

}  // namespace

Communicator* find_communicator(Process& process, int handle) {
  return known_communicator(process, handle);
}

Communicator& communicator(Process& process, int handle, const char* argument) {
  if (Communicator* found = known_communicator(process, handle)) return *found;
  no_such_communicator(handle, argument);
}

GroupRef group(Process& process, int handle, const char* argument) {
  if (handle == MPI_GROUP_EMPTY) return process.world().part<Registry>().empty_group();
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

std::shared_ptr<Info> info(Process& process, int handle) {
  if (handle == MPI_INFO_NULL) return nullptr;
  if (handle == MPI_INFO_ENV) return std::make_shared<Info>(environment_info(process));
  std::shared_ptr<Info>* found = process.part<Infos>().table.find(handle);
  if (found == nullptr) {
    bad_argument(MPI_ERR_INFO, "info",
                 fmt::format("{:#x} is no info object", static_cast<unsigned>(handle)));
  }
  return *found;
}

InfoRef info_copy(Process& process, int handle) {
  const std::shared_ptr<Info> found = info(process, handle);
  return found ? std::make_shared<const Info>(*found) : nullptr;
}

int new_info(Process& process, Info info) {
  return process.part<Infos>().table.add(std::make_shared<Info>(std::move(info)));
}

}  // namespace heddle::mpi
