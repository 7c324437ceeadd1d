// Sessions: MPI without MPI_Init, begun by parts of a program that need not know of each other.
#pragma once

#include <memory>

#include "mpi/handle.hpp"
#include "mpi/objects/error_handler.hpp"
#include "mpi/objects/info.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

struct Session {
  ErrorHandlerRef error_handler;
  Info info;  ///< What holds of it.
};

/// Part of a process: its sessions by handle.
struct Sessions final : Part {
  explicit Sessions(Process&) {}
  HandleTable<std::shared_ptr<Session>, ObjectKind::session> table;
  /// MPI is usable for the sake of sessions alone: MPI_Init has not been called yet.
  bool without_init = false;
};

/// Whether MPI_Init has been called, whatever sessions there are.
bool world_initialised(const Process& process);
/// MPI_Init is called: sessions, if there are any, go on.
void join_sessions(Process& process);

}  // namespace heddle::mpi
