#include "platform/cost/floor_plan.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::platform {
namespace {

constexpr std::uint32_t kNoRack = UINT32_MAX;

std::uint32_t apart(std::uint32_t a, std::uint32_t b) {
  return a < b ? b - a : a - b;
}

}  // namespace

FloorPlan::FloorPlan(const FabricGraph& fabric, const Prices::Floor& floor)
    : floor_(floor), rack_(fabric.vertices(), kNoRack) {
  const auto per_rack = static_cast<std::uint32_t>(std::min(floor.switches_per_rack, 1e9));
  std::uint32_t placed = 0;
  for (std::uint32_t s = fabric.nodes(); s < fabric.vertices(); ++s) {
    rack_[s] = placed++ / per_rack;
  }
  for (std::uint32_t link = 0; link < fabric.links(); ++link) {
    const LinkEnds ends = fabric.ends(LinkId{link});
    std::uint32_t& own = rack_[index(ends.from)];
    if (own == kNoRack && fabric.is_switch(ends.to)) own = rack_[index(ends.to)];
  }
  for (std::uint32_t n = 0; n < fabric.nodes(); ++n) {
    if (rack_[n] == kNoRack) rack_[n] = placed++ / per_rack;
  }
  racks_ = (placed + per_rack - 1) / per_rack;
  const double row = floor.racks_per_row.value_or(std::ceil(std::sqrt(racks_)));
  per_row_ = static_cast<std::uint32_t>(std::clamp(row, 1.0, 1e9));
}

double FloorPlan::length(VertexId a, VertexId b) const {
  const std::uint32_t from = rack(a);
  const std::uint32_t to = rack(b);
  if (from == to) return floor_.inside;
  return floor_.between + floor_.rack_width * apart(from % per_row_, to % per_row_) +
         floor_.rack_depth * apart(from / per_row_, to / per_row_);
}

}  // namespace heddle::platform
