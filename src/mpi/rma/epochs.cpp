#include "mpi/rma/epochs.hpp"

#include <algorithm>
#include <utility>

#include "mpi/call_log.hpp"
#include "mpi/error.hpp"
#include "mpi/rma/window.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {

void Epochs::refuse(const char* problem) const {
  throw Error{MPI_ERR_RMA_SYNC, window_.label() + ": " + problem};
}

void Epochs::access(int target) {
  const RmaTarget* const known = window_.targets().find(target);
  const bool locked = known != nullptr && known->locked;
  if (locked || (start_ && std::ranges::find(started_, target) != started_.end())) return;
  if (lock_all_) {
    if (lock_all_unchecked_) return;
    return acquire(target, LockKind::shared);
  }
  if (!fence_) {
    refuse(
        "no epoch is open for this target: MPI_Win_fence, MPI_Win_start or MPI_Win_lock "
        "must come first");
  }
  fence_used_ = true;
}

Epoch Epochs::epoch_for(int target) const {
  const RmaTarget* const known = window_.targets().find(target);
  if (known != nullptr && known->locked) {
    return known->lock == LockKind::exclusive ? Epoch::exclusive_lock : Epoch::shared_lock;
  }
  if (start_) return Epoch::start;
  if (lock_all_) return Epoch::shared_lock;
  return fence_ ? Epoch::fence : Epoch::none;
}

Epoch Epochs::epoch_here() const {
  return post_ ? Epoch::start : epoch_for(window_.rank());
}

void Epochs::fence(int assertion) {
  if (!idle()) refuse("MPI_Win_fence inside an epoch of locks, MPI_Win_start or MPI_Win_post");
  window_.targets().flush(-1);
  window_.barrier("the fence");
  fence_ = (assertion & MPI_MODE_NOSUCCEED) == 0;
  fence_used_ = false;
  if (WindowObserver* observer = observer_of(window_.process())) {
    observer->closed(window_);
    if (fence_) observer->exposed(window_, Epoch::fence);
  }
}

std::vector<int> Epochs::ranks_of(const Group& group) const {
  std::vector<int> ranks;
  for (int i = 0; i < group.size(); ++i) {
    const int rank = window_.communicator().group().rank(group.process(i));
    if (rank == MPI_UNDEFINED) {
      bad_argument(MPI_ERR_GROUP, "group", "has a process that is not of the window's group");
    }
    ranks.push_back(rank);
  }
  return ranks;
}

void Epochs::post(const Group& group, int assertion) {
  if (post_) refuse("MPI_Win_post without MPI_Win_wait after the last");
  const std::vector<int> origins = ranks_of(group);
  post_ = true;
  posted_ = static_cast<int>(origins.size());
  if (WindowObserver* observer = observer_of(window_.process())) {
    observer->exposed(window_, Epoch::start);
  }
  if ((assertion & MPI_MODE_NOCHECK) != 0) return;
  for (const int origin : origins) {
    window_.tell(origin, NoticeKind::post);
  }
}

void Epochs::start(const Group& group, int assertion) {
  if (start_) refuse("MPI_Win_start without MPI_Win_complete after the last");
  if (lock_all_) refuse("MPI_Win_start inside an epoch of locks");
  started_ = ranks_of(group);
  start_ = true;
  fence_ = false;
  if ((assertion & MPI_MODE_NOCHECK) != 0) return;
  for (const int rank : started_) {
    RmaTarget& from = window_.targets().of(rank);
    window_.wait_until(
        News::posts, [&] { return from.posts > 0; }, WindowWait(window_, "MPI_Win_post", rank));
    --from.posts;
  }
}

void Epochs::complete() {
  if (!start_) refuse("MPI_Win_complete without MPI_Win_start");
  window_.targets().flush(-1);
  start_ = false;
  for (const int rank : std::exchange(started_, {})) {
    window_.tell(rank, NoticeKind::complete);
  }
}

void Epochs::end_exposure() {
  completed_ -= posted_;
  post_ = false;
  if (WindowObserver* observer = observer_of(window_.process())) observer->closed(window_);
}

void Epochs::wait() {
  if (!post_) refuse("MPI_Win_wait without MPI_Win_post");
  window_.wait_until(
      News::ends, [&] { return completed_ >= posted_; },
      WindowWait(window_, "MPI_Win_complete of its origins"));
  end_exposure();
}

bool Epochs::test() {
  if (!post_) refuse("MPI_Win_test without MPI_Win_post");
  if (completed_ < posted_) {
    window_.process().look_in_vain();
    if (completed_ < posted_) return false;
  }
  window_.look(News::ends);
  end_exposure();
  return true;
}

void Epochs::acquire(int rank, LockKind kind) {
  RmaTarget& to = window_.targets().of(rank);
  to.granted = false;
  to.lock = kind;
  window_.tell(rank, NoticeKind::lock, kind);
  window_.wait_until(
      News::grants, [&] { return to.granted; }, WindowWait(window_, "the lock", rank));
  to.locked = true;
}

void Epochs::release(int rank) {
  RmaTarget& to = window_.targets().of(rank);
  to.locked = false;
  if (std::exchange(to.free_of_locks, false)) return;
  window_.tell(rank, NoticeKind::unlock, to.lock);
}

void Epochs::lock(int rank, LockKind kind, int assertion) {
  if (fence_ && fence_used_) refuse("MPI_Win_lock inside an epoch of MPI_Win_fence");
  if (start_) refuse("MPI_Win_lock inside an epoch of MPI_Win_start");
  if (lock_all_) refuse("MPI_Win_lock inside an epoch of MPI_Win_lock_all");
  if (window_.targets().of(rank).locked) refuse("MPI_Win_lock of a target that is locked already");
  fence_ = false;
  if ((assertion & MPI_MODE_NOCHECK) == 0) return acquire(rank, kind);
  window_.targets().of(rank).locked = window_.targets().of(rank).free_of_locks = true;
  window_.targets().of(rank).lock = kind;
}

void Epochs::unlock(int rank) {
  if (lock_all_ || !window_.targets().of(rank).locked) {
    refuse("MPI_Win_unlock of a target that MPI_Win_lock has not locked");
  }
  window_.targets().flush(rank);
  release(rank);
}

void Epochs::lock_all(int assertion) {
  if (fence_ && fence_used_) refuse("MPI_Win_lock_all inside an epoch of MPI_Win_fence");
  if (!idle()) refuse("MPI_Win_lock_all inside another epoch");
  lock_all_ = true;
  fence_ = false;
  lock_all_unchecked_ = (assertion & MPI_MODE_NOCHECK) != 0;
}

void Epochs::unlock_all() {
  if (!lock_all_) refuse("MPI_Win_unlock_all without MPI_Win_lock_all");
  window_.targets().flush(-1);
  lock_all_ = false;
  for (auto& [rank, to] : window_.targets().all()) {
    if (to.locked) release(rank);
  }
}

void Epochs::check_locked(int rank) const {
  if (lock_all_) return;
  for (const auto& [number, to] : window_.targets().all()) {
    if (to.locked && (rank < 0 || rank == number)) return;
  }
  refuse("flushing takes an epoch of MPI_Win_lock or MPI_Win_lock_all");
}

bool Epochs::idle() const {
  bool locked = lock_all_;
  for (const auto& [rank, target] : window_.targets().all()) locked = locked || target.locked;
  return !locked && !start_ && !post_;
}

void Epochs::granted(int target) {
  window_.targets().of(target).granted = true;
  if (WindowObserver* observer = observer_of(window_.process())) {
    observer->granted(window_, target, window_.targets().of(target).lock);
  }
  window_.process().notify();
}

void Epochs::posted(int target) {
  ++window_.targets().of(target).posts;
  if (WindowObserver* observer = observer_of(window_.process())) observer->told(window_, target);
  window_.process().notify();
}

void Epochs::completed(int origin) {
  ++completed_;
  if (WindowObserver* observer = observer_of(window_.process())) observer->told(window_, origin);
  window_.process().notify();
}

}  // namespace heddle::mpi
