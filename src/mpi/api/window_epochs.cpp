// Calls that open and close epochs of windows.
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/rma/window.hpp"

namespace heddle::mpi::epoch_calls {
namespace {

/// A call on a window: `body(process, window)` does it.
template <class Body>
int on_window(const char* name, MPI_Win win, Body body) {
  return call(name, on_win(win), [&](Process& process) { body(process, window(process, win)); });
}
/// A call on one member of a window; nothing happens for MPI_PROC_NULL.
template <class Body>
int on_member(const char* name, int rank, MPI_Win win, Body body) {
  return on_window(name, win, [&](Process& /*process*/, Window& on) {
    if (rank == MPI_PROC_NULL) return;
    if (rank < 0 || rank >= on.size()) {
      bad_argument(MPI_ERR_RANK, "rank",
                   std::to_string(rank) + " is not a rank of " + on.label() +
                       ": accepted are 0 to " + std::to_string(on.size() - 1) + ", MPI_PROC_NULL");
    }
    body(on);
  });
}

void check_assertion(int assertion) {
  constexpr int kKnown = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE |
                         MPI_MODE_NOSUCCEED;
  if ((assertion & ~kKnown) != 0) {
    bad_argument(MPI_ERR_ASSERT, "assert",
                 std::to_string(assertion) + " has bits that are no assertion");
  }
}

LockKind lock_kind(int type) {
  if (type == MPI_LOCK_SHARED) return LockKind::shared;
  if (type == MPI_LOCK_EXCLUSIVE) return LockKind::exclusive;
  bad_argument(MPI_ERR_LOCKTYPE, "lock_type",
               std::to_string(type) + ": accepted are MPI_LOCK_SHARED and MPI_LOCK_EXCLUSIVE");
}

}  // namespace
}  // namespace heddle::mpi::epoch_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Win_fence(int assertion, MPI_Win win) {
  return mpi::epoch_calls::on_window("MPI_Win_fence", win,
                                     [&](mpi::Process& /*process*/, mpi::Window& on) {
                                       mpi::epoch_calls::check_assertion(assertion);
                                       on.epochs().fence(assertion);
                                     });
}
int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
  return mpi::epoch_calls::on_window("MPI_Win_post", win,
                                     [&](mpi::Process& process, mpi::Window& on) {
                                       mpi::epoch_calls::check_assertion(assertion);
                                       on.epochs().post(*mpi::group(process, group), assertion);
                                     });
}
int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
  return mpi::epoch_calls::on_window("MPI_Win_start", win,
                                     [&](mpi::Process& process, mpi::Window& on) {
                                       mpi::epoch_calls::check_assertion(assertion);
                                       on.epochs().start(*mpi::group(process, group), assertion);
                                     });
}
int PMPI_Win_complete(MPI_Win win) {
  return mpi::epoch_calls::on_window(
      "MPI_Win_complete", win,
      [&](mpi::Process& /*process*/, mpi::Window& on) { on.epochs().complete(); });
}
int PMPI_Win_wait(MPI_Win win) {
  return mpi::epoch_calls::on_window(
      "MPI_Win_wait", win, [&](mpi::Process& /*process*/, mpi::Window& on) { on.epochs().wait(); });
}
int PMPI_Win_test(MPI_Win win, int* flag) {
  return mpi::epoch_calls::on_window("MPI_Win_test", win,
                                     [&](mpi::Process& /*process*/, mpi::Window& on) {
                                       mpi::need(flag, "flag");
                                       *flag = on.epochs().test() ? 1 : 0;
                                     });
}

int PMPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win) {
  return mpi::epoch_calls::on_member("MPI_Win_lock", rank, win, [&](mpi::Window& on) {
    mpi::epoch_calls::check_assertion(assertion);
    on.epochs().lock(rank, mpi::epoch_calls::lock_kind(lock_type), assertion);
  });
}
int PMPI_Win_unlock(int rank, MPI_Win win) {
  return mpi::epoch_calls::on_member("MPI_Win_unlock", rank, win,
                                     [&](mpi::Window& on) { on.epochs().unlock(rank); });
}
int PMPI_Win_lock_all(int assertion, MPI_Win win) {
  return mpi::epoch_calls::on_window("MPI_Win_lock_all", win,
                                     [&](mpi::Process& /*process*/, mpi::Window& on) {
                                       mpi::epoch_calls::check_assertion(assertion);
                                       on.epochs().lock_all(assertion);
                                     });
}
int PMPI_Win_unlock_all(MPI_Win win) {
  return mpi::epoch_calls::on_window(
      "MPI_Win_unlock_all", win,
      [&](mpi::Process& /*process*/, mpi::Window& on) { on.epochs().unlock_all(); });
}

int PMPI_Win_flush(int rank, MPI_Win win) {
  return mpi::epoch_calls::on_member("MPI_Win_flush", rank, win, [&](mpi::Window& on) {
    on.epochs().check_locked(rank);
    on.targets().flush(rank);
  });
}
int PMPI_Win_flush_all(MPI_Win win) {
  return mpi::epoch_calls::on_window("MPI_Win_flush_all", win,
                                     [&](mpi::Process& /*process*/, mpi::Window& on) {
                                       on.epochs().check_locked(-1);
                                       on.targets().flush(-1);
                                     });
}
int PMPI_Win_flush_local(int rank, MPI_Win win) {
  return mpi::epoch_calls::on_member("MPI_Win_flush_local", rank, win, [&](mpi::Window& on) {
    on.epochs().check_locked(rank);
    on.targets().flush_local(rank);
  });
}
int PMPI_Win_flush_local_all(MPI_Win win) {
  return mpi::epoch_calls::on_window("MPI_Win_flush_local_all", win,
                                     [&](mpi::Process& /*process*/, mpi::Window& on) {
                                       on.epochs().check_locked(-1);
                                       on.targets().flush_local(-1);
                                     });
}
/// All copies of a window are one.
int PMPI_Win_sync(MPI_Win win) {
  return mpi::epoch_calls::on_window(
      "MPI_Win_sync", win, [&](mpi::Process& process, mpi::Window& /*on*/) { process.settle(); });
}

}  // extern "C"
