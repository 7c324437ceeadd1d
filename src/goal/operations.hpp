// What can be done with whole schedules: joining them, summing them up, drawing them.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>

#include "goal/schedule.hpp"

namespace heddle::goal {

/// All schedules at once on ranks of their own: the ranks of the second follow those of the first.
Schedule side_by_side(std::span<const Schedule* const> parts);
/// One after another on the same ranks: a rank begins a part when it has ended the one before.
Schedule one_after_another(std::span<const Schedule* const> parts);

struct ScheduleInfo {
  std::uint32_t ranks = 0;
  std::uint64_t sends = 0;
  std::uint64_t receives = 0;
  std::uint64_t calcs = 0;
  std::uint64_t dependencies = 0;
  std::uint64_t roots = 0;          ///< Operations that wait for nothing.
  std::uint64_t open_receives = 0;  ///< From any source or of any tag.
  std::uint64_t bytes = 0;          ///< Sent by all ranks.
  std::uint64_t largest_message = 0;
  std::uint64_t compute = 0;          ///< Of all ranks, in the schedule's time unit.
  std::uint64_t longest_compute = 0;  ///< Of one rank.
  unsigned cpus = 1;
  unsigned nics = 1;
};
ScheduleInfo info_of(const Schedule& schedule);

/// The dependencies as a graph for Graphviz: a cluster per rank, dotted lines for irequires, dashed
/// ones for messages, which go to the receives that get them where all take the same time.
void write_dot(const Schedule& schedule, std::ostream& out);

}  // namespace heddle::goal
