// The tools interface of one process: MPI_T sessions and handles.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "mpi/process.hpp"
#include "mpi/tools/variables.hpp"

// What the handles of mpi.h point to.
struct MPIR_T_cvar_handle_s {
  const heddle::mpi::ControlVariable* variable;
};
struct MPIR_T_pvar_handle_s {
  const heddle::mpi::PerformanceVariable* variable;
  MPI_T_pvar_session session;
};
struct MPIR_T_pvar_session_s {};

namespace heddle::mpi {

/// Objects that a program holds by their addresses.
template <class T>
class Owned {
 public:
  T* add(T object) {
    objects_.push_back(std::make_unique<T>(std::move(object)));
    return objects_.back().get();
  }
  bool has(const T* object) const { return find(object) != objects_.end(); }
  void remove(const T* object) { objects_.erase(find(object)); }
  template <class Condition>
  void remove_if(Condition condition) {
    std::erase_if(objects_, [&](const auto& object) { return condition(*object); });
  }

 private:
  auto find(const T* object) const {
    return std::find_if(objects_.begin(), objects_.end(),
                        [&](const auto& o) { return o.get() == object; });
  }
  std::vector<std::unique_ptr<T>> objects_;
};

/// What a process has of the tools interface. It works before MPI_Init and after MPI_Finalize, too.
class Tools final : public Part {
 public:
  explicit Tools(Process&) {}

  int users = 0;  ///< How often it was initialised and not finalised.
  Owned<MPIR_T_cvar_handle_s> control;
  Owned<MPIR_T_pvar_session_s> sessions;
  Owned<MPIR_T_pvar_handle_s> performance;
};

/// One call of the tools interface: `body(process, tools)` answers a code. No error handler is
/// told.
template <class Body>
int tools_call(Body body) {
  host::Rank* rank = host::current_rank();
  Process* process = rank == nullptr ? nullptr : Process::of(*rank);
  if (process == nullptr) return MPI_T_ERR_CANNOT_INIT;
  const host::Call mark(*rank);
  Tools& tools = process->part<Tools>();
  return tools.users == 0 ? MPI_T_ERR_NOT_INITIALIZED : body(*process, tools);
}

/// Whether `index` is one of `count` things.
constexpr bool within(int index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

/// Gives a text back: as much as fits, and its length with the end mark. Both places may be null.
void give_text(std::string_view text, char* to, int* length);

template <class T>
void give(T* to, T value) {
  if (to != nullptr) *to = value;
}

}  // namespace heddle::mpi
