// Networks that several parts of a replay work on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "network/packet/divided_packets.hpp"
#include "network/queue/queue_links.hpp"
#include "replay/carrier.hpp"
#include "replay/engine/fabric_cut.hpp"

namespace heddle::replay {

/// The length of a window: what a part does in one reaches another in a later one.
inline Time window_of(const FabricCut& cut) {
  return std::min(cut.lookahead(), Time::ms(1));
}

/// A fabric whose links the parts of a replay work on.
struct SharedFabric {
  network::QueueLinks& links;
  const FabricCut& cut;
  std::span<const NodeId> nodes;  ///< By rank.

  Time window() const { return window_of(cut); }
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
