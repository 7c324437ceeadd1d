#include "mpi/request.hpp"

#include <fmt/core.h>

#include "mpi/error.hpp"

namespace heddle::mpi {

void Request::finish(const Outcome& outcome) {
  outcome_ = outcome;
  complete_ = true;
  if (orphan_) return release();
  if (waiting_ == nullptr) return process_->tell_pollers();
  if (--*waiting_ == 0) process_->satisfied();
}

void Request::orphan() {
  if (!active_ || complete_) return release();
  orphan_ = true;
}

void no_such_request(int handle) {
  bad_argument(MPI_ERR_REQUEST, "request",
               fmt::format("{:#x} is no request", static_cast<unsigned>(handle)));
}

}  // namespace heddle::mpi
