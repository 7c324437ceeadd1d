// What `heddle run` says of the MPI of a run.
#pragma once

#include <string>
#include <vector>

#include "mpi/world.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// The calls that took most of all ranks' time, and what else is worth a line; "" if no rank has
/// called MPI.
std::string mpi_text(mpi::World& world);
/// Member `mpi` of `heddle.run/1`; null if no rank has called MPI.
Json mpi_json(mpi::World& world);
/// rank,call,calls,bytes,time_ps,waiting_ps of each rank and call.
std::string mpi_calls_csv(mpi::World& world);
/// Lines about what --check has found, or that it has found nothing.
std::string check_text(const std::vector<std::string>& findings);

}  // namespace heddle::report
