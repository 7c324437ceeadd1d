// What the ranks of a job have around them.
#pragma once

#include <cstdint>
#include <span>

#include "core/simulation.hpp"
#include "host/rank/host_params.hpp"
#include "host/rank/processors.hpp"
#include "host/rank/ranks_by_node.hpp"
#include "host/rank/shared_run.hpp"
#include "platform/platform.hpp"
#include "record/run_recorder.hpp"

namespace heddle::host {

/// Where and how a job runs, as its ranks and their threads need to know it, whatever they do.
class JobSite {
 public:
  JobSite(Simulation& simulation, const platform::Platform& platform, const HostParams& params,
          const platform::NoiseConfig& noise, std::uint32_t ranks)
      : simulation_(simulation),
        platform_(platform),
        params_(params),
        processors_(platform, params_, noise, ranks),
        ranks_by_node_(platform.nodes()) {}
  JobSite(const JobSite&) = delete;
  JobSite& operator=(const JobSite&) = delete;

  Simulation& simulation() const { return simulation_; }
  const platform::Platform& platform() const { return platform_; }
  const HostParams& params() const { return params_; }
  /// Among the jobs that share a machine, from 1; 0 where there is one.
  std::uint32_t number() const { return number_; }
  /// What its ranks compute on.
  Processors& processors() { return processors_; }
  /// Those of a node, in the order of their numbers: the place of each is its local().
  std::span<const RankId> ranks_on(NodeId node) const { return ranks_by_node_.on(node); }
  /// What it has in common with other jobs of the simulation.
  SharedRun& shared() const { return *shared_; }
  /// The number of a thread that a program starts, among those of all ranks.
  int next_thread_serial() { return threads_++; }

  /// Who records what ranks do, or null; must outlive the job.
  record::RunRecorder* recorder() const { return recorder_.recorder; }
  void set_recorder(const record::WorldRecorder& recorder) { recorder_ = recorder; }
  /// What the recorder knows a rank by.
  std::uint32_t recorded_as(RankId id) const {
    return recorder_.first + static_cast<std::uint32_t>(id);
  }

 protected:
  ~JobSite() = default;
  /// It is one of several jobs: this one, beside another.
  void be_beside(const JobSite* other, std::uint32_t number) {
    number_ = number;
    if (other != nullptr) shared_ = other->shared_;
  }
  /// Further ranks are on these nodes.
  void add_to_nodes(std::span<const NodeId> nodes) { ranks_by_node_.add(nodes); }

 private:
  Simulation& simulation_;
  const platform::Platform& platform_;
  HostParams params_;
  std::uint32_t number_ = 0;
  int threads_ = 0;  ///< That programs have started.
  SharedRun own_run_;
  SharedRun* shared_ = &own_run_;  ///< Or that of the job beside it.
  record::WorldRecorder recorder_;
  Processors processors_;
  RanksByNode ranks_by_node_;
};

}  // namespace heddle::host
