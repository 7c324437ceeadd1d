// Several schedules as one.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"

namespace heddle::goal {

/// A schedule and when it begins, in its time unit.
struct LateSchedule {
  const Schedule* schedule;
  std::uint64_t start;
};

/// All of them: the ranks of each behind those of the ones before it, each rank idle until its
/// schedule begins. Messages stay among the ranks of one schedule.
Schedule side_by_side(const std::vector<LateSchedule>& parts);

}  // namespace heddle::goal
