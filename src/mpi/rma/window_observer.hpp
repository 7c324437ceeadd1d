// Who looks at one-sided communication without being a part of it: checks.
#pragma once

#include <cstdint>
#include <memory>

#include "mpi/process.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

class Window;
enum class Epoch : std::uint8_t;
enum class LockKind : std::uint8_t;
struct RmaCall;
struct WindowData;

/// Is told what becomes of operations on windows, which are known by a number of the observer's,
/// and how processes keep them apart.
class WindowObserver {
 public:
  // Operations.

  /// Answers the number of a new one.
  virtual std::uint64_t issued(Window& origin, const RmaCall& call) = 0;
  /// It is going to read or write the target's memory.
  virtual void arrives(Window& origin, const RmaCall& call, std::uint64_t number) = 0;
  virtual void performed(Window& origin, const RmaCall& call) = 0;
  /// Its result is at the origin, and is written there, from one of these to the other.
  virtual void fetched(Window& origin, const RmaCall& call, std::uint64_t number) = 0;
  virtual void wrote(Window& origin, std::uint64_t number) = 0;
  /// The program has waited for the request of an operation.
  virtual void sees_end(Window& origin, std::uint64_t number) = 0;
  /// Operations on a target, or on all if it is negative, are complete there, or at least here.
  virtual void flushed(Window& origin, int target) = 0;
  virtual void flushed_here(Window& origin, int target) = 0;

  // Synchronisation.

  /// Others may use the window's memory from now on, by a fence or MPI_Win_post,
  virtual void exposed(Window& window, Epoch epoch) = 0;
  /// and have ended all that they began.
  virtual void closed(Window& window) = 0;
  /// A member has been told something by another.
  virtual void told(const Window& window, int by) = 0;
  virtual void released(const std::shared_ptr<WindowData>& window, int member, int origin,
                        LockKind kind) = 0;
  virtual void granted(const Window& origin, int member, LockKind kind) = 0;
  virtual void freed(Window& window) = 0;

 protected:
  ~WindowObserver() = default;
};

/// Part of the world: the observer of its windows, if there is one.
struct ObservedWindows final : Part {
  explicit ObservedWindows(WindowObserver& by) : observer(by) {}
  WindowObserver& observer;
};
/// That of a process's world, or null.
inline WindowObserver* observer_of(const Process& process) {
  const ObservedWindows* const windows = process.world().find_part<ObservedWindows>();
  return windows == nullptr ? nullptr : &windows->observer;
}

}  // namespace heddle::mpi
