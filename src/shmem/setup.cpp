#include "shmem/setup.hpp"

#include <memory>
#include <optional>

#include "shmem/hybrid_transport.hpp"
#include "shmem/portals_transport.hpp"

namespace heddle::shmem {
namespace {

std::unique_ptr<Transport> make_shmem_transport(World& world, portals::Machine* portals) {
  if (world.config().transport == TransportKind::portals && portals != nullptr) {
    return std::make_unique<PortalsTransport>(world, *portals);
  }
  return std::make_unique<HybridTransport>(world);
}

/// The longest atomic operation of adapters that carry out collectives.
std::optional<std::size_t> largest_triggered(const ShmemConfig& config,
                                             const portals::Machine* portals) {
  const bool adapters = config.transport == TransportKind::portals && portals != nullptr &&
                        config.collectives == CollectivesBy::adapters;
  // What goes through a node's memory triggers nothing.
  if (!adapters || config.node_latency) return std::nullopt;
  return static_cast<std::size_t>(portals->limits().max_atomic_size);
}

}  // namespace

Setup::Setup(host::Job& job, network::Network& network, const ShmemConfig& config,
             portals::Machine* portals)
    : world_(job, network, config),
      engine_(world_),
      trees_(world_, largest_triggered(world_.config(), portals)) {
  world_.set_parts(engine_, trees_);
  engine_.set_transport(make_shmem_transport(world_, portals));
}

}  // namespace heddle::shmem
