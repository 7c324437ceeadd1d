// The communicators, groups and info objects that a process has.
#pragma once

#include <mpi.h>

#include "mpi/comm/communicator.hpp"
#include "mpi/handle.hpp"

namespace heddle::mpi {

/// Part of a process: what its handles of these kinds mean.
struct Objects final : Part {
  explicit Objects(Process& process);

  /// MPI_COMM_WORLD and, once it is needed, MPI_COMM_SELF.
  CommunicatorRef world;
  CommunicatorRef self;
  CommunicatorRef parent;  ///< With the processes that started this one, or null.
  HandleTable<CommunicatorRef, ObjectKind::communicator> communicators;
  HandleTable<GroupRef, ObjectKind::group> groups;

  // Values of the predefined attributes, which programs get pointers to.
  int tag_ub;
  int host;
  int io;
  int global_clock = 1;
  int universe;
  int application;
};

/// Part of a process: its info objects by handle.
struct Infos final : Part {
  explicit Infos(Process&) {}
  HandleTable<std::shared_ptr<Info>, ObjectKind::info> table;
};

/// The group of a handle; throws MPI_ERR_GROUP.
GroupRef group(Process& process, int handle, const char* argument = "group");
int new_group(Process& process, GroupRef group);
/// The info object of a handle, MPI_INFO_ENV included, null for MPI_INFO_NULL; throws MPI_ERR_INFO.
std::shared_ptr<Info> info(Process& process, int handle);
/// A copy of what a handle says now, or null for MPI_INFO_NULL.
InfoRef info_copy(Process& process, int handle);
/// What MPI_INFO_ENV says.
Info environment_info(Process& process);
/// A handle of a new info object.
int new_info(Process& process, Info info);

}  // namespace heddle::mpi
