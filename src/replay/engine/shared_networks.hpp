// Networks that several parts of a replay work on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/packet/divided_packets.hpp"
#include "network/parts/fabric_cut.hpp"
#include "network/queue/queue_links.hpp"
#include "replay/carrier.hpp"

namespace heddle::replay {

/// A fabric whose links the parts of a replay work on.
struct SharedFabric {
  network::QueueLinks& links;
  const network::FabricCut& cut;
  std::span<const NodeId> nodes;  ///< By rank.

  Time window() const { return cut.window(); }
};

/// A packet network that the parts of a replay work on.
struct SharedPackets {
  network::PacketNetwork& whole;
  network::DividedPackets& network;
  Time window;                                    ///< Its length.
  std::vector<Carrier> carriers;                  ///< By part.
  std::vector<network::TransferClient*> clients;  ///< By part: who takes what arrives there.
};

}  // namespace heddle::replay
