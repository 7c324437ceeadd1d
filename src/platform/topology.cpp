#include "platform/topology.hpp"

#include <algorithm>

#include "platform/route_circles.hpp"

namespace heddle::platform {

void LinkSet::make_room() {
  constexpr std::size_t kFirst = 16;
  room_.resize(std::max(kFirst, 2 * room_.size()));
}

void Topology::find_route(VertexId from, VertexId to, LinkSet& links) const {
  links.clear();
  for (Hop hop{from, from, to}; hop.at != to; ++hop.step) {
    const LinkId link = output(hop);
    links.add(link);
    hop.at = after(hop, link);
  }
}

bool Topology::can_wait_in_circles(RouteChoice choice) const {
  constexpr std::uint32_t kMostNodesFollowed = 1024;
  if (choice == RouteChoice::detour) return switches_ > 1;
  const bool only_way = cables_ + 1 == vertices();  // A tree, so minimal routes are the fixed ones.
  if (choice == RouteChoice::adaptive && !only_way) return true;
  return nodes_ > kMostNodesFollowed || fixed_routes_have_circle(*this);
}

VertexId Topology::detour(std::uint64_t draw) const {
  return VertexId{nodes_ + static_cast<std::uint32_t>(draw % switches_)};
}

}  // namespace heddle::platform
