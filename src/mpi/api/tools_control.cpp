// The tools interface: beginning, end and control variables.
#include <cstring>

#include "mpi/tools/tools.hpp"

using namespace heddle;
using namespace heddle::mpi;

extern "C" {

int PMPI_T_init_thread(int required, int* provided) {
  host::Rank* rank = host::current_rank();
  Process* process = rank == nullptr ? nullptr : Process::of(*rank);
  if (process == nullptr) return MPI_T_ERR_CANNOT_INIT;
  ++process->part<Tools>().users;
  *provided = std::min(required, MPI_THREAD_MULTIPLE);
  return MPI_SUCCESS;
}

int PMPI_T_finalize(void) {
  return tools_call([](Process&, Tools& tools) {
    --tools.users;
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_get_num(int* num_cvar) {
  return tools_call([&](Process&, Tools&) {
    if (num_cvar == nullptr) return MPI_T_ERR_INVALID;
    *num_cvar = static_cast<int>(control_variables().size());
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity,
                         MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                         int* bind, int* scope) {
  return tools_call([&](Process&, Tools&) {
    if (!within(cvar_index, control_variables().size())) return MPI_T_ERR_INVALID_INDEX;
    const ControlVariable& variable = control_variables()[static_cast<std::size_t>(cvar_index)];
    give_text(variable.name, name, name_len);
    give_text(variable.meaning, desc, desc_len);
    give(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    give(datatype, MPI_CHAR);
    give(enumtype, MPI_T_ENUM_NULL);
    give(bind, MPI_T_BIND_NO_OBJECT);
    give(scope, MPI_T_SCOPE_CONSTANT);
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_get_index(const char* name, int* cvar_index) {
  return tools_call([&](Process&, Tools&) {
    if (name == nullptr || cvar_index == nullptr) return MPI_T_ERR_INVALID;
    const auto& all = control_variables();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.name == name; });
    if (found == all.end()) return MPI_T_ERR_INVALID_NAME;
    *cvar_index = static_cast<int>(found - all.begin());
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_handle_alloc(int cvar_index, void*, MPI_T_cvar_handle* handle, int* count) {
  return tools_call([&](Process&, Tools& tools) {
    if (!within(cvar_index, control_variables().size())) return MPI_T_ERR_INVALID_INDEX;
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    *handle = tools.control.add({&control_variables()[static_cast<std::size_t>(cvar_index)]});
    give(count, kControlValueSize);
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle* handle) {
  return tools_call([&](Process&, Tools& tools) {
    if (handle == nullptr || !tools.control.has(*handle)) return MPI_T_ERR_INVALID_HANDLE;
    tools.control.remove(*handle);
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void* buf) {
  return tools_call([&](Process& process, Tools& tools) {
    if (!tools.control.has(handle)) return MPI_T_ERR_INVALID_HANDLE;
    std::strcpy(static_cast<char*>(buf), value_of(*handle->variable, process).c_str());
    return MPI_SUCCESS;
  });
}

int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void*) {
  return tools_call([&](Process&, Tools& tools) {
    return tools.control.has(handle) ? MPI_T_ERR_CVAR_SET_NEVER : MPI_T_ERR_INVALID_HANDLE;
  });
}

// No variable is an enumeration.
int PMPI_T_enum_get_info(MPI_T_enum, int*, char*, int*) {
  return tools_call([](Process&, Tools&) { return MPI_T_ERR_INVALID_HANDLE; });
}
int PMPI_T_enum_get_item(MPI_T_enum, int, int*, char*, int*) {
  return tools_call([](Process&, Tools&) { return MPI_T_ERR_INVALID_HANDLE; });
}

}  // extern "C"
