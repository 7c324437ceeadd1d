#include "mpi/rma/window.hpp"

#include "mpi/call_log.hpp"
#include "mpi/error.hpp"
#include "mpi/p2p/barrier.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {

bool LockQueue::request(const Request& request) {
  if (waiting_.empty() && free_for(request.kind)) {
    take(request.kind);
    return true;
  }
  waiting_.push_back(request);
  return false;
}

void LockQueue::take(LockKind kind) {
  if (kind == LockKind::exclusive) exclusive_ = true;
  if (kind == LockKind::shared) ++shared_;
}

Window::Window(Process& process, WindowDataRef data, CommunicatorRef communicator)
    : attribute_flavor(data->flavor),
      attribute_model(MPI_WIN_UNIFIED),
      process_(process),
      data_(std::move(data)),
      communicator_(std::move(communicator)) {
  member(rank()).window = this;
}

Window::~Window() {
  member(rank()).window = nullptr;
}

Process& Window::process_of(int rank) const {
  return process_.world().process(communicator_->group().process(rank));
}

std::string Window::label() const {
  return name.empty() ? "window " + std::to_string(handle & 0x3ffffff) : "window '" + name + "'";
}

void Window::refuse_epoch(const char* problem) const {
  throw Error{MPI_ERR_RMA_SYNC, label() + ": " + problem};
}

std::string WindowWait::text() const {
  std::string text = std::string("waits in ") + window_.process().call + " on " + window_.label() +
                     " for " + what_;
  if (rank_ >= 0) text += " of rank " + std::to_string(rank_);
  return text;
}

std::optional<std::uint32_t> WindowWait::peer() const {
  if (rank_ < 0) return std::nullopt;
  return window_.communicator().group().process(rank_);
}

bool Window::idle() const {
  bool locked = lock_all_;
  for (const auto& [rank, target] : targets_) locked = locked || target.locked;
  return !locked && !start_ && !post_;
}

void Window::barrier(const char* what) {
  wait_for_all(*communicator_, WindowWait(*this, what));
}

void Window::look(News news) const {
  if (CallLog* log = process_.world().call_log()) log->looks(process_, news);
}

// What comes from other processes.

void Window::granted(int target) {
  targets_[target].granted = true;
  if (WindowObserver* observer = observer_of(process_))
    observer->granted(*this, target, targets_[target].lock);
  process_.notify();
}

void Window::posted(int target) {
  ++targets_[target].posts;
  if (WindowObserver* observer = observer_of(process_)) observer->told(*this, target);
  process_.notify();
}

void Window::completed(int origin) {
  ++completed_;
  if (WindowObserver* observer = observer_of(process_)) observer->told(*this, origin);
  process_.notify();
}

void Window::sent(RmaTarget& target) {
  if (--target.unsent == 0) process_.notify();
}

void Window::finished(int rank, RmaTarget& target, bool known) {
  if (--target.unfinished > 0 || !target.waits) return;
  if (known) return acknowledged(rank);
  rma_of(process_).carrier.tell(data_, rank, this->rank(), Notice::Kind::acknowledge,
                                LockKind::shared);
}

void Window::acknowledged(int target) {
  RmaTarget& from = targets_[target];
  // Another thread may have begun more in the meantime, whose end is still to come.
  if (!from.waits || from.unfinished > 0) return;
  from.waits = false;
  if (--unacknowledged_ == 0) process_.notify();
}

Window* find_window(Process& process, int handle) {
  Windows* windows = process.find_part<Windows>();
  std::unique_ptr<Window>* found = windows == nullptr ? nullptr : windows->table.find(handle);
  return found == nullptr ? nullptr : found->get();
}

Window& window(Process& process, int handle) {
  if (Window* found = find_window(process, handle)) return *found;
  if (handle == MPI_WIN_NULL) bad_argument(MPI_ERR_WIN, "win", "is MPI_WIN_NULL");
  bad_argument(MPI_ERR_WIN, "win", "is not a window");
}

}  // namespace heddle::mpi
