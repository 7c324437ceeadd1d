// Windows: memory that other processes may read and write.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi/comm/communicator.hpp"
#include "mpi/handle.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

class Window;
enum class News : std::uint8_t;
struct RmaOperation;

enum class LockKind : std::uint8_t { shared, exclusive };

/// What allows an operation on a target.
enum class Epoch : std::uint8_t { none, fence, start, shared_lock, exclusive_lock };

/// Who holds and who waits for the lock of one member's memory, in the order of arrival.
class LockQueue {
 public:
  struct Request {
    int origin;
    LockKind kind;
  };
  /// True if it is granted at once.
  bool request(const Request& request);
  /// Calls `grant(origin)` for those whose turn has come.
  template <class Grant>
  void release(LockKind kind, Grant grant) {
    if (kind == LockKind::exclusive) exclusive_ = false;
    if (kind == LockKind::shared) --shared_;
    while (!waiting_.empty() && free_for(waiting_.front().kind)) {
      const Request next = waiting_.front();
      waiting_.erase(waiting_.begin());
      take(next.kind);
      grant(next.origin);
    }
  }

 private:
  bool free_for(LockKind kind) const {
    return !exclusive_ && (kind == LockKind::shared || shared_ == 0);
  }
  void take(LockKind kind);
  std::vector<Request> waiting_;
  int shared_ = 0;
  bool exclusive_ = false;
};

/// Memory of a member's.
struct Region {
  std::byte* base = nullptr;
  std::int64_t size = 0;
};

/// One member of a window, as all see it.
struct WindowMember {
  Window* window = nullptr;  ///< Null before it has joined and after it has left.
  Region memory;
  std::int64_t unit = 1;         ///< Bytes per unit of displacements.
  std::vector<Region> attached;  ///< Of a dynamic window.
  LockQueue lock;
};

/// What the members of a window share.
struct WindowData {
  int flavor = 0;  ///< MPI_WIN_FLAVOR_...
  CommunicatorDataRef communicator;
  std::vector<WindowMember> members;
  std::size_t joined = 0;
  std::unique_ptr<std::byte[], void (*)(void*)> block{nullptr, std::free};  ///< Shared memory.
};
using WindowDataRef = std::shared_ptr<WindowData>;

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

/// A window as one of its members has it.
class Window {
 public:
  Window(Process& process, WindowDataRef data, CommunicatorRef communicator);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Process& process() const { return process_; }
  WindowData& data() const { return *data_; }
  const WindowDataRef& data_ref() const { return data_; }
  Communicator& communicator() const { return *communicator_; }
  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  WindowMember& member(int rank) { return data_->members[static_cast<std::size_t>(rank)]; }
  Process& process_of(int rank) const;
  RmaTarget& target(int rank) { return targets_[rank]; }
  std::map<int, RmaTarget>& targets() { return targets_; }
  /// "window 'halo'", for messages.
  std::string label() const;

  // Epochs. Those that wait run on the process's own fiber; they throw MPI_ERR_RMA_SYNC.

  /// Refuses an operation on a target that no epoch allows, and gets its lock if need be.
  void access(int target);
  /// By what an operation on a target is allowed, or one of others on the memory here.
  Epoch epoch_for(int target) const;
  Epoch epoch_here() const;
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
  /// Waits until operations on a target (or all, if negative) are complete there.
  void flush(int target);
  /// Waits until their memory here is not needed any more.
  void flush_local(int target);
  /// Refuses a flush outside of locks.
  void check_locked(int target) const;
  bool idle() const;
  /// All members have come here.
  void barrier(const char* what);

  // From events.

  void granted(int target);
  void posted(int target);
  void completed(int origin);
  /// An operation has left an origin's memory, or is complete at the target; `known` if the origin
  /// knows that already.
  void sent(RmaTarget& target);
  void finished(int rank, RmaTarget& target, bool known);
  void acknowledged(int target);

  int handle = 0;
  std::string name;
  Attributes attributes;
  ErrorHandlerRef error_handler;
  InfoRef info;
  // Where predefined attributes point to.
  MPI_Aint attribute_size = 0;
  int attribute_unit = 1;
  int attribute_flavor = 0;
  int attribute_model = 0;

  /// What has been told of this so far is known to the rank from now on.
  void look(News news) const;

 private:
  template <class Done>
  void wait_until(News news, const Done& done, const Blocked& reason) {
    process_.wait_until(done, reason);
    look(news);
  }
  void acquire(int rank, LockKind kind);
  void release(int rank);
  void end_exposure();
  std::vector<int> ranks_of(const Group& group) const;
  void refuse_epoch(const char* problem) const;

  Process& process_;
  WindowDataRef data_;
  CommunicatorRef communicator_;
  std::map<int, RmaTarget> targets_;
  std::vector<int> started_;  ///< The targets of MPI_Win_start.
  int posted_ = 0;            ///< Origins of MPI_Win_post.
  int completed_ = 0;         ///< Of these, how many have said that they are through.
  std::int64_t unacknowledged_ = 0;
  bool fence_ = false;       ///< An epoch of fences is open,
  bool fence_used_ = false;  ///< and has had operations.
  bool start_ = false;
  bool post_ = false;
  bool lock_all_ = false;
  bool lock_all_unchecked_ = false;
};

/// A process waits for something on a window, of one member if `rank` is not negative.
class WindowWait final : public Blocked {
 public:
  WindowWait(const Window& window, const char* what, int rank = -1)
      : window_(window), what_(what), rank_(rank) {}
  std::string text() const override;
  std::optional<std::uint32_t> peer() const override;

 private:
  const Window& window_;
  const char* what_;
  int rank_;
};

/// Part of a process: its windows.
struct Windows final : Part {
  explicit Windows(Process& /*process*/) {}
  HandleTable<std::unique_ptr<Window>, ObjectKind::window> table;
};

/// The window of a handle; throws MPI_ERR_WIN.
Window& window(Process& process, int handle);
/// The same, or null.
Window* find_window(Process& process, int handle);

}  // namespace heddle::mpi
