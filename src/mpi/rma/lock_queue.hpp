// The lock of one member's memory in a window.
#pragma once

#include <cstdint>
#include <deque>

namespace heddle::mpi {

enum class LockKind : std::uint8_t { shared, exclusive };

/// Who holds and who waits for the lock, in the order of arrival.
class LockQueue {
 public:
  struct Request {
    int origin;
    LockKind kind;
  };
  /// True if it is granted at once.
  bool request(const Request& request) {
    if (!waiting_.empty() || !free_for(request.kind)) {
      waiting_.push_back(request);
      return false;
    }
    take(request.kind);
    return true;
  }
  /// Calls `grant(origin)` for those whose turn has come.
  template <class Grant>
  void release(LockKind kind, Grant grant) {
    if (kind == LockKind::exclusive) exclusive_ = false;
    if (kind == LockKind::shared) --shared_;
    while (!waiting_.empty() && free_for(waiting_.front().kind)) {
      const Request next = waiting_.front();
      waiting_.pop_front();
      take(next.kind);
      grant(next.origin);
    }
  }

 private:
  bool free_for(LockKind kind) const {
    return !exclusive_ && (kind == LockKind::shared || shared_ == 0);
  }
  void take(LockKind kind) {
    if (kind == LockKind::exclusive) exclusive_ = true;
    if (kind == LockKind::shared) ++shared_;
  }
  std::deque<Request> waiting_;
  int shared_ = 0;
  bool exclusive_ = false;
};

}  // namespace heddle::mpi
