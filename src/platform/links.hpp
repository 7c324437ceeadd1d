// All links of a machine.
#pragma once

#include <cstdint>
#include <string>

#include "core/ids.hpp"
#include "platform/fabric_cables.hpp"
#include "platform/node_cables.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// Those of the fabric's cables come first, those inside nodes follow.
class Links {
 public:
  /// The topology must outlive them.
  Links(const Topology& topology, const LinkParams& cables, const SwitchParams& switches,
        const NodeParams& nodes);

  /// One past the largest LinkId.
  std::uint32_t ids() const { return nodes_.end(); }
  const Link& operator[](LinkId link) const {
    const std::uint32_t known = fabric_.known(link);
    return known != 0 ? fabric_.numbered(known) : find(link);
  }
  /// The link whose capacity `link` uses: itself, or the forward one of a half-duplex cable.
  LinkId capacity(LinkId link) const {
    return (*this)[link].duplex == Duplex::half ? LinkId{static_cast<std::uint32_t>(link) & ~1U}
                                                : link;
  }
  /// The ends of a link of the fabric; no vertices for one inside a node.
  LinkEnds ends(LinkId link) const {
    return is_of_fabric(link) ? topology_.ends(link) : LinkEnds{kNoVertex, kNoVertex};
  }
  bool is_of_fabric(LinkId link) const { return index(link) < topology_.links(); }
  /// Whether it is the cable of a node's messages to itself.
  bool is_loopback(LinkId link) const {
    return !is_of_fabric(link) && nodes_.cable_of(link) == NodeCable::loopback;
  }
  /// "n0->s4" ("n0<->s4" if half duplex), "n3 pcie", ...: a name for people.
  std::string name(LinkId link) const;

  const FabricCables& fabric() const { return fabric_; }
  FabricCables& fabric() { return fabric_; }
  const NodeCables& nodes() const { return nodes_; }
  NodeCables& nodes() { return nodes_; }

 private:
  const Link& find(LinkId link) const;

  const Topology& topology_;
  NodeCables nodes_;
  FabricCables fabric_;
};

}  // namespace heddle::platform
