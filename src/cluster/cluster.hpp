// Processes that `mpirun` started to share one simulation, on one machine or many.
//
// This is the MPI of the cluster that Heddle runs on (option HEDDLE_MPI of the build), not the one
// that Heddle simulates.
#pragma once

#include <memory>

#include "replay/engine/shared_replay.hpp"

namespace heddle::cluster {

/// Joins the other processes if there are any; nullptr without HEDDLE_MPI, without `mpirun`, and
/// for a single process. Once per process. The standard output and error of all but the first are
/// closed: it speaks for all. The processes part when the object goes.
std::unique_ptr<replay::Exchange> join();

}  // namespace heddle::cluster
