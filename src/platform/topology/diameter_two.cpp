#include "platform/topology/diameter_two.hpp"

#include <algorithm>

#include "platform/topology/circle.hpp"
#include "platform/topology/equal_ways.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {

DiameterTwo::DiameterTwo(DiameterTwoPlan plan) : plan_(std::move(plan)) {
  check_list("nodes_per_switch", {plan_.nodes_per_switch}, 1);
  set_size(plan_.switches, static_cast<std::uint64_t>(plan_.nodes_per_switch), plan_.cables.size());
  join();
}

void DiameterTwo::join() {
  first_.assign(switches_ + 1, 0);
  for (const auto& [a, b] : plan_.cables) {
    ++first_[a + 1];
    ++first_[b + 1];
  }
  for (std::uint32_t s = 0; s < switches_; ++s) first_[s + 1] += first_[s];
  neighbours_.resize(first_[switches_]);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t cable = 0; cable < plan_.cables.size(); ++cable) {
    const auto& [a, b] = plan_.cables[cable];
    neighbours_[next[a]++] = {b, link(cable, false)};
    neighbours_[next[b]++] = {a, link(cable, true)};
  }
  for (std::uint32_t s = 0; s < switches_; ++s) {
    std::sort(neighbours_.begin() + first_[s], neighbours_.begin() + first_[s + 1],
              [](const Neighbour& one, const Neighbour& other) { return one.at < other.at; });
  }
}

std::string DiameterTwo::describe() const {
  return plan_.about + ", " + counted(switches_, "switch", "switches") + ", " + nodes_each();
}

LinkId DiameterTwo::direct(std::uint32_t at, std::uint32_t to) const {
  const auto* found = std::lower_bound(
      begin_of(at), end_of(at), to,
      [](const Neighbour& neighbour, std::uint32_t wanted) { return neighbour.at < wanted; });
  return found != end_of(at) && found->at == to ? found->link : kNoLink;
}

template <class Use>
void DiameterTwo::for_common(std::uint32_t at, std::uint32_t to, Use use) const {
  const Neighbour* other = begin_of(to);
  for (const Neighbour* own = begin_of(at); own != end_of(at) && other != end_of(to); ++own) {
    while (other != end_of(to) && other->at < own->at) ++other;
    if (other != end_of(to) && other->at == own->at) use(own->link);
  }
}

LinkId DiameterTwo::towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const {
  if (const LinkId only = direct(at, to); only != kNoLink) return only;
  return shared_out(hop.to, [&](auto use) { for_common(at, to, use); });
}

void DiameterTwo::all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const {
  if (const LinkId only = direct(at, to); only != kNoLink) {
    out.add(only);
  } else {
    for_common(at, to, [&out](LinkId first) { out.add(first); });
  }
}

std::string DiameterTwo::switch_cable_group(std::uint32_t cable) const {
  for (const CableRun& run : plan_.runs) {
    if (cable < run.first + run.cables) return run.group;
  }
  return plan_.runs.back().group;
}

/// Neighbours are one link apart, all others two.
SwitchDistances DiameterTwo::switch_distances() const {
  const std::uint64_t pairs = std::uint64_t{switches_} * (switches_ - 1);
  const std::uint64_t joined = 2 * plan_.cables.size();
  SwitchDistances all;
  all.sum = joined + 2 * (pairs - joined);
  all.most = all.diameter = joined < pairs ? 2 : 1;
  for (std::uint32_t s = 0; s < switches_; ++s) {
    all.ports = std::max(all.ports, first_[s + 1] - first_[s]);
  }
  return all;
}

Point DiameterTwo::switch_place(std::uint32_t s) const {
  return along_circle(s, switches_, nodes_per_switch() + 1.0);
}

Point DiameterTwo::node_place(std::uint32_t s, std::uint32_t port) const {
  return beside_circle(switch_place(s), static_cast<double>(s) / switches_, port,
                       nodes_per_switch());
}

}  // namespace heddle::platform
