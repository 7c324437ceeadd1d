// Messages on links that several parts of a replay share.
#pragma once

#include <cstdint>
#include <span>

#include "network/packet/divided_packets.hpp"
#include "network/queue/queue_links.hpp"
#include "replay/engine/fabric_cut.hpp"
#include "replay/network_replay.hpp"

namespace heddle::replay {

/// The length of a window: what a part does in one reaches another in a later one.
inline std::int64_t window_of(const FabricCut& cut) {
  return std::min(cut.lookahead(), Time::ms(1)).ps();
}

/// A fabric whose links the parts of a replay work on.
struct SharedFabric {
  network::QueueLinks& links;
  const FabricCut& cut;
  std::span<const NodeId> nodes;  ///< By rank.

  std::int64_t window() const { return window_of(cut); }
};

/// A packet network that the parts of a replay work on.
struct SharedPackets {
  network::PacketNetwork& whole;
  network::DividedPackets& network;
  std::int64_t window;                            ///< Its length.
  std::vector<Carrier> carriers;                  ///< By part.
  std::vector<network::TransferClient*> engines;  ///< By part: who takes what arrives there.
};

/// A message that a packet network carries to an engine.
struct Voyage {
  std::uint64_t sequence;  ///< Of its launch.
  std::uint32_t source;    ///< The sender.
  std::uint32_t op;        ///< The sender's operation.
};

/// A message between links.
struct Flight {
  network::QueueTravel travel;
  std::uint32_t message;  ///< The engine's record.
  std::uint32_t next;     ///< In the pool.
};

/// One on its way to a link or node of another part.
struct RemoteFlight {
  std::int64_t time;        ///< When it is there.
  std::uint64_t sequence;   ///< Of its being there.
  std::uint64_t of_launch;  ///< Of the message.
  std::uint32_t op;         ///< The sender's operation.
  std::uint32_t source;     ///< The sender.
  std::uint32_t units;
  network::QueueTravel travel;
};

}  // namespace heddle::replay
