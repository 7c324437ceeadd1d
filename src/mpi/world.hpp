// MPI for the ranks of one job: what all modules of it stand on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/rank/job.hpp"
#include "mpi/config.hpp"
#include "mpi/part.hpp"
#include "network/network.hpp"
#include "record/message_profile.hpp"

namespace heddle::portals {
class Machine;
}

namespace heddle::mpi {

class CallLog;
class Process;

/// The processes of a job, what they run on, and what modules keep for all of them. Knows no
/// module; setup/mpi.hpp puts them together.
class World : public host::JobExtension, public PartOwner<World> {
 public:
  /// All must outlive the world; `portals` may be null where the transport does without.
  World(host::Job& job, network::Network& network, const MpiConfig& config,
        portals::Machine* portals = nullptr);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Of a job, or null if it has none.
  static World* of(host::Job& job);

  host::Job& job() const { return job_; }
  network::Network& network() const { return network_; }
  Simulation& simulation() const { return simulation_; }
  const MpiConfig& config() const { return config_; }
  /// The adapters that messages go through, or null if the network carries them itself.
  portals::Machine* adapters() const { return adapters_; }
  std::uint32_t size() const { return job_.size(); }
  /// The process with a number in MPI_COMM_WORLD; made if need be.
  Process& process(std::uint32_t id) {
    Process*& process = processes_[id];
    if (process == nullptr) process = &make_process(id);
    return *process;
  }
  /// The process with a number, or null if it has made no call and got no message.
  Process* find_process(std::uint32_t id) const { return processes_[id]; }
  /// The job has got further ranks.
  void grow() { processes_.resize(job_.size()); }

  record::MessageProfile& messages() { return messages_; }
  /// Who records what ranks do, or null; must outlive the world.
  CallLog* call_log() const { return call_log_; }
  void set_call_log(CallLog* log) { call_log_ = log; }

  /// Of a deadlock: "rank 0 waits for rank 1, which waits for rank 0", or "" if nobody waits in a
  /// circle.
  std::string waiting_circle() const;
  /// Whether a rank is over that called MPI_Init and not MPI_Finalize.
  bool ended_unfinalised(std::uint32_t id) const;

 private:
  Process& make_process(std::uint32_t id);

  host::Job& job_;
  Simulation& simulation_;
  network::Network& network_;
  MpiConfig config_;
  portals::Machine* adapters_;
  std::vector<Process*> processes_;  ///< Null for those that nobody has asked for.
  record::MessageProfile messages_;
  CallLog* call_log_ = nullptr;
};

}  // namespace heddle::mpi
