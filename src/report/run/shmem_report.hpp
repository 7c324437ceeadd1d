// What `heddle run` says of the OpenSHMEM of a run.
#pragma once

#include <string>

#include "report/json.hpp"
#include "shmem/world.hpp"

namespace heddle::report {

/// The calls that took most of all PEs' time, and what else is worth a line; "" if no PE has called
/// OpenSHMEM.
std::string shmem_text(shmem::World& world);
/// Member `shmem` of `heddle.run/1`; null if no PE has called OpenSHMEM.
Json shmem_json(shmem::World& world);
/// rank,call,calls,sent_bytes,time_ps,waiting_ps of each PE and call.
std::string shmem_calls_csv(shmem::World& world);

}  // namespace heddle::report
