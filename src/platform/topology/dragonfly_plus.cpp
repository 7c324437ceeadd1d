#include "platform/topology/dragonfly_plus.hpp"

#include <algorithm>

#include "platform/topology/circle.hpp"
#include "platform/topology/equal_ways.hpp"

namespace heddle::platform {
namespace {

template <class Id>
std::uint32_t plain(Id id) {
  return static_cast<std::uint32_t>(id);
}

const DragonflyPlusShape& checked(const DragonflyPlusShape& shape) {
  check_list("groups", {shape.groups}, 1);
  check_list("leaves_per_group", {shape.leaves_per_group}, 1);
  check_list("spines_per_group", {shape.spines_per_group}, 1);
  check_list("nodes_per_leaf", {shape.nodes_per_leaf}, 1);
  check_list("global_per_spine", {shape.global_per_spine}, 0);
  return shape;
}

GroupCables global_cables(const DragonflyPlusShape& shape) {
  if (!shape.map.empty()) return {static_cast<std::uint32_t>(shape.groups), shape.map};
  return {CirculantCables(shape.groups,
                          capped_product({shape.spines_per_group, shape.global_per_spine}),
                          "spines_per_group * global_per_spine"),
          static_cast<std::uint32_t>(shape.global_per_spine)};
}

/// By switch, those that it is joined to; switches are numbered from 0.
std::vector<std::vector<std::uint32_t>> neighbours_of_switches(const Topology& topology) {
  std::vector<std::vector<std::uint32_t>> neighbours(topology.switches());
  for (std::uint32_t cable = topology.nodes(); cable < topology.cables(); ++cable) {
    const LinkEnds joined = topology.ends(LinkId{2 * cable});
    const std::uint32_t from = plain(joined.from) - topology.nodes();
    const std::uint32_t to = plain(joined.to) - topology.nodes();
    neighbours[from].push_back(to);
    neighbours[to].push_back(from);
  }
  return neighbours;
}

/// Links to the switch that is farthest from one of them.
std::uint32_t farthest_from(std::uint32_t first,
                            const std::vector<std::vector<std::uint32_t>>& neighbours) {
  std::vector<std::uint32_t> reached = {first};
  std::vector<std::uint32_t> links(neighbours.size(), ~0U);
  links[first] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const std::uint32_t other : neighbours[reached[next]]) {
      if (links[other] != ~0U) continue;
      links[other] = links[reached[next]] + 1;
      reached.push_back(other);
    }
  }
  return links[reached.back()];
}

}  // namespace

DragonflyPlus::DragonflyPlus(const DragonflyPlusShape& shape)
    : groups_(global_cables(checked(shape))),
      per_spine_(static_cast<std::uint32_t>(shape.global_per_spine)) {
  const std::uint64_t nodes =
      capped_product({shape.groups, shape.leaves_per_group, shape.nodes_per_leaf});
  const std::uint64_t locals =
      capped_product({shape.groups, shape.leaves_per_group, shape.spines_per_group});
  const std::uint64_t switches =
      capped_product({shape.groups, shape.leaves_per_group + shape.spines_per_group});
  check_size(nodes, switches, nodes + locals + groups_.cables());
  nodes_ = static_cast<std::uint32_t>(nodes);
  switches_ = static_cast<std::uint32_t>(switches);
  cables_ = static_cast<std::uint32_t>(nodes + locals + groups_.cables());
  places_ = {nodes_, groups_.groups(), static_cast<std::uint32_t>(shape.leaves_per_group),
             static_cast<std::uint32_t>(shape.spines_per_group),
             static_cast<std::uint32_t>(shape.nodes_per_leaf)};
}

std::string DragonflyPlus::describe() const {
  return "dragonfly+, " + counted(groups_.groups(), "group", "groups") + " of " +
         counted(places_.leaves, "leaf", "leaves") + " and " +
         counted(places_.spines, "spine", "spines") + ", " +
         counted(places_.nodes_each, "node", "nodes") + " per leaf, " +
         (groups_.alike() ? "" : "up to ") + counted(per_spine_, "global cable", "global cables") +
         " per spine" + (groups_.alike() ? "" : " by a map");
}

/// By a search from each switch of the first group, or of all where they are not alike.
std::uint32_t DragonflyPlus::switch_diameter() const {
  const auto neighbours = neighbours_of_switches(*this);
  const std::uint32_t looked_at = groups_.alike() ? 1 : groups_.groups();
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < looked_at * places_.leaves; ++i) {
    most = std::max(most, farthest_from(i, neighbours));
  }
  for (std::uint32_t i = 0; i < looked_at * places_.spines; ++i) {
    most = std::max(most, farthest_from(groups_.groups() * places_.leaves + i, neighbours));
  }
  return most;
}

DragonflyPlus::Place DragonflyPlus::Places::of(VertexId v) const {
  const std::uint32_t number = plain(v);
  if (number < nodes) return {number / nodes_each / leaves, number / nodes_each % leaves, false};
  const std::uint32_t s = number - nodes;
  if (s < groups * leaves) return {s / leaves, s % leaves, false};
  return {(s - groups * leaves) / spines, (s - groups * leaves) % spines, true};
}

VertexId DragonflyPlus::Places::vertex(const Place& place) const {
  if (!place.spine) return VertexId{nodes + place.group * leaves + place.number};
  return VertexId{nodes + groups * leaves + place.group * spines + place.number};
}

std::string DragonflyPlus::name(VertexId v) const {
  if (!is_switch(v)) return Topology::name(v);
  const Place at = places_.of(v);
  return "g" + std::to_string(at.group) + (at.spine ? ".s" : ".l") + std::to_string(at.number);
}

LinkId DragonflyPlus::local(std::uint32_t group, std::uint32_t leaf, std::uint32_t spine,
                            bool down) const {
  return LinkId{2 * (nodes_ + (group * places_.leaves + leaf) * places_.spines + spine) +
                (down ? 1U : 0U)};
}

LinkEnds DragonflyPlus::ends(LinkId link) const {
  const std::uint32_t cable = plain(link) / 2;
  LinkEnds ends{VertexId{cable}, VertexId{nodes_ + cable / places_.nodes_each}};
  if (cable >= nodes_ + local_cables()) {
    const GroupCable far = groups_.cable(cable - nodes_ - local_cables());
    ends = {places_.vertex({far.a, far.switch_a, true}),
            places_.vertex({far.b, far.switch_b, true})};
  } else if (cable >= nodes_) {
    const std::uint32_t number = cable - nodes_;
    const std::uint32_t group = number / places_.spines / places_.leaves;
    ends = {places_.vertex({group, number / places_.spines % places_.leaves, false}),
            places_.vertex({group, number % places_.spines, true})};
  }
  return plain(link) % 2 == 0 ? ends : LinkEnds{ends.to, ends.from};
}

/// Between unlike switches directly, between like ones by way of all those of the other kind.
template <class Use>
void DragonflyPlus::for_minimal_inside(const Place& at, const Place& to, Use use) const {
  if (at.spine != to.spine) {
    use(local(at.group, at.spine ? to.number : at.number, at.spine ? at.number : to.number,
              at.spine));
    return;
  }
  for (std::uint32_t other = 0; other < (at.spine ? places_.leaves : places_.spines); ++other) {
    use(local(at.group, at.spine ? other : at.number, at.spine ? at.number : other, at.spine));
  }
}

template <class Use>
void DragonflyPlus::for_minimal_across(const Place& at, const Place& to, Use use) const {
  const auto detour = [](const Place& leaf_or_spine, std::uint32_t spine) {
    if (!leaf_or_spine.spine) return 1;
    return leaf_or_spine.number == spine ? 0 : 2;
  };
  const std::uint32_t cables = groups_.joining(at.group, to.group);
  int least = 4;
  for (std::uint32_t round = 0; round < cables; ++round) {
    const GroupCables::Seen seen = groups_.between(at.group, to.group, round);
    least = std::min(least, detour(at, seen.near) + detour(to, seen.far));
  }
  for (std::uint32_t round = 0; round < cables; ++round) {
    const GroupCables::Seen seen = groups_.between(at.group, to.group, round);
    if (detour(at, seen.near) + detour(to, seen.far) != least) continue;
    if (at.spine && at.number == seen.near) {
      use(global(seen));
    } else {
      for_minimal_inside(at, {at.group, seen.near, true}, use);
    }
  }
}

template <class Use>
void DragonflyPlus::for_minimal(const Place& at, const Place& to, Use use) const {
  if (at.group == to.group) {
    for_minimal_inside(at, to, use);
  } else {
    for_minimal_across(at, to, use);
  }
}

/// All cables to another group are as near, and a destination names one of them, at the leaf as at
/// the spine. Nodes of a leaf get cables far from each other, so that they are not reached over one
/// spine, and leaves those that come next: all cables have nearly as many nodes.
GroupCables::Seen DragonflyPlus::cable_for(std::uint32_t from_group, VertexId node) const {
  const Place to = places_.of(node);
  const std::uint64_t cables = groups_.joining(from_group, to.group);
  const std::uint64_t port = plain(node) % places_.nodes_each;
  const auto round =
      static_cast<std::uint32_t>((port * cables / places_.nodes_each + to.number) % cables);
  return groups_.between(from_group, to.group, round);
}

LinkId DragonflyPlus::output(const Hop& hop) const {
  if (!is_switch(hop.at)) return LinkId{2 * plain(hop.at)};
  const Place at = places_.of(hop.at);
  const Place to = places_.of(hop.to);
  if (at == to) return LinkId{2 * plain(hop.to) + 1};
  if (at.group != to.group && !is_switch(hop.to)) {
    const GroupCables::Seen cable = cable_for(at.group, hop.to);
    if (!at.spine) return local(at.group, at.number, cable.near, false);
    if (cable.near == at.number) return global(cable);
  }
  return shared_out(hop.to, [&](auto use) { for_minimal(at, to, use); });
}

void DragonflyPlus::minimal_outputs(const Hop& hop, LinkSet& out) const {
  if (!is_switch(hop.at) || places_.of(hop.at) == places_.of(hop.to)) {
    out.add(output(hop));
    return;
  }
  for_minimal(places_.of(hop.at), places_.of(hop.to), [&out](LinkId first) {
    if (std::find(out.begin(), out.end(), first) == out.end()) out.add(first);
  });
}

std::uint32_t DragonflyPlus::twin(std::uint32_t cable) const {
  if (cable < nodes_ + local_cables()) return 0;
  return groups_.twins(cable - nodes_ - local_cables());
}

std::string DragonflyPlus::cable_group(std::uint32_t cable) const {
  if (cable < nodes_) return "access";
  return cable < nodes_ + local_cables() ? "local" : "global";
}

std::vector<CableRun> DragonflyPlus::cable_runs() const {
  std::vector<CableRun> runs = {{"access", 0, nodes_}, {"local", nodes_, local_cables()}};
  if (groups_.cables() > 0) runs.push_back({"global", nodes_ + local_cables(), groups_.cables()});
  return runs;
}

/// Between nodes of one leaf 2 links, of one group 4, of different ones 5.
std::optional<Distances> DragonflyPlus::distances() const {
  const std::uint64_t n = nodes_;
  const std::uint64_t in_group = std::uint64_t{places_.leaves} * places_.nodes_each;
  const std::uint64_t near = n * (places_.nodes_each - 1);
  const std::uint64_t inside = n * (in_group - places_.nodes_each);
  const std::uint64_t across = n * (n - in_group);
  Distances all;
  all.radix =
      std::max(places_.nodes_each + places_.spines, places_.leaves + groups_.most_at_switch());
  all.switch_diameter = switch_diameter();
  all.hops.pairs = n * (n - 1);
  all.hops.sum = static_cast<unsigned __int128>(near) * 2 +
                 static_cast<unsigned __int128>(inside) * 4 +
                 static_cast<unsigned __int128>(across) * 5;
  all.hops.most = across > 0 ? 5 : inside > 0 ? 4 : near > 0 ? 2 : 0;
  return all;
}

/// Groups stand on a circle: spines inside, leaves around them, nodes outside.
std::optional<Point> DragonflyPlus::position(VertexId v) const {
  const double leaf_width = places_.nodes_each + 0.5;
  const double across = std::max({places_.leaves * leaf_width, places_.spines * 1.5, 3.0});
  const Place at = places_.of(v);
  const double turn = static_cast<double>(at.group) / groups_.groups();
  const Point middle = along_circle(at.group, groups_.groups(), across + 2);
  const auto beside = [&](double aside, double outwards) {
    const Point out = on_circle(middle, outwards, turn);
    return on_circle(out, aside, turn + 0.25);
  };
  if (at.spine) return beside((at.number + 0.5) * across / places_.spines - across / 2, 0);
  const double leaf = (at.number + 0.5) * across / places_.leaves - across / 2;
  if (is_switch(v)) return beside(leaf, 4);
  return beside(leaf + plain(v) % places_.nodes_each - (places_.nodes_each - 1) / 2.0, 5.5);
}

}  // namespace heddle::platform
