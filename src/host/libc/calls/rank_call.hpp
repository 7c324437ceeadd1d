// What the functions in this folder share. They have the names of the C library's and take their
// place for everything in the simulator's process: code of ranks gets what belongs to its simulated
// process, everybody else the real function.
#pragma once

#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <cerrno>

#include "host/libc/real_function.hpp"
#include "host/program/process.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/unchecked.hpp"

namespace heddle::host {

/// The process whose code is running, or null outside of ranks that run a loaded program.
HEDDLE_UNCHECKED inline Process* current_process() {
  const Rank* rank = current_rank();
  return rank == nullptr ? nullptr : process_of(*rank);
}

/// Those of the run whose code is running, or null outside of such ranks.
HEDDLE_UNCHECKED inline RankStreams* shared_streams() {
  const Process* process = current_process();
  return process == nullptr ? nullptr : process->shared_streams();
}

/// Whether this is the process of the simulator, and not a child of vfork() that has its memory for
/// a while and may do as it likes.
inline const long kSimulatorProcess = syscall(SYS_getpid);
HEDDLE_UNCHECKED inline bool in_simulator() {
  return syscall(SYS_getpid) == kSimulatorProcess;
}

/// An error number as functions that set errno give it.
inline int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}
/// An error number as the functions of <threads.h> give it.
inline int c_status(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
    case EAGAIN:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

}  // namespace heddle::host
