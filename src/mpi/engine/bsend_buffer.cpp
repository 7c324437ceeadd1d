#include "mpi/engine/bsend_buffer.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/error.hpp"

namespace heddle::mpi {

void BsendBuffer::attach(void* start, std::int64_t bytes) {
  if (address != nullptr) {
    throw Error{MPI_ERR_BUFFER, "a buffer is attached already: detach it first"};
  }
  if (bytes < 0) bad_argument(MPI_ERR_ARG, "size", fmt::format("{} is negative", bytes));
  address = start;
  size = bytes;
}

void BsendBuffer::reserve(std::int64_t bytes) {
  const std::int64_t needed = bytes + MPI_BSEND_OVERHEAD;
  if (used + needed > size) {
    throw Error{MPI_ERR_BUFFER,
                fmt::format("the message needs {} bytes of the attached buffer, which has {}, {} "
                            "of them in use",
                            needed, size, used)};
  }
  used += needed;
}

void BsendBuffer::release(std::int64_t bytes) {
  used -= bytes + MPI_BSEND_OVERHEAD;
}

}  // namespace heddle::mpi
