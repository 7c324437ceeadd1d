// Which part of a replay works on which links of a fabric.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "replay/engine/parts.hpp"

namespace heddle::replay {

/// Every link belongs to one part: those of a node and of its cables to the part of its ranks,
/// those between switches to the part of the switch they leave. A switch is with the parts of its
/// neighbours that are nearer to the nodes.
class FabricCut {
 public:
  /// `nodes` by rank; all ranks of a node are in one part.
  FabricCut(const platform::Platform& platform, std::span<const NodeId> nodes, const Parts& parts,
            bool back_as_well = false);

  std::uint32_t part_of(LinkId link) const { return part_of_link_[index(link)]; }
  std::uint32_t part_of(NodeId node) const { return part_of_vertex_[index(node)]; }
  /// By link, node cables included, and by vertex.
  std::span<const std::uint16_t> parts_of_links() const { return part_of_link_; }
  std::span<const std::uint16_t> parts_of_vertices() const { return part_of_vertex_; }
  /// Between entering a link of one part and the next link, of another part, or a node's memory
  /// there: at least this; back as well, the way over the cable alone. Time::never() if no way
  /// leads from one part to another.
  Time lookahead() const { return lookahead_; }

 private:
  void place_links(const platform::Platform& platform);
  void find_lookahead(const platform::Platform& platform, bool back_as_well);

  std::vector<std::uint16_t> part_of_vertex_;
  std::vector<std::uint16_t> part_of_link_;  ///< Node cables included.
  Time lookahead_ = Time::never();
};

/// How a replay over a fabric is divided.
struct FabricParts {
  Parts parts;
  std::optional<FabricCut> cut;  ///< With a lookahead; none: there is one part.
  std::string why_fewer;         ///< Than was asked for: a reason for people; or empty.
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
