// MPI for the ranks of one job.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/job.hpp"
#include "mpi/config.hpp"
#include "mpi/profile.hpp"
#include "network/network.hpp"
#include "record/message_profile.hpp"

namespace heddle::portals {
class Machine;
}

namespace heddle::mpi {

namespace collectives {
class Collectives;
}
class CallLog;
class Check;
class Engine;
class Ports;
class Fidelity;
class Process;
class PointRequests;
class Registry;
class RmaState;
class Spawner;
struct SpawnCommand;
struct IoState;

/// Everything of MPI that is not of one rank alone.
class World final : public host::JobExtension {
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
  std::uint32_t size() const { return job_.size(); }
  Engine& engine() { return *engine_; }
  Registry& registry() { return *registry_; }
  collectives::Collectives& collectives() { return *collectives_; }
  PointRequests& point_requests() { return *point_requests_; }
  /// The process with a number in MPI_COMM_WORLD; made if need be.
  Process& process(std::uint32_t id) {
    Process*& process = processes_[id];
    if (process == nullptr) process = &make_process(id);
    return *process;
  }

  /// The process with a number, or null if it has made no call and got no message.
  Process* find_process(std::uint32_t id) const { return processes_[id]; }
  record::MessageProfile& messages() { return messages_; }
  /// Null unless the run is to be checked.
  Check* check() { return check_.get(); }
  void want_check();
  /// Who records what ranks do, or null; must outlive the world.
  CallLog* call_log() const { return call_log_; }
  void set_call_log(CallLog* log) { call_log_ = log; }

  /// Null unless messages travel by more than one transport.
  Fidelity* fidelity() const { return fidelity_.get(); }
  void set_fidelity(std::unique_ptr<Fidelity> fidelity);

  /// What one-sided communication and files have under way; made on first use.
  RmaState& rma();
  IoState& io();
  /// Where processes that were not started together find each other; made on first use.
  Ports& ports();
  /// Who can start further processes; must outlive the world. Without one there are none.
  void set_spawner(Spawner& spawner) { spawner_ = &spawner; }
  /// The processes of commands join the job. From the event loop; throws InputError.
  void spawn(const std::vector<SpawnCommand>& commands);
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
  std::vector<Process*> processes_;  ///< Null for those that nobody has asked for.
  record::MessageProfile messages_;
  std::unique_ptr<Check> check_;
  CallLog* call_log_ = nullptr;
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<PointRequests> point_requests_;
  std::unique_ptr<Fidelity> fidelity_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<RmaState> rma_;
  std::unique_ptr<IoState> io_;
  std::unique_ptr<Ports> ports_;
  Spawner* spawner_ = nullptr;
  std::unique_ptr<collectives::Collectives> collectives_;
};

}  // namespace heddle::mpi
