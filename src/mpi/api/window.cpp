// Calls that make windows, and those that ask what they are.
#include <algorithm>
#include <cstring>
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/rma/create.hpp"

namespace heddle::mpi::window_calls {
namespace {

/// What a process can address.
constexpr std::int64_t kLargestMemory = std::int64_t{1} << 47;

void check_memory(std::int64_t size, std::int64_t unit) {
  if (size < 0) {
    bad_argument(MPI_ERR_SIZE, "size", std::to_string(size) + ": accepted are 0 and more");
  }
  // The sum of all members' memory is computed with, too.
  if (size > kLargestMemory) {
    bad_argument(MPI_ERR_SIZE, "size", std::to_string(size) + ": accepted are at most 2^47");
  }
  if (unit <= 0) {
    bad_argument(MPI_ERR_ARG, "disp_unit", std::to_string(unit) + ": accepted are 1 and more");
  }
}

int create(const char* name, int flavor, void* base, std::int64_t size, std::int64_t unit,
           MPI_Info info, MPI_Comm comm, void** base_pointer, MPI_Win* win) {
  return call(name, on_comm(comm), [&](Process& process) {
    need(win, "win");
    Communicator& over = communicator(process, comm);
    check_memory(size, unit);
    if (base == nullptr && size > 0 && flavor == MPI_WIN_FLAVOR_CREATE) {
      bad_argument(MPI_ERR_BUFFER, "base", "is a null pointer");
    }
    Window& made = create_window(over, {flavor, base, size, unit, info_copy(process, info)});
    if (base_pointer != nullptr) *base_pointer = made.member(made.rank()).memory.base;
    *win = made.handle;
  });
}

/// The first member that has memory stands for MPI_PROC_NULL.
int first_with_memory(Window& window) {
  for (int i = 0; i < window.size(); ++i) {
    if (window.member(i).memory.size > 0) return i;
  }
  return -1;
}

template <class Unit>
int shared_query(const char* name, MPI_Win win, int rank, MPI_Aint* size, Unit* unit, void** base) {
  return call(name, on_win(win), [&](Process& process) {
    need(size, "size");
    need(unit, "disp_unit");
    Window& on = window(process, win);
    if (on.data().flavor != MPI_WIN_FLAVOR_SHARED) {
      bad_argument(MPI_ERR_RMA_FLAVOR, "win", "was not made by MPI_Win_allocate_shared");
    }
    if (rank != MPI_PROC_NULL && (rank < 0 || rank >= on.size())) {
      bad_argument(MPI_ERR_RANK, "rank",
                   std::to_string(rank) + ": accepted are 0 to " + std::to_string(on.size() - 1) +
                       ", MPI_PROC_NULL");
    }
    const int of = rank == MPI_PROC_NULL ? first_with_memory(on) : rank;
    *size = of < 0 ? 0 : on.member(of).memory.size;
    *unit = of < 0 ? 1 : static_cast<Unit>(on.member(of).unit);
    *base = of < 0 ? nullptr : on.member(of).memory.base;
  });
}

/// The value of a predefined attribute, or false.
bool predefined_attribute(Window& window, int key, void** value) {
  switch (key) {
    case MPI_WIN_BASE:
      *value = window.data().flavor == MPI_WIN_FLAVOR_DYNAMIC
                   ? nullptr
                   : window.member(window.rank()).memory.base;
      return true;
    case MPI_WIN_SIZE:
      *value = &window.attribute_size;
      return true;
    case MPI_WIN_DISP_UNIT:
      *value = &window.attribute_unit;
      return true;
    case MPI_WIN_CREATE_FLAVOR:
      *value = &window.attribute_flavor;
      return true;
    case MPI_WIN_MODEL:
      *value = &window.attribute_model;
      return true;
    default:
      return false;
  }
}

void refuse_predefined(int key) {
  if (key == MPI_WIN_BASE || key == MPI_WIN_SIZE || key == MPI_WIN_DISP_UNIT ||
      key == MPI_WIN_CREATE_FLAVOR || key == MPI_WIN_MODEL) {
    bad_argument(MPI_ERR_KEYVAL, "win_keyval", "is predefined and cannot be changed");
  }
}

/// What holds of a window when nothing was said.
Info used_info(Window& window) {
  Info info;
  info.set("no_locks", "false");
  info.set("accumulate_ordering", "rar,raw,war,waw");
  info.set("accumulate_ops", "same_op_no_op");
  info.set("same_size", "false");
  info.set("same_disp_unit", "false");
  if (window.data().flavor == MPI_WIN_FLAVOR_SHARED) info.set("alloc_shared_noncontig", "false");
  if (window.info == nullptr) return info;
  for (const auto& [key, value] : window.info->entries()) info.set(key, value);
  return info;
}

}  // namespace
}  // namespace heddle::mpi::window_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                    MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_create", MPI_WIN_FLAVOR_CREATE, base, size, disp_unit,
                                   info, comm, nullptr, win);
}
int PMPI_Win_create_c(void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                      MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_create_c", MPI_WIN_FLAVOR_CREATE, base, size, disp_unit,
                                   info, comm, nullptr, win);
}
int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                      MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_allocate", MPI_WIN_FLAVOR_ALLOCATE, nullptr, size,
                                   disp_unit, info, comm, static_cast<void**>(baseptr), win);
}
int PMPI_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                        void* baseptr, MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_allocate_c", MPI_WIN_FLAVOR_ALLOCATE, nullptr, size,
                                   disp_unit, info, comm, static_cast<void**>(baseptr), win);
}
int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                             void* baseptr, MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_allocate_shared", MPI_WIN_FLAVOR_SHARED, nullptr, size,
                                   disp_unit, info, comm, static_cast<void**>(baseptr), win);
}
int PMPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                               void* baseptr, MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_allocate_shared_c", MPI_WIN_FLAVOR_SHARED, nullptr,
                                   size, disp_unit, info, comm, static_cast<void**>(baseptr), win);
}
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return mpi::window_calls::create("MPI_Win_create_dynamic", MPI_WIN_FLAVOR_DYNAMIC, nullptr, 0, 1,
                                   info, comm, nullptr, win);
}
int PMPI_Win_free(MPI_Win* win) {
  return mpi::call("MPI_Win_free", win == nullptr ? mpi::ErrorOwner{} : mpi::on_win(*win),
                   [&](mpi::Process& process) {
                     mpi::need(win, "win");
                     mpi::Window& on = mpi::window(process, *win);
                     on.attributes.clear(*win);
                     mpi::free_window(on);
                     *win = MPI_WIN_NULL;
                   });
}

int PMPI_Win_attach(MPI_Win win, void* base, MPI_Aint size) {
  return mpi::call("MPI_Win_attach", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::Window& on = mpi::window(process, win);
    if (on.data().flavor != MPI_WIN_FLAVOR_DYNAMIC) {
      mpi::bad_argument(MPI_ERR_RMA_FLAVOR, "win", "was not made by MPI_Win_create_dynamic");
    }
    mpi::window_calls::check_memory(size, 1);
    mpi::attach(on, base, size);
  });
}
int PMPI_Win_detach(MPI_Win win, const void* base) {
  return mpi::call("MPI_Win_detach", mpi::on_win(win),
                   [&](mpi::Process& process) { mpi::detach(mpi::window(process, win), base); });
}
int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr) {
  return mpi::window_calls::shared_query("MPI_Win_shared_query", win, rank, size, disp_unit,
                                         static_cast<void**>(baseptr));
}
int PMPI_Win_shared_query_c(MPI_Win win, int rank, MPI_Aint* size, MPI_Aint* disp_unit,
                            void* baseptr) {
  return mpi::window_calls::shared_query("MPI_Win_shared_query_c", win, rank, size, disp_unit,
                                         static_cast<void**>(baseptr));
}

int PMPI_Win_get_group(MPI_Win win, MPI_Group* group) {
  return mpi::call("MPI_Win_get_group", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::need(group, "group");
    *group = mpi::new_group(process, mpi::window(process, win).communicator().data()->group);
  });
}
int PMPI_Win_get_name(MPI_Win win, char* win_name, int* resultlen) {
  return mpi::call("MPI_Win_get_name", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::need(resultlen, "resultlen");
    const std::string& name = mpi::window(process, win).name;
    std::memcpy(win_name, name.c_str(), name.size() + 1);
    *resultlen = static_cast<int>(name.size());
  });
}
int PMPI_Win_set_name(MPI_Win win, const char* win_name) {
  return mpi::call("MPI_Win_set_name", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::window(process, win).name.assign(win_name, strnlen(win_name, MPI_MAX_OBJECT_NAME - 1));
  });
}
int PMPI_Win_get_info(MPI_Win win, MPI_Info* info_used) {
  return mpi::call("MPI_Win_get_info", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::need(info_used, "info_used");
    *info_used = mpi::new_info(process, mpi::window_calls::used_info(mpi::window(process, win)));
  });
}
int PMPI_Win_set_info(MPI_Win win, MPI_Info info) {
  return mpi::call("MPI_Win_set_info", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::Window& on = mpi::window(process, win);
    mpi::Info merged;
    if (on.info) merged = *on.info;
    if (const mpi::InfoRef given = mpi::info_copy(process, info)) {
      for (const auto& [key, value] : given->entries()) merged.set(key, value);
    }
    on.info = std::make_shared<const mpi::Info>(std::move(merged));
  });
}

int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  return mpi::call("MPI_Win_set_errhandler", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::window(process, win).error_handler =
        mpi::error_handler(process, errhandler, mpi::HandlerOf::window);
  });
}
int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler) {
  return mpi::call("MPI_Win_get_errhandler", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::need(errhandler, "errhandler");
    *errhandler = mpi::new_handle(process, mpi::window(process, win).error_handler);
  });
}

int PMPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  return mpi::call("MPI_Win_call_errhandler", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::tell_handler(process, process.call, mpi::window(process, win).error_handler,
                      mpi::on_win(win), {errorcode, "called by the program"});
  });
}

int PMPI_Win_create_keyval(MPI_Win_copy_attr_function* win_copy_attr_fn,
                           MPI_Win_delete_attr_function* win_delete_attr_fn, int* win_keyval,
                           void* extra_state) {
  return mpi::call("MPI_Win_create_keyval", [&](mpi::Process& process) {
    mpi::need(win_keyval, "win_keyval");
    *win_keyval = mpi::new_key(process, mpi::KeyOf::window, win_copy_attr_fn, win_delete_attr_fn,
                               extra_state);
  });
}
int PMPI_Win_free_keyval(int* win_keyval) {
  return mpi::call("MPI_Win_free_keyval", [&](mpi::Process& process) {
    mpi::need(win_keyval, "win_keyval");
    mpi::free_key(process, *win_keyval, mpi::KeyOf::window);
    *win_keyval = MPI_KEYVAL_INVALID;
  });
}
int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void* attribute_val) {
  return mpi::call("MPI_Win_set_attr", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::Window& on = mpi::window(process, win);
    mpi::window_calls::refuse_predefined(win_keyval);
    on.attributes.set(win, mpi::key(process, win_keyval, mpi::KeyOf::window), attribute_val);
  });
}
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void* attribute_val, int* flag) {
  return mpi::call("MPI_Win_get_attr", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::need(flag, "flag");
    mpi::Window& on = mpi::window(process, win);
    auto** value = static_cast<void**>(attribute_val);
    *flag = 1;
    if (mpi::window_calls::predefined_attribute(on, win_keyval, value)) return;
    mpi::key(process, win_keyval, mpi::KeyOf::window);
    *flag = on.attributes.get(win_keyval, value) ? 1 : 0;
  });
}
int PMPI_Win_delete_attr(MPI_Win win, int win_keyval) {
  return mpi::call("MPI_Win_delete_attr", mpi::on_win(win), [&](mpi::Process& process) {
    mpi::Window& on = mpi::window(process, win);
    mpi::window_calls::refuse_predefined(win_keyval);
    on.attributes.remove(win, mpi::key(process, win_keyval, mpi::KeyOf::window));
  });
}

}  // extern "C"
