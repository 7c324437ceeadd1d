#include "mpi/world.hpp"

#include "mpi/comm/registry.hpp"
#include "mpi/p2p/engine.hpp"

namespace heddle::mpi {

World::World(host::Job& job, network::Network& network, const MpiConfig& config)
    : job_(job), network_(network), config_(config) {
  job.set_extension(host::Layer::mpi, this);
}

World::~World() {
  job_.set_extension(host::Layer::mpi, nullptr);
}

World* World::of(host::Job& job) {
  return static_cast<World*>(job.extension(host::Layer::mpi));
}

}  // namespace heddle::mpi
