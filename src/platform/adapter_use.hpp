// Several adapters of a node: where they lead, and which of them a message takes.
#pragma once

#include <cstdint>

namespace heddle::platform {

/// Which places of a fabric the adapters of a node take.
enum class AdapterMap : std::uint8_t {
  planes,      ///< The same place in as many equal fabrics.
  rails,       ///< As many leaf switches, one for each adapter of the nodes that share them.
  neighbours,  ///< Places that follow each other.
};

/// By which adapter of its node a message leaves.
enum class AdapterChoice : std::uint8_t {
  rank,         ///< The one that its rank is bound to; in turn where no rank sends it.
  round_robin,  ///< One after the other.
  hash,         ///< The same for all messages between two nodes.
  stripe,       ///< All of them, a part each, for long ones; the others in turn.
};

}  // namespace heddle::platform
