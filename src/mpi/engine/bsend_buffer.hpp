// The buffer that a program attaches for buffered sends.
#pragma once

#include <cstdint>

#include "mpi/process.hpp"

namespace heddle::mpi {

/// Payloads are kept in memory of the simulator's; the attached buffer is accounted for as if it
/// held them until they have been received.
struct BsendBuffer final : Part {
  explicit BsendBuffer(Process&) {}

  void attach(void* address, std::int64_t size);
  /// Throws MPI_ERR_BUFFER if there is not enough space for a message.
  void reserve(std::int64_t bytes);
  /// A message has been received.
  void release(std::int64_t bytes);

  void* address = nullptr;
  std::int64_t size = 0;
  std::int64_t used = 0;
};

}  // namespace heddle::mpi
