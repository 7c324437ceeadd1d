#include "report/wiring.hpp"

namespace heddle::report {
namespace {

using platform::LinkEnds;
using platform::Topology;

bool has_ends(LinkEnds ends) {
  return ends.from != kNoVertex && ends.to != kNoVertex;
}

Wiring wiring_by_ends(const Topology& topology) {
  Wiring result;
  for (std::uint32_t v = 0; v < topology.vertices(); ++v) {
    const VertexId vertex{v};
    result.vertices.push_back(
        {topology.is_switch(vertex) ? VertexKind::fabric_switch : VertexKind::node, vertex});
  }
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    const LinkEnds ends = topology.ends(LinkId{2 * cable});
    if (has_ends(ends) && ends.from != ends.to) {
      result.wires.push_back({static_cast<std::uint32_t>(index(ends.from)),
                              static_cast<std::uint32_t>(index(ends.to)),
                              {cable}});
    } else {
      ++result.left_out;
    }
  }
  return result;
}

}  // namespace

Wiring wiring(const Topology& topology) {
  const bool routed = topology.cables() > 0 && !has_ends(topology.ends(LinkId{0}));
  return routed ? wiring_by_routes(topology) : wiring_by_ends(topology);
}

}  // namespace heddle::report
