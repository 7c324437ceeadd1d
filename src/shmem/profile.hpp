// Where the time of PEs went in calls of OpenSHMEM.
#pragma once

#include <vector>

#include "record/call_profile.hpp"

namespace heddle::shmem {

using record::CallProfile;

/// What a PE has begun, and how long it has waited.
struct Counters {
  std::uint64_t puts = 0;
  std::uint64_t gets = 0;
  std::uint64_t atomics = 0;
  std::uint64_t messages = 0;  ///< Of collectives.
  std::int64_t bytes = 0;
  Time waiting = {};
};

}  // namespace heddle::shmem
