#include "platform/fabric_cables.hpp"

namespace heddle::platform {
namespace {

/// Links of the largest fabric that has tables of them: 100 MB or so.
constexpr std::uint32_t kMostTabledLinks = 1U << 24;

}  // namespace

FabricCables::FabricCables(const Topology& topology, const LinkParams& all,
                           const SwitchParams& switches)
    : topology_(topology), switch_latency_(switches.latency), params_(topology.cables(), all) {
  const std::uint32_t cables = topology.cables();
  if (cables > 0) note_links_like(0);
  if (topology.links() > kMostTabledLinks) return;
  link_number_.resize(topology.links());
  link_end_.resize(topology.links());
  for (std::uint32_t cable = 0; cable < cables; ++cable) tabulate(cable);
}

void FabricCables::set(std::uint32_t cable, const LinkParams& params) {
  params_.set(cable, params);
  if (params_.number(cable) == links_of_params_.size()) note_links_like(cable);
  if (!link_number_.empty()) tabulate(cable);
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

void FabricCables::tabulate(std::uint32_t cable) {
  for (const std::uint32_t link : {2 * cable, 2 * cable + 1}) {
    const LinkEnds ends = topology_.ends(LinkId{link});
    link_end_[link] = ends.to;
    link_number_[link] = link_number(cable, ends.from);
  }
}

const Link& FabricCables::computed(LinkId link) const {
  const auto cable = static_cast<std::uint32_t>(link) / 2;
  return links_[link_number(cable, topology_.ends(link).from)];
}

}  // namespace heddle::platform
