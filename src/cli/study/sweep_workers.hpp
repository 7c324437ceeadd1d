// Points of a study simulated side by side, each in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/study/sweep_plan.hpp"
#include "core/quantity.hpp"

namespace heddle::cli {

struct WorkerLimits {
  std::size_t jobs = 1;  ///< Processes at a time.
  Bytes memory;          ///< That each of them may have.

  /// Enough for all cores that this process may use, with an equal share each of most of the
  /// computer's memory.
  static WorkerLimits of_computer();
};

/// Simulates the points in order and calls `take` with what became of some, as soon as it is known;
/// `take` is also called without any, a few times a second. A point that was interrupted is not
/// told of. What `take` throws ends all that is under way.
void simulate_points(const std::vector<PlannedPoint>& points,
                     const std::vector<study::Measure>& measures, const WorkerLimits& limits,
                     const std::function<void(const std::vector<study::Outcome>&)>& take);

}  // namespace heddle::cli
