#include "platform/topology.hpp"

namespace heddle::platform {

void Topology::find_route(VertexId from, VertexId to, LinkSet& links) const {
  links.clear();
  for (Hop hop{from, from, to}; hop.at != to; ++hop.step) {
    const LinkId link = output(hop);
    links.add(link);
    hop.at = after(hop, link);
  }
}

VertexId Topology::detour(std::uint64_t draw) const {
  return VertexId{nodes_ + static_cast<std::uint32_t>(draw % switches_)};
}

}  // namespace heddle::platform
