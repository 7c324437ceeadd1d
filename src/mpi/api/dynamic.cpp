// Dynamic processes.
#include "mpi/comm/dynamic.hpp"

#include <fmt/core.h>

#include <cstring>

#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"

namespace heddle::mpi {
namespace {

Communicator& spawning_communicator(Process& process, MPI_Comm comm, int root) {
  Communicator& found = communicator(process, comm);
  if (found.inter()) bad_argument(MPI_ERR_COMM, "comm", "it is an intercommunicator");
  if (root < 0 || root >= found.size()) {
    bad_argument(MPI_ERR_ROOT, "root",
                 fmt::format("{} is not a rank of {}: accepted are 0 to {}", root, found.label(),
                             found.size() - 1));
  }
  return found;
}

SpawnCommand command_of(Process& process, const char* program, char* const* arguments,
                        int processes, MPI_Info info_handle) {
  if (program == nullptr || *program == '\0') bad_argument(MPI_ERR_ARG, "command", "it is empty");
  if (processes < 0) {
    bad_argument(MPI_ERR_ARG, "maxprocs", fmt::format("{} is negative", processes));
  }
  SpawnCommand command{program, {}, static_cast<std::uint32_t>(processes)};
  for (; arguments != nullptr && *arguments != nullptr; ++arguments) {
    command.arguments.emplace_back(*arguments);
  }
  const InfoRef hints = info_copy(process, info_handle);
  if (!hints) return command;
  if (const std::string* search = hints->find("path")) command.search = *search;
  if (const std::string* folder = hints->find("wdir")) command.folder = *folder;
  return command;
}

/// Starts what `commands()` says at the root; all learn what became of each process.
template <class Commands>
void spawn_all(Process& process, MPI_Comm comm, int root, const Commands& commands,
               MPI_Comm* intercomm, int* codes) {
  need(intercomm, "intercomm");
  Communicator& local = spawning_communicator(process, comm, root);
  std::vector<SpawnCommand> list;
  if (local.rank() == root) list = commands();
  *intercomm = spawn(local, root, list);
  if (codes == MPI_ERRCODES_IGNORE) return;
  const int started = communicator(process, *intercomm).peers().size();
  std::fill_n(codes, started, MPI_SUCCESS);
}

int meet(const char* name, const char* port, int root, MPI_Comm comm, MPI_Comm* newcomm,
         Ports::Side side) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    Communicator& local = spawning_communicator(process, comm, root);
    *newcomm = meet_at_port(local, root, local.rank() == root ? port : "", side);
  });
}

void put_port_name(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Comm_spawn(const char* command, char* argv[], int maxprocs, MPI_Info info, int root,
                    MPI_Comm comm, MPI_Comm* intercomm, int array_of_errcodes[]) {
  return call("MPI_Comm_spawn", on_comm(comm), [&](Process& process) {
    const auto commands = [&] {
      return std::vector{command_of(process, command, argv, maxprocs, info)};
    };
    spawn_all(process, comm, root, commands, intercomm, array_of_errcodes);
  });
}

int PMPI_Comm_spawn_multiple(int count, char* array_of_commands[], char** array_of_argv[],
                             const int array_of_maxprocs[], const MPI_Info array_of_info[],
                             int root, MPI_Comm comm, MPI_Comm* intercomm,
                             int array_of_errcodes[]) {
  return call("MPI_Comm_spawn_multiple", on_comm(comm), [&](Process& process) {
    const auto commands = [&] {
      std::vector<SpawnCommand> list;
      for (int i = 0; i < count; ++i) {
        list.push_back(command_of(process, array_of_commands[i],
                                  array_of_argv == MPI_ARGVS_NULL ? nullptr : array_of_argv[i],
                                  array_of_maxprocs[i], array_of_info[i]));
      }
      return list;
    };
    spawn_all(process, comm, root, commands, intercomm, array_of_errcodes);
  });
}

int PMPI_Comm_get_parent(MPI_Comm* parent) {
  return call("MPI_Comm_get_parent", [&](Process& process) {
    need(parent, "parent");
    const CommunicatorRef& known = process.part<Objects>().parent;
    const bool there = known && find_communicator(process, known->handle()) == known.get();
    *parent = there ? known->handle() : MPI_COMM_NULL;
  });
}

int PMPI_Comm_accept(const char* port_name, MPI_Info, int root, MPI_Comm comm, MPI_Comm* newcomm) {
  return meet("MPI_Comm_accept", port_name, root, comm, newcomm, Ports::Side::accepts);
}

int PMPI_Comm_connect(const char* port_name, MPI_Info, int root, MPI_Comm comm, MPI_Comm* newcomm) {
  return meet("MPI_Comm_connect", port_name, root, comm, newcomm, Ports::Side::connects);
}

int PMPI_Comm_join(int, MPI_Comm* intercomm) {
  return call("MPI_Comm_join", [&](Process&) {
    need(intercomm, "intercomm");
    *intercomm = MPI_COMM_NULL;
    throw Error{MPI_ERR_OTHER,
                "simulated processes have no sockets between them: MPI_Comm_connect and "
                "MPI_Comm_accept join them"};
  });
}

int PMPI_Open_port(MPI_Info, char* port_name) {
  return call("MPI_Open_port", [&](Process& process) {
    put_port_name(process.world().part<Ports>().open(), port_name);
  });
}

int PMPI_Close_port(const char* port_name) {
  return call("MPI_Close_port",
              [&](Process& process) { process.world().part<Ports>().close(port_name); });
}

int PMPI_Publish_name(const char* service_name, MPI_Info, const char* port_name) {
  return call("MPI_Publish_name", [&](Process& process) {
    process.world().part<Ports>().publish(service_name, port_name);
  });
}

int PMPI_Unpublish_name(const char* service_name, MPI_Info, const char*) {
  return call("MPI_Unpublish_name",
              [&](Process& process) { process.world().part<Ports>().unpublish(service_name); });
}

int PMPI_Lookup_name(const char* service_name, MPI_Info, char* port_name) {
  return call("MPI_Lookup_name", [&](Process& process) {
    put_port_name(process.world().part<Ports>().look_up(service_name), port_name);
  });
}

}  // extern "C"
