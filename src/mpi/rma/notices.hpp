// What members of windows tell each other.
#pragma once

#include <cstdint>
#include <memory>

#include "mpi/rma/lock_queue.hpp"

namespace heddle::mpi {

struct WindowData;

enum class NoticeKind : std::uint8_t { lock, grant, unlock, post, complete, acknowledge };

/// Carries what they tell each other.
class Notices {
 public:
  /// `from` and `to` are ranks of the window.
  virtual void tell(const std::shared_ptr<WindowData>& window, int from, int to, NoticeKind kind,
                    LockKind lock = LockKind::shared) = 0;

 protected:
  ~Notices() = default;
};

}  // namespace heddle::mpi
