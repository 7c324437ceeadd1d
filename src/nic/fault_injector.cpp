#include "nic/fault_injector.hpp"

#include "core/error.hpp"
#include "platform/node_names.hpp"

namespace heddle::nic {
namespace {

/// By cable of the fabric, whether its name in either direction matches.
std::vector<bool> cables_like(const platform::Topology& topology, const std::string& pattern) {
  std::vector<bool> matching(topology.cables());
  bool any = false;
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    matching[cable] = platform::names_cable(topology, cable, pattern);
    any = any || matching[cable];
  }
  if (any) return matching;
  const std::string example =
      topology.cables() > 0 ? " such as '" + topology.link_name(LinkId{0}) + "'" : "";
  throw InputError({}, "no link matches '" + pattern +
                           "' of a fault: accepted is a glob on the names of links" + example);
}

}  // namespace

FaultInjector::FaultInjector(const Simulation& simulation, const platform::Platform& platform,
                             const Faults& faults)
    : platform_(platform),
      faults_(faults),
      by_chance_(faults.drop > 0 || faults.corrupt > 0),
      random_(simulation.random("faults")) {
  for (const Outage& outage : faults.outages) {
    cables_.push_back(cables_like(platform.topology(), outage.cable));
  }
}

FaultInjector::Hits FaultInjector::drawn() {
  Hits hits;
  hits.drop = faults_.drop > 0 && random_.uniform() < faults_.drop;
  hits.damage = faults_.corrupt > 0 && random_.uniform() < faults_.corrupt;
  return hits;
}

bool FaultInjector::cut(NodeId from, NodeId to, Time start, Time end) const {
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    const Outage& outage = faults_.outages[i];
    if (start < outage.to && outage.from <= end && crosses(from, to, cables_[i])) return true;
  }
  return false;
}

bool FaultInjector::crosses(NodeId from, NodeId to, const std::vector<bool>& cables) const {
  const platform::NoLoads idle;
  platform::Walk walk = platform_.routes().walk({from}, {to}, 0);
  for (LinkId link; (link = platform_.routes().next(walk, idle)) != kNoLink;) {
    if (index(link) / 2 < cables.size() && cables[index(link) / 2]) return true;
  }
  return false;
}

}  // namespace heddle::nic
