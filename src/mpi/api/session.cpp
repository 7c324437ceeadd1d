// Sessions, and communicators made of their groups.
#include "mpi/session/session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <functional>

#include "mpi/api/call.hpp"
#include "mpi/comm/create.hpp"
#include "mpi/comm/objects.hpp"

namespace heddle::mpi {
namespace {

/// The sets of processes that every session knows.
constexpr std::array<std::string_view, 2> kProcessSets = {"mpi://WORLD", "mpi://SELF"};

constexpr const char* kThreadLevelKey = "thread_level";

Session& session_of(Process& process, MPI_Session handle) {
  auto* found = process.part<Sessions>().table.find(handle);
  if (found == nullptr) bad_argument(MPI_ERR_SESSION, "session", "it is no session");
  return **found;
}

/// Capital letters or small ones make no difference.
bool same_set(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

GroupRef process_set(Process& process, std::string_view name) {
  if (same_set(name, kProcessSets[0])) return communicator(process, MPI_COMM_WORLD).data()->group;
  if (same_set(name, kProcessSets[1])) return communicator(process, MPI_COMM_SELF).data()->group;
  bad_argument(MPI_ERR_ARG, "pset_name",
               fmt::format("there is no set of processes '{}': accepted are {}, {}", name,
                           kProcessSets[0], kProcessSets[1]));
}

/// A call on a session; its error handler is told.
template <class Body>
int session_call(const char* name, MPI_Session handle, Body body) {
  int code = MPI_SUCCESS;
  const int outer = call(name, [&](Process& process) {
    Session& session = session_of(process, handle);
    const ErrorHandlerRef handler = session.error_handler;
    try {
      body(process, session);
    } catch (const Error& error) {
      // The handler's function gets the session's handle as others get a communicator's.
      code = tell_handler(process, name, handler, {ErrorOwner::Kind::communicator, handle}, error);
    }
  });
  return outer == MPI_SUCCESS ? code : outer;
}

/// A number that all callers with the same text have.
int number_of_tag(const char* text, int kind) {
  return static_cast<int>((std::hash<std::string_view>()(text) * 2 + static_cast<unsigned>(kind)) &
                          0x3fffffff);
}

void set_up(Process& process, int handle, MPI_Info info, MPI_Errhandler errhandler) {
  if (handle == MPI_COMM_NULL) return;
  Communicator& made = communicator(process, handle);
  made.error_handler = error_handler(process, errhandler, HandlerOf::communicator);
  made.info = info_copy(process, info);
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  Process& process = running_process("MPI_Session_init");
  if (process.phase == Phase::finalised) refuse_call(&process.rank(), "MPI_Session_init");
  Sessions& sessions = process.part<Sessions>();
  if (process.phase == Phase::before) {
    process.phase = Phase::initialised;
    sessions.without_init = true;
  }
  return call("MPI_Session_init", [&](Process&) {
    need(session, "session");
    Info used;
    const InfoRef wished = info_copy(process, info);
    const std::string* level = wished ? wished->find(kThreadLevelKey) : nullptr;
    used.set(kThreadLevelKey, level != nullptr ? *level : "MPI_THREAD_MULTIPLE");
    *session = sessions.table.add(std::make_shared<Session>(
        Session{error_handler(process, errhandler, HandlerOf::session), std::move(used)}));
  });
}

int PMPI_Session_finalize(MPI_Session* session) {
  return session_call("MPI_Session_finalize", *session, [&](Process& process, Session&) {
    need(session, "session");
    Sessions& sessions = process.part<Sessions>();
    sessions.table.remove(*session);
    *session = MPI_SESSION_NULL;
    process.settle();
    if (!sessions.without_init || sessions.table.size() > 0) return;
    sessions.without_init = false;
    process.phase = Phase::before;
  });
}

int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info, int* npset_names) {
  return session_call("MPI_Session_get_num_psets", session, [&](Process&, Session&) {
    need(npset_names, "npset_names");
    *npset_names = static_cast<int>(kProcessSets.size());
  });
}

int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info, int n, int* pset_len,
                              char* pset_name) {
  return session_call("MPI_Session_get_nth_pset", session, [&](Process&, Session&) {
    need(pset_len, "pset_len");
    if (n < 0 || static_cast<std::size_t>(n) >= kProcessSets.size()) {
      bad_argument(MPI_ERR_ARG, "n", fmt::format("{} is not the number of a set of processes", n));
    }
    const std::string_view name = kProcessSets[static_cast<std::size_t>(n)];
    if (*pset_len > 0 && pset_name != nullptr) {
      const std::size_t size = std::min(name.size(), static_cast<std::size_t>(*pset_len) - 1);
      std::memcpy(pset_name, name.data(), size);
      pset_name[size] = '\0';
    }
    *pset_len = static_cast<int>(name.size()) + 1;
  });
}

int PMPI_Session_get_pset_info(MPI_Session session, const char* pset_name, MPI_Info* made) {
  return session_call("MPI_Session_get_pset_info", session, [&](Process& process, Session&) {
    need(made, "made");
    Info about;
    about.set("mpi_size", std::to_string(process_set(process, pset_name)->size()));
    *made = new_info(process, std::move(about));
  });
}

int PMPI_Session_get_info(MPI_Session session, MPI_Info* info_used) {
  return session_call("MPI_Session_get_info", session, [&](Process& process, Session& own) {
    need(info_used, "info_used");
    *info_used = new_info(process, own.info);
  });
}

int PMPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler) {
  return session_call("MPI_Session_set_errhandler", session, [&](Process& process, Session& own) {
    own.error_handler = error_handler(process, errhandler, HandlerOf::session);
  });
}

int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler* errhandler) {
  return session_call("MPI_Session_get_errhandler", session, [&](Process& process, Session& own) {
    need(errhandler, "errhandler");
    *errhandler = new_handle(process, own.error_handler);
  });
}

int PMPI_Session_call_errhandler(MPI_Session session, int errorcode) {
  // Whatever the handler makes of it, the call itself went well.
  session_call("MPI_Session_call_errhandler", session, [&](Process&, Session&) {
    throw Error{errorcode, fmt::format("called with {}", errorcode)};
  });
  return MPI_SUCCESS;
}

int PMPI_Group_from_session_pset(MPI_Session session, const char* pset_name, MPI_Group* newgroup) {
  return session_call("MPI_Group_from_session_pset", session, [&](Process& process, Session&) {
    need(newgroup, "newgroup");
    *newgroup = new_group(process, process_set(process, pset_name));
  });
}

int PMPI_Comm_create_from_group(MPI_Group group_handle, const char* stringtag, MPI_Info info,
                                MPI_Errhandler errhandler, MPI_Comm* newcomm) {
  return call("MPI_Comm_create_from_group", [&](Process& process) {
    need(newcomm, "newcomm");
    const GroupRef members = group(process, group_handle);
    *newcomm = MPI_COMM_NULL;
    if (members->size() == 0) return;
    Communicator& world = communicator(process, MPI_COMM_WORLD);
    *newcomm = create_from_group(world, members, number_of_tag(stringtag, 0));
    set_up(process, *newcomm, info, errhandler);
  });
}

int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader,
                                      MPI_Group remote_group, int remote_leader,
                                      const char* stringtag, MPI_Info info,
                                      MPI_Errhandler errhandler, MPI_Comm* newintercomm) {
  return call("MPI_Intercomm_create_from_groups", [&](Process& process) {
    need(newintercomm, "newintercomm");
    const GroupRef members = group(process, local_group, "local_group");
    *newintercomm = MPI_COMM_NULL;
    if (members->size() == 0) return;
    Communicator& world = communicator(process, MPI_COMM_WORLD);
    const int tag = number_of_tag(stringtag, 1);
    Communicator& local = communicator(process, create_from_group(world, members, tag));
    int leader = 0;
    if (local.rank() == local_leader) {
      const GroupRef others = group(process, remote_group, "remote_group");
      leader = world.group().rank(others->process(remote_leader));
    }
    *newintercomm = create_intercommunicator(local, local_leader, world, leader, tag);
    free_communicator(local);
    set_up(process, *newintercomm, info, errhandler);
  });
}

}  // extern "C"
