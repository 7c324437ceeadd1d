// How a replay over a fabric is divided.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "network/parts/fabric_cut.hpp"
#include "replay/engine/parts.hpp"

namespace heddle::replay {

struct FabricParts {
  Parts parts;
  std::optional<network::FabricCut> cut;  ///< With a lookahead; none: there is one part.
  std::string why_fewer;                  ///< Than was asked for: a reason for people; or empty.
};

struct FabricWish {
  std::size_t parts;
  std::uint32_t least_ranks;  ///< Per part, on the average.
  Bytes rendezvous;           ///< Messages of more bytes join their ranks.
  bool back_as_well = false;  ///< News goes back over cables, too.
};

/// At most as many parts as are wished for, cut between switches if that gives as many, else
/// between nodes; one where the fabric's links cannot be divided. `nodes` by rank.
FabricParts divide_fabric(const goal::Schedule& schedule, const platform::Platform& platform,
                          std::span<const NodeId> nodes, const FabricWish& wish);

}  // namespace heddle::replay
