// Epochs: when one-sided operations may be called, and when they are complete.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/rma/lock_queue.hpp"

namespace heddle::mpi {

class Group;
class Window;

/// What allows an operation on a target.
enum class Epoch : std::uint8_t { none, fence, start, shared_lock, exclusive_lock };

/// Those that one member of a window is in, as origin and as target. What waits runs on the
/// process's own fiber; all throw MPI_ERR_RMA_SYNC.
class Epochs {
 public:
  explicit Epochs(Window& window) : window_(window) {}

  /// Refuses an operation on a target that no epoch allows, and gets its lock if need be.
  void access(int target);
  /// By what an operation on a target is allowed, or one of others on the memory here.
  Epoch epoch_for(int target) const;
  Epoch epoch_here() const;
  bool idle() const;

  void fence(int assertion);
  void post(const Group& group, int assertion);
  void start(const Group& group, int assertion);
  void complete();
  void wait();
  bool test();
  void lock(int target, LockKind kind, int assertion);
  void unlock(int target);
  void lock_all(int assertion);
  void unlock_all();
  /// Refuses a flush outside of locks.
  void check_locked(int target) const;

  // From events.

  void granted(int target);
  void posted(int target);
  void completed(int origin);

 private:
  void acquire(int rank, LockKind kind);
  void release(int rank);
  void end_exposure();
  std::vector<int> ranks_of(const Group& group) const;
  [[noreturn]] void refuse(const char* problem) const;

  Window& window_;
  std::vector<int> started_;  ///< The targets of MPI_Win_start.
  int posted_ = 0;            ///< Origins of MPI_Win_post.
  int completed_ = 0;         ///< Of these, how many have said that they are through.
  bool fence_ = false;        ///< An epoch of fences is open,
  bool fence_used_ = false;   ///< and has had operations.
  bool start_ = false;
  bool post_ = false;
  bool lock_all_ = false;
  bool lock_all_unchecked_ = false;
};

}  // namespace heddle::mpi
