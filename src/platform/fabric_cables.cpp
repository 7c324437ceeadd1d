#include "platform/fabric_cables.hpp"

namespace heddle::platform {

FabricCables::FabricCables(const Topology& topology, const LinkParams& all,
                           const SwitchParams& switches, std::uint32_t links)
    : topology_(topology),
      switch_latency_(switches.latency),
      params_(topology.cables(), all),
      known_link_(links),
      known_end_(topology.links()) {
  if (topology.cables() > 0) note_links_like(0);
}

void FabricCables::set(std::uint32_t cable, const LinkParams& params) {
  params_.set(cable, params);
  if (params_.number(cable) == links_of_params_.size()) note_links_like(cable);
  for (const std::uint32_t link : {2 * cable, 2 * cable + 1}) known_link_.forget(link);
}

/// The links of cables with its parameters, which no cable had before.
void FabricCables::note_links_like(std::uint32_t cable) {
  const LinkParams& params = params_[cable];
  const Link from_node{params.bandwidth, params.flow_cap, params.latency, params.duplex};
  Link from_switch = from_node;
  from_switch.latency += switch_latency_;
  links_of_params_.push_back({links_.number_of(from_node), links_.number_of(from_switch)});
}

std::uint32_t FabricCables::link_number(std::uint32_t cable, VertexId from) const {
  const bool from_switch = from != kNoVertex && topology_.is_switch(from);
  return links_of_params_[params_.number(cable)][from_switch ? 1 : 0];
}

const Link& FabricCables::find(LinkId link) const {
  const auto cable = static_cast<std::uint32_t>(link) / 2;
  const std::uint32_t number = link_number(cable, topology_.ends(link).from);
  known_link_.keep(index(link), number + 1);
  return links_[number];
}

VertexId FabricCables::find_end(LinkId link) const {
  const VertexId end = topology_.ends(link).to;
  if (end != kNoVertex) known_end_.keep(index(link), static_cast<std::uint32_t>(end) + 1);
  return end;
}

}  // namespace heddle::platform
