#include "platform/figures/metrics.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {

void TopologyRouting::ways(const Hop& hop, std::vector<Way>& out) const {
  if (choice() == RouteChoice::adaptive) {
    LinkSet links;
    topology_.minimal_outputs(hop, links);
    for (const LinkId link : links) out.push_back({link, hop.via});
    return;
  }
  out.push_back({topology_.output(hop), hop.via});
  const LinkId other = choice() == RouteChoice::drawn ? topology_.tied_output(hop) : kNoLink;
  if (other != kNoLink) out.push_back({other, hop.via});
}

std::uint32_t TopologyRouting::longest_route() const {
  return platform::longest_route(topology_, choice());
}

}  // namespace heddle::platform
