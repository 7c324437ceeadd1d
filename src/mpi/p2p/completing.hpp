// Handing requests that are complete back to the program.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "mpi/request.hpp"

namespace heddle::mpi {

/// Tells the program of the end of a request: a persistent one becomes inactive, the handle of
/// another goes.
Outcome complete(Process& process, Request& request, MPI_Request& handle);
/// Throws the error of an outcome, if it has one.
void raise(const Outcome& outcome);
/// Throws MPI_ERR_IN_STATUS if `failed`; statuses say more, unless they are ignored.
void raise_in_statuses(bool failed, const MPI_Status* statuses);
/// Starts a persistent request; throws Error.
void start(Process& process, MPI_Request handle);

/// A call that does not wait looks whether `done()`; lets time pass if not.
template <class Done>
bool look(Process& process, const Done& done) {
  process.background().advance();
  if (!done()) process.look_in_vain();
  if (!done()) return false;
  process.settle();
  return true;
}

/// The requests of a call on several.
class RequestList {
 public:
  /// Throws Error for handles that are none, and for negative counts.
  RequestList(Process& process, int count, MPI_Request* handles);
  RequestList(const RequestList&) = delete;
  RequestList& operator=(const RequestList&) = delete;

  std::span<Request* const> all() const { return list_; }
  bool any_active() const;
  bool all_complete() const;
  /// The index of the first active request that is complete, or MPI_UNDEFINED.
  int first_complete() const;
  Outcome complete(int index) const;
  /// Completes all; `statuses` may be ignored. Whether any failed.
  bool complete_all(MPI_Status* statuses) const;
  /// Completes those that are complete; how many, which, and whether any failed.
  bool complete_some(int* count, int* indices, MPI_Status* statuses) const;

 private:
  static constexpr std::size_t kFew = 32;
  Process& process_;
  MPI_Request* handles_;
  std::array<Request*, kFew> few_;
  std::vector<Request*> many_;
  std::span<Request*> list_;
};

}  // namespace heddle::mpi
