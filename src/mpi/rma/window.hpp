// Windows: memory that other processes may read and write.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi/comm/communicator.hpp"
#include "mpi/handle.hpp"
#include "mpi/process.hpp"
#include "mpi/rma/epochs.hpp"
#include "mpi/rma/notices.hpp"
#include "mpi/rma/targets.hpp"

namespace heddle::mpi {

class Window;
enum class News : std::uint8_t;

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

/// A window as one of its members has it.
class Window {
 public:
  /// `notices` must outlive it.
  Window(Process& process, WindowDataRef data, CommunicatorRef communicator, Notices& notices);
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
  Epochs& epochs() { return epochs_; }
  Targets& targets() { return targets_; }
  /// "window 'halo'", for messages.
  std::string label() const;

  /// All members have come here.
  void barrier(const char* what);
  /// Tells another member something.
  void tell(int rank, NoticeKind kind, LockKind lock = LockKind::shared) {
    notices_.tell(data_, this->rank(), rank, kind, lock);
  }
  /// The same as if another member told this one.
  void tell_from(int rank, NoticeKind kind) { notices_.tell(data_, rank, this->rank(), kind); }
  /// Waits for something that members tell each other.
  template <class Done>
  void wait_until(News news, const Done& done, const Blocked& reason) {
    process_.wait_until(done, reason);
    look(news);
  }
  /// What has been told of this so far is known to the rank from now on.
  void look(News news) const;

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

 private:
  Process& process_;
  WindowDataRef data_;
  CommunicatorRef communicator_;
  Notices& notices_;
  Epochs epochs_{*this};
  Targets targets_{*this};
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
