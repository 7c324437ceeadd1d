#include "platform/links.hpp"

namespace heddle::platform {

Links::Links(const Topology& topology, const LinkParams& cables, const SwitchParams& switches,
             const NodeParams& nodes)
    : topology_(topology),
      nodes_(topology.links(), topology.nodes(), nodes),
      fabric_(topology, cables, switches, nodes_.end()) {}

const Link& Links::find(LinkId link) const {
  return is_of_fabric(link) ? fabric_.find(link) : nodes_[link];
}

std::string Links::name(LinkId link) const {
  if (!is_of_fabric(link)) {
    return topology_.name(VertexId{static_cast<std::uint32_t>(nodes_.node_of(link))}) +
           nodes_.suffix(link);
  }
  std::string name = topology_.link_name(link);
  const std::size_t arrow = name.find("->");
  const bool both_ways = (*this)[link].duplex == Duplex::half && arrow != std::string::npos;
  return both_ways ? name.insert(arrow, "<") : name;
}

}  // namespace heddle::platform
