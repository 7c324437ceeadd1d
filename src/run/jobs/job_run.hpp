// Jobs of a list on one machine, together and each alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "goal/schedule.hpp"
#include "platform/machine.hpp"
#include "run/jobs/job_list.hpp"

namespace heddle::run {

/// What became of a job.
struct JobOutcome {
  std::uint32_t ranks = 0;
  std::vector<NodeId> nodes;  ///< That it had, ascending.
  Time start;
  Time end;
  Time alone;  ///< From start to end with nobody beside it, on the same nodes.

  Time duration() const { return end - start; }
  double slowdown() const {
    return alone == Time::zero() ? 1 : duration().seconds() / alone.seconds();
  }
};

struct JobMix {
  std::vector<JobOutcome> jobs;  ///< By place in the list.
  Time end;                      ///< Of the last.
  std::size_t replays = 0;
  std::uint64_t fingerprint = 0;
};

/// Jobs begin in the order of their arrival (of equal ones, of the list), each when it has come,
/// those before it have begun and enough nodes are free, at a whole time unit; it has them to
/// itself until its last rank is done. When it ends depends on who is beside it, so all that have
/// begun are replayed together, again whenever somebody waits for an end that is not known yet.
/// `progress` is told which part of at most how many replays is done. Throws InputError where a job
/// needs more nodes than there are.
JobMix run_jobs(const platform::Machine& machine, const std::vector<JobLine>& jobs,
                const std::function<void(double done)>& progress = {});

}  // namespace heddle::run
