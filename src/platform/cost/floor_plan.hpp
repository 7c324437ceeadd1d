// Where the vertices of a fabric stand, and how long its cables are.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/cost/prices.hpp"
#include "platform/fabric_graph.hpp"

namespace heddle::platform {

/// Consecutive switches share a rack, with the nodes whose first cable leads to them; a node
/// without a switch counts as one. Racks fill one row after the other.
class FloorPlan {
 public:
  FloorPlan(const FabricGraph& fabric, const Prices::Floor& floor);

  std::uint32_t racks() const { return racks_; }
  std::uint32_t rack(VertexId v) const { return rack_[index(v)]; }
  /// In metres: within a rack as the floor says; between racks the way along the row and across
  /// rows, and what the floor adds.
  double length(VertexId a, VertexId b) const;

 private:
  Prices::Floor floor_;
  std::vector<std::uint32_t> rack_;  ///< By vertex.
  std::uint32_t racks_ = 0;
  std::uint32_t per_row_ = 1;
};

}  // namespace heddle::platform
