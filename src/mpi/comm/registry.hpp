// The communicators of a job.
#pragma once

#include <cstdint>

namespace heddle::mpi {

/// Numbers communicators.
class Registry {
 public:
  std::uint32_t new_number() { return next_++; }

 private:
  std::uint32_t next_ = 0;
};

}  // namespace heddle::mpi
