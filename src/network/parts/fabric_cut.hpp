// Which part of a simulation works on which links of a fabric.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::network {

/// Every link belongs to one part: those of a node and of its cables to the part of the node, those
/// between switches to the part of the switch they leave. A switch is with the parts of its
/// neighbours that are nearer to the nodes.
class FabricCut {
 public:
  static constexpr std::uint16_t kNoPart = UINT16_MAX;
  /// `part_of_node`: kNoPart for nodes that do nothing.
  FabricCut(const platform::Platform& platform, std::vector<std::uint16_t> part_of_node,
            std::size_t parts, bool back_as_well = false);

  std::uint32_t part_of(LinkId link) const { return part_of_link_[index(link)]; }
  std::uint32_t part_of(NodeId node) const { return part_of_vertex_[index(node)]; }
  /// By link, node cables included, and by vertex.
  std::span<const std::uint16_t> parts_of_links() const { return part_of_link_; }
  std::span<const std::uint16_t> parts_of_vertices() const { return part_of_vertex_; }
  /// Between entering a link of one part and the next link, of another part, or a node's memory
  /// there: at least this; back as well, the way over the cable alone. Time::never() if no way
  /// leads from one part to another.
  Time lookahead() const { return lookahead_; }
  /// The length of a window: what a part does in one reaches another in a later one.
  Time window() const { return std::min(lookahead_, Time::ms(1)); }

 private:
  void place_links(const platform::Platform& platform);
  void find_lookahead(const platform::Platform& platform, bool back_as_well);

  std::vector<std::uint16_t> part_of_vertex_;
  std::vector<std::uint16_t> part_of_link_;  ///< Node cables included.
  Time lookahead_ = Time::never();
};

/// Why the links of this machine are one thread's, or "".
std::string indivisible(const platform::Platform& platform);

/// By node: the switch that its first cable leads to, or the node itself.
std::vector<std::uint32_t> homes_of(const platform::Topology& topology);

}  // namespace heddle::network
