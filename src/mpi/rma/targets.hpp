// The targets of one origin's operations on a window.
#pragma once

#include <cstdint>
#include <map>

#include "mpi/rma/lock_queue.hpp"

namespace heddle::mpi {

class Window;
struct RmaOperation;

/// What an origin knows of one target.
struct RmaTarget {
  RmaOperation* first = nullptr;  ///< Operations that have not been done at the target, in order.
  RmaOperation* last = nullptr;
  std::int64_t unfinished = 0;  ///< Operations that are not complete at the target.
  std::int64_t unsent = 0;      ///< Operations whose origin's memory is still needed.
  bool locked = false;
  bool waits = false;  ///< For the target to say that all is done.
  LockKind lock = LockKind::shared;
  bool granted = false;
  bool free_of_locks = false;  ///< Locked with MPI_MODE_NOCHECK.
  int posts = 0;               ///< Of MPI_Win_post that have not met their MPI_Win_start.
};

/// Those that a member of a window has had to do with, and what is under way to them.
class Targets {
 public:
  explicit Targets(Window& window) : window_(window) {}
  RmaTarget& of(int rank) { return targets_[rank]; }
  /// The same, or null if the member has had nothing to do with it.
  const RmaTarget* find(int rank) const {
    const auto found = targets_.find(rank);
    return found == targets_.end() ? nullptr : &found->second;
  }
  std::map<int, RmaTarget>& all() { return targets_; }
  const std::map<int, RmaTarget>& all() const { return targets_; }

  /// Waits until operations on a target (or all, if negative) are complete there. On the process's
  /// own fiber.
  void flush(int rank);
  /// Waits until their memory here is not needed any more.
  void flush_local(int rank);

  // From events.

  /// An operation has left the origin's memory, or is complete at the target; `known` if the origin
  /// knows that already.
  void sent(RmaTarget& target);
  void finished(int rank, RmaTarget& target, bool known);
  void acknowledged(int rank);

 private:
  Window& window_;
  std::map<int, RmaTarget> targets_;
  std::int64_t unacknowledged_ = 0;
};

}  // namespace heddle::mpi
