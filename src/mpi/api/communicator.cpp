// Communicators.
#include <fmt/core.h>

#include <cstring>

#include "mpi/api/call.hpp"
#include "mpi/comm/create.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

Communicator& intercommunicator(Process& process, int handle, const char* argument = "comm") {
  Communicator& found = communicator(process, handle, argument);
  if (!found.inter()) bad_argument(MPI_ERR_COMM, argument, "it is no intercommunicator");
  return found;
}

Communicator& intracommunicator(Process& process, int handle, const char* argument = "comm") {
  Communicator& found = communicator(process, handle, argument);
  if (found.inter()) bad_argument(MPI_ERR_COMM, argument, "it is an intercommunicator");
  return found;
}

int compared(const Communicator& a, const Communicator& b) {
  if (&a == &b) return MPI_IDENT;
  if (a.inter() != b.inter()) return MPI_UNEQUAL;
  const int groups = std::max(compare(a.group(), b.group()), compare(a.peers(), b.peers()));
  return groups == MPI_IDENT ? MPI_CONGRUENT : groups;
}

int duplicated(Communicator& parent, const InfoRef& info) {
  const int handle = duplicate(parent);
  Communicator& made = communicator(parent.process(), handle);
  made.info = info;
  parent.attributes.copy_to(made.attributes, parent.handle());
  return handle;
}

/// The colour of a process in a split by what its node shares, or MPI_UNDEFINED.
int colour_of(Process& process, const Communicator& parent, int type, MPI_Info info_handle) {
  const auto node = static_cast<int>(process.rank().node());
  if (type == MPI_COMM_TYPE_SHARED) return node;
  if (type == MPI_COMM_TYPE_HW_GUIDED) {
    const auto hints = info(process, info_handle);
    const std::string* wanted = hints ? hints->find("mpi_hw_resource_type") : nullptr;
    return wanted != nullptr && *wanted == "mpi_shared_memory" ? node : MPI_UNDEFINED;
  }
  if (type == MPI_COMM_TYPE_HW_UNGUIDED) {
    for (int i = 0; i < parent.size(); ++i) {
      const host::RankId other{parent.group().process(i)};
      if (static_cast<int>(process.world().job().rank(other).node()) != node) return node;
    }
    return MPI_UNDEFINED;
  }
  if (type != MPI_UNDEFINED) {
    bad_argument(MPI_ERR_ARG, "split_type", fmt::format("{} is no type of split", type));
  }
  return MPI_UNDEFINED;
}

void check_leader(const Group& group, int leader, const char* argument) {
  if (leader < 0 || leader >= group.size()) {
    bad_argument(MPI_ERR_RANK, argument,
                 fmt::format("{} is no rank: accepted are 0 to {}", leader, group.size() - 1));
  }
}

/// The handle names nothing afterwards.
int give_up(const char* name, MPI_Comm* comm, void (*end)(Communicator&)) {
  return call(name, comm == nullptr ? ErrorOwner{} : on_comm(*comm), [&](Process& process) {
    need(comm, "comm");
    Communicator& found = communicator(process, *comm);
    if (is_built_in(*comm)) bad_argument(MPI_ERR_COMM, "comm", found.label() + " cannot be freed");
    end(found);
    *comm = MPI_COMM_NULL;
  });
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  return call("MPI_Comm_compare", on_comm(comm1), [&](Process& process) {
    need(result, "result");
    *result =
        compared(communicator(process, comm1, "comm1"), communicator(process, comm2, "comm2"));
  });
}

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group_handle, MPI_Comm* newcomm) {
  return call("MPI_Comm_create", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    Communicator& parent = communicator(process, comm);
    const GroupRef members = group(process, group_handle);
    for (int i = 0; i < members->size(); ++i) {
      if (parent.group().rank(members->process(i)) == MPI_UNDEFINED) {
        bad_argument(MPI_ERR_GROUP, "group", "it has a member that the communicator has not");
      }
    }
    *newcomm = create_communicator(parent, members);
  });
}

int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group_handle, int tag, MPI_Comm* newcomm) {
  return call("MPI_Comm_create_group", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    Communicator& parent = intracommunicator(process, comm);
    *newcomm = create_from_group(parent, group(process, group_handle), tag);
  });
}

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  return call("MPI_Comm_dup", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    Communicator& parent = communicator(process, comm);
    *newcomm = MPI_COMM_NULL;
    *newcomm = duplicated(parent, parent.info);
  });
}

int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return call("MPI_Comm_dup_with_info", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    *newcomm = duplicated(communicator(process, comm), info_copy(process, info));
  });
}

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return call("MPI_Comm_idup", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    need(request, "request");
    *newcomm = MPI_COMM_NULL;
    *request = start_duplicate(communicator(process, comm), newcomm, nullptr, false);
  });
}

int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm,
                             MPI_Request* request) {
  return call("MPI_Comm_idup_with_info", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    need(request, "request");
    *newcomm = MPI_COMM_NULL;
    *request =
        start_duplicate(communicator(process, comm), newcomm, info_copy(process, info), true);
  });
}

int PMPI_Comm_free(MPI_Comm* comm) {
  return give_up("MPI_Comm_free", comm, free_communicator);
}

int PMPI_Comm_disconnect(MPI_Comm* comm) {
  return give_up("MPI_Comm_disconnect", comm, disconnect);
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  return call("MPI_Comm_group", on_comm(comm), [&](Process& process) {
    need(group, "group");
    *group = new_group(process, communicator(process, comm).data()->group);
  });
}

int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  return call("MPI_Comm_remote_group", on_comm(comm), [&](Process& process) {
    need(group, "group");
    *group = new_group(process, intercommunicator(process, comm).data()->remote);
  });
}

int PMPI_Comm_remote_size(MPI_Comm comm, int* size) {
  return call("MPI_Comm_remote_size", on_comm(comm), [&](Process& process) {
    need(size, "size");
    *size = intercommunicator(process, comm).peers().size();
  });
}

int PMPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  return call("MPI_Comm_test_inter", on_comm(comm), [&](Process& process) {
    need(flag, "flag");
    *flag = static_cast<int>(communicator(process, comm).inter());
  });
}

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return call("MPI_Comm_split", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    Communicator& parent = communicator(process, comm);
    if (color < 0 && color != MPI_UNDEFINED) {
      bad_argument(MPI_ERR_ARG, "color",
                   fmt::format("{} is negative: accepted are 0 and more, MPI_UNDEFINED", color));
    }
    *newcomm = split(parent, color, key);
  });
}

int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return call("MPI_Comm_split_type", on_comm(comm), [&](Process& process) {
    need(newcomm, "newcomm");
    Communicator& parent = intracommunicator(process, comm);
    const int colour = colour_of(process, parent, split_type, info);
    *newcomm = split(parent, colour, key);
    if (*newcomm == MPI_COMM_NULL) return;
    const std::shared_ptr<Info> told = heddle::mpi::info(process, info);
    if (told && split_type == MPI_COMM_TYPE_HW_UNGUIDED) {
      told->set("mpi_hw_resource_type", "mpi_shared_memory");
    }
    communicator(process, *newcomm).info = info_copy(process, info);
  });
}

int PMPI_Comm_get_name(MPI_Comm comm, char* name, int* length) {
  return call("MPI_Comm_get_name", on_comm(comm), [&](Process& process) {
    need(length, "length");
    const Communicator& found = communicator(process, comm);
    const std::string text = found.name.empty() && is_built_in(comm) ? found.label() : found.name;
    *length = static_cast<int>(text.size());
    std::memcpy(name, text.c_str(), text.size() + 1);
  });
}

int PMPI_Comm_set_name(MPI_Comm comm, const char* name) {
  return call("MPI_Comm_set_name", on_comm(comm), [&](Process& process) {
    communicator(process, comm).name = std::string(name).substr(0, MPI_MAX_OBJECT_NAME - 1);
  });
}

int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info* info_used) {
  return call("MPI_Comm_get_info", on_comm(comm), [&](Process& process) {
    need(info_used, "info_used");
    const InfoRef& used = communicator(process, comm).info;
    *info_used = new_info(process, used ? *used : Info{});
  });
}

int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  return call("MPI_Comm_set_info", on_comm(comm), [&](Process& process) {
    communicator(process, comm).info = info_copy(process, info);
  });
}

int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                          int remote_leader, int tag, MPI_Comm* newintercomm) {
  return call("MPI_Intercomm_create", on_comm(local_comm), [&](Process& process) {
    need(newintercomm, "newintercomm");
    Communicator& local = intracommunicator(process, local_comm, "local_comm");
    check_leader(local.group(), local_leader, "local_leader");
    // Only leaders name the peer communicator.
    Communicator* peer = &local;
    if (local.rank() == local_leader) {
      peer = &communicator(process, peer_comm, "peer_comm");
      check_leader(peer->peers(), remote_leader, "remote_leader");
    }
    *newintercomm = create_intercommunicator(local, local_leader, *peer, remote_leader, tag);
  });
}

int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  return call("MPI_Intercomm_merge", on_comm(intercomm), [&](Process& process) {
    need(newintracomm, "newintracomm");
    *newintracomm = merge(intercommunicator(process, intercomm, "intercomm"), high != 0);
  });
}

}  // extern "C"
