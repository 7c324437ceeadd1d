// How operations end, and who wants to know.
#pragma once

#include <cstdint>

namespace heddle::mpi {

/// How an operation ended; becomes an MPI_Status.
struct Outcome {
  int source = -2;  ///< MPI_ANY_SOURCE: an empty status.
  int tag = -1;     ///< MPI_ANY_TAG.
  std::int64_t bytes = 0;
  int error = 0;  ///< MPI_SUCCESS or an error class.
  bool cancelled = false;
};

/// Is told once of the end of an operation, from an event, from another rank's call, or from within
/// the call that starts it. Must not wait, and must live until then.
class Completion {
 public:
  virtual void completed(const Outcome& outcome) = 0;
  /// Of a send: whether only calls of its process can give the buffer or its datatype away once it
  /// has been told.
  virtual bool keeps_buffer() const { return false; }

 protected:
  ~Completion() = default;
};

}  // namespace heddle::mpi
