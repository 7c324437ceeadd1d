// OpenSHMEM for the PEs of one job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "coll/rules/selector.hpp"
#include "host/rank/job.hpp"
#include "network/network.hpp"
#include "record/message_profile.hpp"
#include "shmem/config.hpp"
#include "shmem/pe.hpp"
#include "shmem/symmetric.hpp"
#include "shmem/teams.hpp"
#include "shmem/workspace.hpp"

namespace heddle::shmem {

class Engine;
class Trees;

/// Everything of OpenSHMEM that is not of one PE alone.
class World final : public host::JobExtension {
 public:
  /// All must outlive the world, which is of use when set_parts() has told it of those that stand
  /// on it.
  World(host::Job& job, network::Network& network, const ShmemConfig& config);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void set_parts(Engine& engine, Trees& trees) {
    engine_ = &engine;
    trees_ = &trees;
  }
  /// Of a job, or null if it has none.
  static World* of(host::Job& job);

  host::Job& job() const { return job_; }
  network::Network& network() const { return network_; }
  Simulation& simulation() const { return job_.simulation(); }
  const ShmemConfig& config() const { return config_; }
  std::uint32_t size() const { return job_.size(); }
  Engine& engine() { return *engine_; }
  Trees& trees() { return *trees_; }
  const coll::Selector& selector() const { return selector_; }
  Workspaces& workspaces() { return workspaces_; }
  /// Made if need be.
  Pe& pe(std::uint32_t number);
  /// Null if it has made no call and nothing has come to it.
  Pe* find_pe(std::uint32_t number) const { return pes_[number].get(); }

  /// The heap has the size that the first PE to begin wants.
  SymmetricMemory& memory(std::optional<std::size_t> heap = std::nullopt);
  /// Whether a PE has been given the address of another one's memory.
  bool stores_directly() const { return stores_directly_; }
  void let_store_directly() { stores_directly_ = true; }

  Teams& teams() { return teams_; }
  const Teams& teams() const { return teams_; }

  record::MessageProfile& messages() { return messages_; }
  /// Whether anybody has called OpenSHMEM.
  bool used() const { return memory_ != nullptr; }

 private:
  host::Job& job_;
  network::Network& network_;
  ShmemConfig config_;
  coll::Selector selector_;
  Workspaces workspaces_;
  std::vector<std::unique_ptr<Pe>> pes_;
  Teams teams_;
  std::unique_ptr<SymmetricMemory> memory_;
  record::MessageProfile messages_;
  bool stores_directly_ = false;
  Engine* engine_ = nullptr;
  Trees* trees_ = nullptr;
};

}  // namespace heddle::shmem
