// Epochs: when one-sided operations may be called, and when they are complete.
#include <algorithm>
#include <utility>

#include "mpi/call_log.hpp"
#include "mpi/error.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {

void Window::access(int target) {
  const auto known = targets_.find(target);
  const bool locked = known != targets_.end() && known->second.locked;
  if (locked || (start_ && std::ranges::find(started_, target) != started_.end())) return;
  if (lock_all_) {
    if (lock_all_unchecked_) return;
    return acquire(target, LockKind::shared);
  }
  if (!fence_) {
    refuse_epoch(
        "no epoch is open for this target: MPI_Win_fence, MPI_Win_start or MPI_Win_lock "
        "must come first");
  }
  fence_used_ = true;
}

Epoch Window::epoch_for(int target) const {
  const auto known = targets_.find(target);
  if (known != targets_.end() && known->second.locked) {
    return known->second.lock == LockKind::exclusive ? Epoch::exclusive_lock : Epoch::shared_lock;
  }
  if (start_) return Epoch::start;
  if (lock_all_) return Epoch::shared_lock;
  return fence_ ? Epoch::fence : Epoch::none;
}

Epoch Window::epoch_here() const {
  return post_ ? Epoch::start : epoch_for(rank());
}

void Window::fence(int assertion) {
  if (!idle())
    refuse_epoch("MPI_Win_fence inside an epoch of locks, MPI_Win_start or MPI_Win_post");
  flush(-1);
  barrier("the fence");
  fence_ = (assertion & MPI_MODE_NOSUCCEED) == 0;
  fence_used_ = false;
  if (WindowObserver* observer = observer_of(process_)) {
    observer->closed(*this);
    if (fence_) observer->exposed(*this, Epoch::fence);
  }
}

std::vector<int> Window::ranks_of(const Group& group) const {
  std::vector<int> ranks;
  for (int i = 0; i < group.size(); ++i) {
    const int rank = communicator_->group().rank(group.process(i));
    if (rank == MPI_UNDEFINED) {
      bad_argument(MPI_ERR_GROUP, "group", "has a process that is not of the window's group");
    }
    ranks.push_back(rank);
  }
  return ranks;
}

void Window::post(const Group& group, int assertion) {
  if (post_) refuse_epoch("MPI_Win_post without MPI_Win_wait after the last");
  const std::vector<int> origins = ranks_of(group);
  post_ = true;
  posted_ = static_cast<int>(origins.size());
  if (WindowObserver* observer = observer_of(process_)) observer->exposed(*this, Epoch::start);
  if ((assertion & MPI_MODE_NOCHECK) != 0) return;
  for (const int origin : origins) {
    rma_of(process_).carrier.tell(*this, origin, Notice::Kind::post);
  }
}

void Window::start(const Group& group, int assertion) {
  if (start_) refuse_epoch("MPI_Win_start without MPI_Win_complete after the last");
  if (lock_all_) refuse_epoch("MPI_Win_start inside an epoch of locks");
  started_ = ranks_of(group);
  start_ = true;
  fence_ = false;
  if ((assertion & MPI_MODE_NOCHECK) != 0) return;
  for (const int rank : started_) {
    RmaTarget& from = target(rank);
    wait_until(
        News::posts, [&] { return from.posts > 0; }, WindowWait(*this, "MPI_Win_post", rank));
    --from.posts;
  }
}

void Window::complete() {
  if (!start_) refuse_epoch("MPI_Win_complete without MPI_Win_start");
  flush(-1);
  start_ = false;
  for (const int rank : std::exchange(started_, {})) {
    rma_of(process_).carrier.tell(*this, rank, Notice::Kind::complete);
  }
}

void Window::end_exposure() {
  completed_ -= posted_;
  post_ = false;
  if (WindowObserver* observer = observer_of(process_)) observer->closed(*this);
}

void Window::wait() {
  if (!post_) refuse_epoch("MPI_Win_wait without MPI_Win_post");
  wait_until(
      News::ends, [&] { return completed_ >= posted_; },
      WindowWait(*this, "MPI_Win_complete of its origins"));
  end_exposure();
}

bool Window::test() {
  if (!post_) refuse_epoch("MPI_Win_test without MPI_Win_post");
  if (completed_ < posted_) {
    process_.look_in_vain();
    if (completed_ < posted_) return false;
  }
  look(News::ends);
  end_exposure();
  return true;
}

void Window::acquire(int rank, LockKind kind) {
  RmaTarget& to = target(rank);
  to.granted = false;
  to.lock = kind;
  rma_of(process_).carrier.tell(*this, rank, Notice::Kind::lock, kind);
  wait_until(
      News::grants, [&] { return to.granted; }, WindowWait(*this, "the lock", rank));
  to.locked = true;
}

void Window::release(int rank) {
  RmaTarget& to = target(rank);
  to.locked = false;
  if (std::exchange(to.free_of_locks, false)) return;
  rma_of(process_).carrier.tell(*this, rank, Notice::Kind::unlock, to.lock);
}

void Window::lock(int rank, LockKind kind, int assertion) {
  if (fence_ && fence_used_) refuse_epoch("MPI_Win_lock inside an epoch of MPI_Win_fence");
  if (start_) refuse_epoch("MPI_Win_lock inside an epoch of MPI_Win_start");
  if (lock_all_) refuse_epoch("MPI_Win_lock inside an epoch of MPI_Win_lock_all");
  if (target(rank).locked) refuse_epoch("MPI_Win_lock of a target that is locked already");
  fence_ = false;
  if ((assertion & MPI_MODE_NOCHECK) == 0) return acquire(rank, kind);
  target(rank).locked = target(rank).free_of_locks = true;
  target(rank).lock = kind;
}

void Window::unlock(int rank) {
  if (lock_all_ || !target(rank).locked) {
    refuse_epoch("MPI_Win_unlock of a target that MPI_Win_lock has not locked");
  }
  flush(rank);
  release(rank);
}

void Window::lock_all(int assertion) {
  if (fence_ && fence_used_) refuse_epoch("MPI_Win_lock_all inside an epoch of MPI_Win_fence");
  if (!idle()) refuse_epoch("MPI_Win_lock_all inside another epoch");
  lock_all_ = true;
  fence_ = false;
  lock_all_unchecked_ = (assertion & MPI_MODE_NOCHECK) != 0;
}

void Window::unlock_all() {
  if (!lock_all_) refuse_epoch("MPI_Win_unlock_all without MPI_Win_lock_all");
  flush(-1);
  lock_all_ = false;
  for (auto& [rank, to] : targets_) {
    if (to.locked) release(rank);
  }
}

void Window::check_locked(int rank) const {
  if (lock_all_) return;
  for (const auto& [number, to] : targets_) {
    if (to.locked && (rank < 0 || rank == number)) return;
  }
  refuse_epoch("flushing takes an epoch of MPI_Win_lock or MPI_Win_lock_all");
}

void Window::flush(int rank) {
  for (auto& [number, to] : targets_) {
    if (to.unfinished == 0 || (rank >= 0 && rank != number)) continue;
    // Threads that flush at the same time wait for one and the same.
    if (!std::exchange(to.waits, true)) ++unacknowledged_;
  }
  wait_until(
      News::operations, [&] { return unacknowledged_ == 0; },
      WindowWait(*this, "the end of operations", rank));
  if (WindowObserver* observer = observer_of(process_)) observer->flushed(*this, rank);
}

void Window::flush_local(int rank) {
  const auto sent = [&] {
    return std::ranges::all_of(targets_, [&](const auto& entry) {
      return entry.second.unsent == 0 || (rank >= 0 && rank != entry.first);
    });
  };
  wait_until(News::operations, sent, WindowWait(*this, "the end of operations", rank));
  if (WindowObserver* observer = observer_of(process_)) observer->flushed_here(*this, rank);
}

}  // namespace heddle::mpi
