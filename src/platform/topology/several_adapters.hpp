// Nodes with several adapters each.
#pragma once

#include <memory>
#include <vector>

#include "platform/adapter_use.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// A fabric whose nodes have several cables to switches, one for each adapter: it is made of one in
/// which every adapter is a node. Cables have the numbers that they have there; nodes are numbered
/// anew, and switches follow them. Which adapters a message takes at either end stands in its Hop.
class SeveralAdapters final : public Topology {
 public:
  /// Throws ParamError about "adapters" or "adapter_map" if `fabric` has no such places.
  SeveralAdapters(std::unique_ptr<const Topology> fabric, std::uint32_t adapters, AdapterMap map);

  std::string describe() const override;
  LinkEnds ends(LinkId link) const override;
  std::string name(VertexId v) const override;
  std::uint32_t twin(std::uint32_t cable) const override;
  std::string cable_group(std::uint32_t cable) const override {
    return fabric_->cable_group(cable);
  }
  std::optional<Point> position(VertexId v) const override;

  LinkId output(const Hop& hop) const override { return fabric_->output(in_fabric(hop)); }
  void minimal_outputs(const Hop& hop, LinkSet& out) const override {
    fabric_->minimal_outputs(in_fabric(hop), out);
  }
  bool concurrent() const override { return fabric_->concurrent(); }
  bool has_route(VertexId from, VertexId to) const override;
  bool has_ties() const override { return fabric_->has_ties(); }
  LinkId tied_output(const Hop& hop) const override { return fabric_->tied_output(in_fabric(hop)); }
  bool can_wait_in_circles(RouteChoice choice) const override {
    return fabric_->can_wait_in_circles(choice);
  }
  bool routes_to_switches() const override { return fabric_->routes_to_switches(); }
  VertexId detour(std::uint64_t draw) const override { return outside(fabric_->detour(draw)); }

  /// The place of a node's adapter among the nodes of the fabric that this one is made of.
  std::uint32_t place_of(std::uint32_t node, std::uint32_t adapter) const;

 private:
  std::uint32_t node_at(std::uint32_t place) const;
  VertexId inside(VertexId v, std::uint32_t adapter) const;
  VertexId outside(VertexId v) const;
  Hop in_fabric(const Hop& hop) const;

  std::unique_ptr<const Topology> fabric_;
  std::uint32_t adapters_;
  AdapterMap map_;
  std::vector<VertexId> leaf_;  ///< The switch of each place.
  std::uint32_t on_leaf_;       ///< Places on a leaf switch, with rails.
};

}  // namespace heddle::platform
