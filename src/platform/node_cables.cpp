#include "platform/node_cables.hpp"

#include <algorithm>

namespace heddle::platform {

NodeCables::Kind::Kind(const NodeParams& own_params)
    : params(own_params),
      links{Link{params.pcie_bandwidth, params.pcie_flow_cap, params.pcie_latency,
                 params.pcie_duplex},
            Link{params.limiter_bandwidth, {}, {}, Duplex::half},
            Link{params.loopback_bandwidth, params.loopback_flow_cap, params.loopback_latency,
                 Duplex::half},
            Link{params.inner_bandwidth, {}, params.inner_latency, Duplex::full}} {
  std::transform(links.begin(), links.end(), has.begin(),
                 [](const Link& link) { return link.matters(); });
}

NodeCables::NodeCables(std::uint32_t first, std::uint32_t nodes, const NodeParams& all)
    : first_(first),
      adapters_(static_cast<std::uint32_t>(all.adapters)),
      node_links_(2 *
                  (static_cast<std::uint32_t>(NodeCable::inner) + (adapters_ > 1 ? adapters_ : 0))),
      kinds_(nodes, Kind(all)) {}

NodeCable NodeCables::cable_of(LinkId link) const {
  const std::uint32_t cable = number(link) % node_links_ / 2;
  return static_cast<NodeCable>(std::min(cable, kCables - 1));
}

std::string NodeCables::suffix(LinkId link) const {
  static constexpr std::array<const char*, kCables> kNames = {" pcie", " limiter", " loopback",
                                                              " inner"};
  const std::uint32_t own = number(link) % node_links_;
  const NodeCable cable = cable_of(link);
  std::string text = kNames[static_cast<std::size_t>(cable)];
  if (cable == NodeCable::inner) text += " " + std::to_string(own / 2 - (kCables - 1));
  const bool two_ways = cable == NodeCable::pcie || cable == NodeCable::inner;
  if (two_ways && (*this)[link].duplex == Duplex::full) text += own % 2 != 0 ? " in" : " out";
  return text;
}

}  // namespace heddle::platform
