// Bandwidths as the solver of the fluid model knows them.
#pragma once

#include "core/units.hpp"
#include "network/fluid/max_min_solver.hpp"

namespace heddle::network {

/// In bytes per ps.
inline double solver_limit(Bandwidth bandwidth) {
  return bandwidth.is_unlimited() ? MaxMinSolver::kUnbounded : bandwidth.bytes_per_ps();
}

}  // namespace heddle::network
