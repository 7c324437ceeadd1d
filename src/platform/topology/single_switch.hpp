// One switch, every node on a port of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "platform/topology.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {

/// Cable n joins node n (link 2n goes up) to the switch.
class SingleSwitch final : public Topology {
 public:
  explicit SingleSwitch(std::uint32_t nodes) : Topology(nodes, 1, nodes) {}

  bool concurrent() const override { return true; }
  std::string describe() const override {
    return "single switch, " + counted(nodes_, "node", "nodes");
  }
  LinkEnds ends(LinkId link) const override {
    const VertexId node{static_cast<std::uint32_t>(link) / 2};
    return index(link) % 2 == 0 ? LinkEnds{node, VertexId{nodes_}}
                                : LinkEnds{VertexId{nodes_}, node};
  }
  LinkId output(const Hop& hop) const override {
    return is_switch(hop.at) ? LinkId{2 * static_cast<std::uint32_t>(hop.to) + 1}
                             : LinkId{2 * static_cast<std::uint32_t>(hop.at)};
  }
  bool can_wait_in_circles(RouteChoice) const override { return false; }
  std::string cable_group(std::uint32_t) const override { return "access"; }
  std::vector<CableRun> cable_runs() const override { return {{"access", 0, nodes_}}; }
  std::optional<Distances> distances() const override {
    const std::uint64_t pairs = std::uint64_t{nodes_} * (nodes_ - 1);
    return Distances{nodes_, 0, {nodes_ > 1 ? 2U : 0U, 2 * pairs, pairs}};
  }
  std::optional<RunCut> narrowest_cut(const std::vector<Bandwidth>&) const override {
    return RunCut{0, nodes_ / 2};
  }
  /// A star: the switch in the middle of its nodes.
  std::optional<Point> position(VertexId v) const override {
    if (is_switch(v)) return Point{};
    const double angle = 2 * std::numbers::pi * static_cast<double>(index(v)) / nodes_;
    const double radius = std::max(2.0, nodes_ / 5.0);
    return Point{radius * std::sin(angle), -radius * std::cos(angle)};
  }
};

}  // namespace heddle::platform
