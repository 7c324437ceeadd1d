#include "platform/routing/detours.hpp"

#include <utility>

namespace heddle::platform {
namespace {

const Grouped* groups_of(const Topology& topology, DetourBy by) {
  return by == DetourBy::switches ? nullptr : dynamic_cast<const Grouped*>(&topology);
}

}  // namespace

Detours::Detours(const Topology& topology, DetourBy by)
    : TopologyRouting(topology), grouped_(groups_of(topology, by)) {}

VertexId Detours::way_point(const Hop& hop, std::uint64_t draw) const {
  if (!by_groups()) return topology_.detour(draw);
  std::uint32_t low = grouped_->group(hop.from);
  std::uint32_t high = grouped_->group(hop.to);
  if (low == high || grouped_->groups() < 3) return kNoVertex;
  if (low > high) std::swap(low, high);
  const std::uint32_t others = grouped_->groups() - 2;
  auto group = static_cast<std::uint32_t>(draw % others);
  group += group >= low ? 1 : 0;
  group += group >= high ? 1 : 0;
  return grouped_->switch_in(group, draw / others);
}

LinkId Detours::follow(Hop& hop) const {
  if (reached(hop)) hop.via = kNoVertex;
  if (hop.via == kNoVertex) return topology_.output(hop);
  Hop leg = hop;
  leg.to = hop.via;
  return topology_.output(leg);
}

void Detours::add_way(Hop hop, VertexId via, std::vector<Way>& out) const {
  hop.via = via;
  const LinkId link = follow(hop);
  out.push_back({link, hop.via});
}

/// To a spine of a dragonfly+, and from there, it can be a link further than between leaves.
std::uint32_t Detours::longest_route() const {
  const auto* const grouped = dynamic_cast<const Grouped*>(&topology_);
  const bool spines =
      grouped != nullptr && grouped->groups() * grouped->way_points() < topology_.switches();
  return TopologyRouting::longest_route() + (spines && !by_groups() ? 2 : 0);
}

/// Calls `use` with every one that way_point() may choose.
template <class Use>
void Detours::for_way_points(const Hop& hop, Use use) const {
  if (!by_groups()) {
    for (std::uint32_t s = topology_.nodes(); s < topology_.vertices(); ++s) use(VertexId{s});
    return;
  }
  const std::uint32_t first = grouped_->group(hop.from);
  const std::uint32_t last = grouped_->group(hop.to);
  if (first == last) return;
  for (std::uint32_t group = 0; group < grouped_->groups(); ++group) {
    if (group == first || group == last) continue;
    for (std::uint32_t s = 0; s < grouped_->way_points(); ++s) use(grouped_->switch_in(group, s));
  }
}

void Detours::ways(const Hop& hop, std::vector<Way>& out) const {
  if (hop.via != kNoVertex || !may_turn(hop)) return add_way(hop, hop.via, out);
  const std::size_t before = out.size();
  for_way_points(hop, [&](VertexId via) { add_way(hop, via, out); });
  if (may_stay() || out.size() == before) add_way(hop, kNoVertex, out);
}

}  // namespace heddle::platform
