#include "platform/topology/direct.hpp"

#include "platform/topology/shape.hpp"

namespace heddle::platform {

void Direct::set_size(std::uint64_t switches, std::uint64_t nodes_per_switch,
                      std::uint64_t cables) {
  const std::uint64_t nodes = capped_product(switches, nodes_per_switch);
  check_size(nodes, switches, nodes + cables);
  nodes_ = static_cast<std::uint32_t>(nodes);
  switches_ = static_cast<std::uint32_t>(switches);
  cables_ = static_cast<std::uint32_t>(nodes + cables);
  nodes_per_switch_ = static_cast<std::uint32_t>(nodes_per_switch);
}

LinkEnds Direct::ends(LinkId link) const {
  const auto number = static_cast<std::uint32_t>(link);
  const std::uint32_t cable = number / 2;
  LinkEnds ends{VertexId{cable}, VertexId{nodes_ + cable / nodes_per_switch_}};
  if (cable >= nodes_) {
    const Pair pair = joined_by(cable - nodes_);
    ends = {VertexId{nodes_ + pair.a}, VertexId{nodes_ + pair.b}};
  }
  return number % 2 == 0 ? ends : LinkEnds{ends.to, ends.from};
}

LinkId Direct::only_way(const Hop& hop) const {
  if (!is_switch(hop.at)) return LinkId{2 * static_cast<std::uint32_t>(hop.at)};
  if (switch_of(hop.at) == switch_of(hop.to)) {
    return LinkId{2 * static_cast<std::uint32_t>(hop.to) + 1};
  }
  return kNoLink;
}

LinkId Direct::output(const Hop& hop) const {
  const LinkId only = only_way(hop);
  if (only != kNoLink) return only;
  return towards(switch_of(hop.at), switch_of(hop.to), hop);
}

void Direct::minimal_outputs(const Hop& hop, LinkSet& out) const {
  const LinkId only = only_way(hop);
  if (only != kNoLink) {
    out.add(only);
  } else {
    all_towards(switch_of(hop.at), switch_of(hop.to), out);
  }
}

std::string Direct::cable_group(std::uint32_t cable) const {
  return cable < nodes_ ? "access" : switch_cable_group(cable - nodes_);
}

std::uint32_t Direct::twin(std::uint32_t cable) const {
  return cable < nodes_ ? 0 : switch_cable_twin(cable - nodes_);
}

std::vector<CableRun> Direct::cable_runs() const {
  std::vector<CableRun> runs = {{"access", 0, nodes_}};
  for (CableRun& run : switch_cable_runs()) {
    runs.push_back({std::move(run.group), nodes_ + run.first, run.cables});
  }
  return runs;
}

/// Every route has the links of its two nodes, and those between their switches.
std::optional<Distances> Direct::distances() const {
  const SwitchDistances between = switch_distances();
  const std::uint64_t pairs = std::uint64_t{nodes_} * (nodes_ - 1);
  Distances all;
  all.radix = between.ports + nodes_per_switch_;
  all.switch_diameter = between.diameter;
  all.hops.most = nodes_ > 1 ? between.most + 2 : 0;
  all.hops.pairs = pairs;
  all.hops.sum = static_cast<unsigned __int128>(pairs) * 2 +
                 between.sum * nodes_per_switch_ * nodes_per_switch_;
  return all;
}

std::string Direct::nodes_each() const {
  return counted(nodes_per_switch_, "node", "nodes") + " each";
}

Point Direct::node_place(std::uint32_t s, std::uint32_t port) const {
  const Point at = switch_place(s);
  return {at.x + port - (nodes_per_switch_ - 1) / 2.0, at.y + 1};
}

std::optional<Point> Direct::position(VertexId v) const {
  const auto number = static_cast<std::uint32_t>(v);
  if (number >= nodes_) return switch_place(number - nodes_);
  return node_place(number / nodes_per_switch_, number % nodes_per_switch_);
}

}  // namespace heddle::platform
