// OpenSHMEM for one job, put together.
#pragma once

#include "shmem/config.hpp"
#include "shmem/engine.hpp"
#include "shmem/trees.hpp"
#include "shmem/world.hpp"

namespace heddle::portals {
class Machine;
}

namespace heddle::shmem {

/// The world of a job's PEs and what stands on it.
class Setup {
 public:
  /// All must outlive it; `portals` may be null where the transport does without.
  Setup(host::Job& job, network::Network& network, const ShmemConfig& config,
        portals::Machine* portals = nullptr);

  World& world() { return world_; }

 private:
  World world_;
  Engine engine_;
  Trees trees_;
};

}  // namespace heddle::shmem
