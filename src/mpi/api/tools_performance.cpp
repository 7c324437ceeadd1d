// The tools interface: performance variables.
#include <cstring>

#include "mpi/tools/tools.hpp"

using namespace heddle;
using namespace heddle::mpi;

namespace {

/// A call on a session; `body()` answers it.
template <class Body>
int session_call(MPI_T_pvar_session session, Body body) {
  return tools_call([&](Process& process, Tools& tools) {
    return tools.sessions.has(session) ? body(process, tools) : MPI_T_ERR_INVALID_SESSION;
  });
}

/// Whether it is a handle of the session, or stands for all of them where that is allowed.
bool belongs(const Tools& tools, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return tools.performance.has(handle) && handle->session == session;
}

/// What is always counted and cannot be set refuses to be.
int refuse_change(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int code) {
  return session_call(session, [&](Process&, Tools& tools) {
    if (handle == MPI_T_PVAR_ALL_HANDLES) return MPI_SUCCESS;
    return belongs(tools, session, handle) ? code : MPI_T_ERR_INVALID_HANDLE;
  });
}

}  // namespace

extern "C" {

int PMPI_T_pvar_get_num(int* num_pvar) {
  return tools_call([&](Process&, Tools&) {
    if (num_pvar == nullptr) return MPI_T_ERR_INVALID;
    *num_pvar = static_cast<int>(performance_variables().size());
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                         MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                         int* bind, int* readonly, int* continuous, int* atomic) {
  return tools_call([&](Process&, Tools&) {
    if (!within(pvar_index, performance_variables().size())) return MPI_T_ERR_INVALID_INDEX;
    const PerformanceVariable& variable =
        performance_variables()[static_cast<std::size_t>(pvar_index)];
    give_text(variable.name, name, name_len);
    give_text(variable.meaning, desc, desc_len);
    give(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    give(var_class, variable.variable_class);
    give(datatype, variable.datatype);
    give(enumtype, MPI_T_ENUM_NULL);
    give(bind, MPI_T_BIND_NO_OBJECT);
    give(readonly, 1);
    give(continuous, 1);
    give(atomic, 0);
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_get_index(const char* name, int var_class, int* pvar_index) {
  return tools_call([&](Process&, Tools&) {
    if (name == nullptr || pvar_index == nullptr) return MPI_T_ERR_INVALID;
    const auto& all = performance_variables();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& v) {
      return v.name == name && v.variable_class == var_class;
    });
    if (found == all.end()) return MPI_T_ERR_INVALID_NAME;
    *pvar_index = static_cast<int>(found - all.begin());
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_session_create(MPI_T_pvar_session* session) {
  return tools_call([&](Process&, Tools& tools) {
    if (session == nullptr) return MPI_T_ERR_INVALID;
    *session = tools.sessions.add({});
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_session_free(MPI_T_pvar_session* session) {
  return tools_call([&](Process&, Tools& tools) {
    if (session == nullptr || !tools.sessions.has(*session)) return MPI_T_ERR_INVALID_SESSION;
    tools.performance.remove_if([&](const auto& handle) { return handle.session == *session; });
    tools.sessions.remove(*session);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void*,
                             MPI_T_pvar_handle* handle, int* count) {
  return session_call(session, [&](Process&, Tools& tools) {
    if (!within(pvar_index, performance_variables().size())) return MPI_T_ERR_INVALID_INDEX;
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    *handle = tools.performance.add(
        {&performance_variables()[static_cast<std::size_t>(pvar_index)], session});
    give(count, 1);
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  return session_call(session, [&](Process&, Tools& tools) {
    if (handle == nullptr || !belongs(tools, session, *handle)) return MPI_T_ERR_INVALID_HANDLE;
    tools.performance.remove(*handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
  return session_call(session, [&](Process& process, Tools& tools) {
    if (!belongs(tools, session, handle)) return MPI_T_ERR_INVALID_HANDLE;
    std::visit([&](auto value) { std::memcpy(buf, &value, sizeof value); },
               handle->variable->read(process));
    return MPI_SUCCESS;
  });
}

int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse_change(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}
int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse_change(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}
int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void*) {
  return refuse_change(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}
int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse_change(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void*) {
  return refuse_change(session, handle, MPI_T_ERR_PVAR_NO_ATOMIC);
}

}  // extern "C"
