// A job: the ranks of one or several programs on a machine.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/containers/record_store.hpp"
#include "core/fiber.hpp"
#include "host/rank/host_params.hpp"
#include "host/rank/job_ends.hpp"
#include "host/rank/job_site.hpp"
#include "host/rank/launch_service.hpp"
#include "host/rank/program.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/savings.hpp"
#include "host/rank/slot.hpp"
#include "host/rank/wait_table.hpp"
#include "platform/noise.hpp"
#include "platform/platform.hpp"

namespace heddle::host {

class Job;

struct JobConfig {
  std::uint32_t ranks = 1;
  std::uint32_t ranks_per_node = 1;
  HostParams host = host_table().defaults();
  /// Of each rank, by its number; if empty, rank r runs on node r / ranks_per_node.
  std::vector<NodeId> nodes = {};
  platform::NoiseConfig noise = {};
  /// Among the jobs that share a machine, from 1; 0: there is one.
  std::uint32_t number = 0;
  /// One of those before it, if there are any. It must outlive the job.
  Job* beside = nullptr;
};

/// What a layer above keeps for a job.
class JobExtension {
 protected:
  ~JobExtension() = default;
};

/// Those of one job, of each layer that has one.
class JobExtensions {
 public:
  /// A layer's, or null.
  JobExtension*& at(const Slot& of) { return extensions_[of.number()]; }

 private:
  std::array<JobExtension*, Slot::kMost> extensions_{};
};

/// The ranks of a program, and of those that are added: one world of consecutive numbers. They
/// start when the simulation runs.
class Job final : public JobSite, private Members {
 public:
  /// All must outlive the job. Throws InputError if the machine has too few nodes.
  Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
      const JobConfig& config);
  /// Ends the scheduler's fibers.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Further ranks, numbered after those that are there, which run `program` on these nodes and
  /// start when the simulation goes on; answers the first. The program must outlive the job.
  /// Layers above give them what they have for ranks.
  RankId add_ranks(Program& program, std::span<const NodeId> nodes);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(ranks_.size()); }
  Rank& rank(RankId id) { return *ranks_[index(id)]; }
  /// What a layer above calls a rank's process on its node; their numbers on it unless it says.
  void set_pid_of(std::function<std::uint32_t(const Rank&)> pid_of) { pid_of_ = std::move(pid_of); }
  std::uint32_t pid_of(const Rank& rank) const { return pid_of_ ? pid_of_(rank) : rank.local(); }
  /// What to call the thread with this id.
  std::string thread_name(int id);

  /// What layers above have for this job.
  JobExtensions& extensions() { return extensions_; }
  LaunchService& launcher() { return launcher_; }
  /// With what its ranks end.
  JobEnds& ends() { return ends_; }
  /// Where their threads wait for each other.
  WaitTable& waits() { return waits_; }
  /// What they leave out.
  Savings& savings() { return savings_; }
  /// Ends lines that unfinished ranks have begun to write; for the end of a run.
  void flush_lines();

 private:
  void wait(RankId member, const WaitReason& reason) override;
  void ring_all() override;

  FiberScheduler& scheduler_;
  LaunchService launcher_;
  std::function<std::uint32_t(const Rank&)> pid_of_;
  WaitTable waits_;
  Savings savings_;
  JobExtensions extensions_;
  JobEnds ends_;
  RecordStore<Rank, 8> records_;
  std::vector<Rank*> ranks_;  ///< By number.
};

}  // namespace heddle::host
