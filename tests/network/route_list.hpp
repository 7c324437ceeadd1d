// A topology for tests: links without ends, and a list of links for every pair of nodes that talks.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "platform/topology.hpp"

namespace heddle::platform {

/// Link i of the list of links is the forward direction of cable i; the backward one is not used.
class RouteList final : public Topology {
 public:
  using Routes = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>;

  RouteList(std::uint32_t nodes, std::uint32_t links, Routes routes)
      : Topology(nodes, 0, links), routes_(std::move(routes)) {}

  bool concurrent() const override { return true; }
  std::string describe() const override { return "list of routes"; }
  LinkEnds ends(LinkId) const override { return {kNoVertex, kNoVertex}; }
  LinkId output(const Hop& hop) const override { return LinkId{2 * route(hop)[hop.step]}; }
  VertexId after(const Hop& hop, LinkId) const override {
    return hop.step + 1 == route(hop).size() ? hop.to : hop.at;
  }
  std::string link_name(LinkId link) const override { return "l" + std::to_string(index(link)); }
  std::string cable_group(std::uint32_t) const override { return "links"; }

 private:
  const std::vector<std::uint32_t>& route(const Hop& hop) const {
    return routes_.at({static_cast<std::uint32_t>(hop.from), static_cast<std::uint32_t>(hop.to)});
  }
  Routes routes_;
};

}  // namespace heddle::platform
