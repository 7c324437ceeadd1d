// What carries the messages of a replay over a network with links.
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// What carries the messages, and between which nodes.
struct Carrier {
  Simulation& simulation;
  network::Network& network;
  std::vector<NodeId> nodes;  ///< By rank.
  /// The memory of each rank, where nodes have several adapters; else empty.
  std::vector<platform::Endpoint> memory = {};

  platform::Endpoint memory_of(RankId rank) const {
    return memory.empty() ? platform::Endpoint{nodes[index(rank)], platform::Port::memory}
                          : memory[index(rank)];
  }
};

}  // namespace heddle::replay
