// Messages on links that several parts of a replay share.
#pragma once

#include <cstdint>
#include <span>

#include "network/queue/queue_links.hpp"
#include "replay/engine/fabric_cut.hpp"

namespace heddle::replay {

/// A fabric whose links the parts of a replay work on.
struct SharedFabric {
  network::QueueLinks& links;
  const FabricCut& cut;
  std::span<const NodeId> nodes;  ///< By rank.

  /// The length of a window: what a part does in one reaches another in a later one.
  std::int64_t window() const { return std::min(cut.lookahead(), Time::ms(1)).ps(); }
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
