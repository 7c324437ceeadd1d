// The objects that a process has made: communicators, groups, keys, info objects, error handlers.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/comm/communicator.hpp"
#include "mpi/handle.hpp"

namespace heddle::mpi {

/// Part of a process: what its handles of these kinds mean.
struct Objects final : Part {
  static constexpr PartId kId = PartId::communicators;
  explicit Objects(Process& process);

  /// MPI_COMM_WORLD and, once it is needed, MPI_COMM_SELF.
  CommunicatorRef world;
  CommunicatorRef self;
  CommunicatorRef parent;  ///< With the processes that started this one, or null.
  HandleTable<CommunicatorRef, ObjectKind::communicator> communicators;
  HandleTable<GroupRef, ObjectKind::group> groups;
  HandleTable<KeyRef, ObjectKind::key> keys;
  HandleTable<std::shared_ptr<Info>, ObjectKind::info> infos;
  HandleTable<ErrorHandlerRef, ObjectKind::error_handler> error_handlers;
  /// How often the program holds the handle of an error handler, which is always the same one.
  struct HandlerUse {
    int handle;
    int holds;
  };
  std::unordered_map<const ErrorHandler*, HandlerUse> handler_uses;

  /// An error class or code that the program has added.
  struct AddedError {
    int error_class;
    std::string text = {};
  };
  std::vector<AddedError> errors;  ///< In the order of their numbers, which follow one another.

  // Values of the predefined attributes, which programs get pointers to.
  int tag_ub;
  int host;
  int io;
  int global_clock = 1;
  int universe;
  int last_code;
  int application;
};

/// The group of a handle; throws MPI_ERR_GROUP.
GroupRef group(Process& process, int handle, const char* argument = "group");
int new_group(Process& process, GroupRef group);
/// The program holds the handle of an error handler once less; throws MPI_ERR_ARG.
void free_handle(Process& process, int handle);
/// The number of the first error class or code that a program adds.
inline constexpr int kFirstAddedError = MPI_ERR_LASTCODE + 1;
/// What MPI_INFO_ENV says.
Info environment_info(Process& process);

}  // namespace heddle::mpi
