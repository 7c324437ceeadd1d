// MPI for the ranks of one job.
#pragma once

#include <memory>

#include "host/job.hpp"
#include "mpi/config.hpp"
#include "network/network.hpp"

namespace heddle::mpi {

class Engine;
class Registry;

/// Everything of MPI that is not of one rank alone.
class World final : public host::JobExtension {
 public:
  /// Both must outlive the world.
  World(host::Job& job, network::Network& network, const MpiConfig& config);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Of a job, or null if it has none.
  static World* of(host::Job& job);

  host::Job& job() const { return job_; }
  network::Network& network() const { return network_; }
  Simulation& simulation() const { return job_.simulation(); }
  const MpiConfig& config() const { return config_; }
  std::uint32_t size() const { return job_.size(); }
  Engine& engine() { return *engine_; }
  Registry& registry() { return *registry_; }

 private:
  host::Job& job_;
  network::Network& network_;
  MpiConfig config_;
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace heddle::mpi
