#include "network/network_fingerprint.hpp"

#include "network/packet/packet_network.hpp"
#include "network/queue/queue_network.hpp"

namespace heddle::network {

std::uint64_t fingerprint_of(Network& network, const Simulation& simulation) {
  if (const QueueLinks* const links = queue_links_of(network)) {
    return links->crossings().fingerprint;
  }
  if (const PacketNetwork* const packets = packet_network_of(network)) {
    return packets->fingerprint();
  }
  return simulation.fingerprint();
}

}  // namespace heddle::network
