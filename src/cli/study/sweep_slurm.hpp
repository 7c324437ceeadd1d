// `heddle sweep --on slurm`: points as tasks of job arrays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/study/sweep_workers.hpp"
#include "study/batch.hpp"

namespace heddle::cli {

/// Where points are simulated, and how they are handed over.
class SlurmOptions {
 public:
  void add_to(CommandLine line);
  bool wanted() const { return !on_.empty(); }
  bool wait() const { return wait_; }
  /// Hands the points over; answers a sentence about it. Throws RunError if that fails, with the
  /// batch as if it had not been tried.
  std::string submit(const study::Batch& batch, const study::Study& study,
                     const std::vector<PlannedPoint>& points, const WorkerLimits& limits) const;

 private:
  std::size_t chunk_for(std::size_t points) const;

  std::string on_;
  bool wait_ = false;
  std::optional<std::uint32_t> chunk_;
  std::optional<std::uint32_t> at_once_;
  std::string partition_;
  std::string time_;
  std::string dependency_;
  std::vector<std::string> more_;
};

/// Puts what is done of a batch into the store; answers how many points of it are done or failed.
std::size_t collect(const study::Batch& batch, study::ResultStore& store);

CommandKind sweep_work_command();
CommandKind sweep_status_command();
CommandKind sweep_collect_command();
CommandKind sweep_cancel_command();

}  // namespace heddle::cli
