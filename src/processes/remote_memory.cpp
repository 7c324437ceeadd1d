#include "processes/remote_memory.hpp"

#include <sys/uio.h>

namespace heddle::processes {
namespace {

/// Carries on where the kernel stopped before the end, as it does at the border of a mapping.
template <class Move>
bool move_all(std::byte* local, std::byte* remote, std::size_t size, Move move) {
  while (size > 0) {
    const iovec here{local, size};
    const iovec there{remote, size};
    const ssize_t moved = move(here, there);
    if (moved <= 0) return false;
    local += moved;
    remote += moved;
    size -= static_cast<std::size_t>(moved);
  }
  return true;
}

std::byte* bytes(const void* address) {
  return static_cast<std::byte*>(const_cast<void*>(address));
}

}  // namespace

bool RemoteMemory::read(void* to, const void* address, std::size_t size) const {
  return move_all(bytes(to), bytes(address), size, [this](const iovec& here, const iovec& there) {
    return process_vm_readv(static_cast<pid_t>(process_), &here, 1, &there, 1, 0);
  });
}

bool RemoteMemory::write(void* address, const void* from, std::size_t size) {
  return move_all(bytes(from), bytes(address), size, [this](const iovec& here, const iovec& there) {
    return process_vm_writev(static_cast<pid_t>(process_), &here, 1, &there, 1, 0);
  });
}

}  // namespace heddle::processes
