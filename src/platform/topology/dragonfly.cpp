#include "platform/topology/dragonfly.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

#include "platform/topology/circle.hpp"
#include "platform/topology/dragonfly_distances.hpp"
#include "platform/topology/equal_ways.hpp"

namespace heddle::platform {
namespace {

const DragonflyShape& checked(const DragonflyShape& shape) {
  check_list("groups", {shape.groups}, 1);
  check_list("switches_per_group", {shape.switches_per_group}, 1);
  check_list("nodes_per_switch", {shape.nodes_per_switch}, 1);
  check_list("global_per_switch", {shape.global_per_switch}, 0);
  return shape;
}

GroupCables global_cables(const DragonflyShape& shape) {
  if (!shape.map.empty()) return {static_cast<std::uint32_t>(shape.groups), shape.map};
  return {CirculantCables(shape.groups,
                          capped_product({shape.switches_per_group, shape.global_per_switch}),
                          "switches_per_group * global_per_switch"),
          static_cast<std::uint32_t>(shape.global_per_switch)};
}

std::vector<std::uint32_t> nodes_of(const std::vector<std::uint32_t>& switches,
                                    std::uint32_t nodes_per_switch) {
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t s : switches) {
    for (std::uint32_t port = 0; port < nodes_per_switch; ++port) {
      nodes.push_back(s * nodes_per_switch + port);
    }
  }
  return nodes;
}

}  // namespace

Dragonfly::Dragonfly(const DragonflyShape& shape)
    : in_group_(static_cast<std::uint32_t>(checked(shape).switches_per_group)),
      per_switch_(static_cast<std::uint32_t>(shape.global_per_switch)),
      local_(in_group_),
      global_(global_cables(shape)) {
  const std::uint64_t locals = capped_product(global_.groups(), local_.count());
  set_size(capped_product(global_.groups(), in_group_),
           static_cast<std::uint64_t>(shape.nodes_per_switch), locals + global_.cables());
  local_each_ = static_cast<std::uint32_t>(local_.count());
  local_cables_ = static_cast<std::uint32_t>(locals);
}

std::string Dragonfly::describe() const {
  return "dragonfly, " + counted(global_.groups(), "group", "groups") + " of " +
         counted(in_group_, "switch", "switches") + ", " + nodes_each() + ", " +
         (global_.alike() ? "" : "up to ") + counted(per_switch_, "global cable", "global cables") +
         " per switch" + (global_.alike() ? "" : " by a map");
}

std::string Dragonfly::name(VertexId v) const {
  if (!is_switch(v)) return Direct::name(v);
  const std::uint32_t s = static_cast<std::uint32_t>(v) - nodes_;
  return "g" + std::to_string(group_of(s)) + ".s" + std::to_string(s % in_group_);
}

Direct::Pair Dragonfly::joined_by(std::uint32_t cable) const {
  if (cable >= local_cables_) {
    const GroupCable ends = global_.cable(cable - local_cables_);
    return {ends.a * in_group_ + ends.switch_a, ends.b * in_group_ + ends.switch_b};
  }
  const std::uint32_t group = cable / local_each_;
  const RingPairs::Pair pair = local_.pair(cable - group * local_each_);
  const std::uint32_t first = group * in_group_;
  return {first + pair.a, first + pair.b};
}

std::string Dragonfly::switch_cable_group(std::uint32_t cable) const {
  return cable < local_cables_ ? "local" : "global";
}

std::vector<CableRun> Dragonfly::switch_cable_runs() const {
  std::vector<CableRun> runs;
  if (local_cables_ > 0) runs.push_back({"local", 0, local_cables_});
  const std::uint32_t globals = cables_ - nodes_ - local_cables_;
  if (globals > 0) runs.push_back({"global", local_cables_, globals});
  return runs;
}

std::uint32_t Dragonfly::switch_cable_twin(std::uint32_t cable) const {
  if (cable < local_cables_) return 0;
  return global_.twins(cable - local_cables_);
}

/// By switch of group 0 and group: global cables between them.
std::vector<std::vector<std::uint32_t>> Dragonfly::cables_of_first_group() const {
  std::vector<std::vector<std::uint32_t>> cables(in_group_,
                                                 std::vector<std::uint32_t>(global_.groups()));
  for (std::uint32_t cable = local_cables_; cable < cables_ - nodes_; ++cable) {
    const Pair ends = joined_by(cable);
    if (ends.a < in_group_) ++cables[ends.a][group_of(ends.b)];
    if (ends.b < in_group_) ++cables[ends.b][group_of(ends.a)];
  }
  return cables;
}

/// Whole groups on each side; of an odd number one is divided. One half of it are the switches that
/// lead to the same groups as its first; the groups that this half leads to stand with it.
std::vector<std::uint32_t> Dragonfly::cut_order() const {
  const auto cables = cables_of_first_group();
  const auto common = [&](std::uint32_t s) {
    std::uint32_t sum = 0;
    for (std::uint32_t g = 0; g < global_.groups(); ++g) {
      sum += std::min(cables[0][g], cables[s][g]);
    }
    return sum;
  };
  std::vector<std::uint32_t> switches(in_group_);
  std::iota(switches.begin(), switches.end(), 0U);
  std::stable_sort(switches.begin(), switches.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return common(a) > common(b); });
  const std::size_t half = global_.groups() % 2 == 0 ? in_group_ : in_group_ / 2;
  std::vector<std::uint32_t> to_half(global_.groups());
  for (std::size_t i = 0; i < half; ++i) {
    for (std::uint32_t g = 0; g < global_.groups(); ++g) to_half[g] += cables[switches[i]][g];
  }
  std::vector<std::uint32_t> others(global_.groups() - 1);
  std::iota(others.begin(), others.end(), 1U);
  std::stable_sort(others.begin(), others.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return to_half[a] > to_half[b]; });
  std::vector<std::uint32_t> order(switches.begin(), switches.begin() + std::ptrdiff_t(half));
  for (const std::uint32_t group : others) {
    for (std::uint32_t s = 0; s < in_group_; ++s) order.push_back(group * in_group_ + s);
  }
  order.insert(order.end(), switches.begin() + std::ptrdiff_t(half), switches.end());
  return nodes_of(order, nodes_per_switch());
}

template <class Use>
void Dragonfly::for_shortest(const Place& at, const Place& to, Use use) const {
  const auto detours = [&](const GroupCables::Seen& cable) {
    return (cable.near != at.number) + (cable.far != to.number);
  };
  const std::uint32_t cables = global_.joining(at.group, to.group);
  int fewest = 2;
  for (std::uint32_t r = 0; r < cables; ++r) {
    fewest = std::min(fewest, detours(global_.between(at.group, to.group, r)));
  }
  for (std::uint32_t r = 0; r < cables; ++r) {
    const GroupCables::Seen cable = global_.between(at.group, to.group, r);
    if (detours(cable) == fewest) use(first_by(cable, at));
  }
}

LinkId Dragonfly::towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const {
  const Place here = place(at);
  const Place there = place(to);
  if (here.group == there.group) return local(here.group, here.number, there.number);
  if (global_.joining(here.group, there.group) == 1) {
    return first_by(global_.between(here.group, there.group, 0), here);
  }
  return shared_out(hop.to, [&](auto use) { for_shortest(here, there, use); });
}

void Dragonfly::all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const {
  const Place here = place(at);
  const Place there = place(to);
  if (here.group == there.group) return out.add(local(here.group, here.number, there.number));
  for_shortest(here, there, [&out](LinkId first) {
    if (std::find(out.begin(), out.end(), first) == out.end()) out.add(first);
  });
}

/// Groups stand on a circle, the switches of a group on a smaller one, their nodes outside that.
Point Dragonfly::switch_place(std::uint32_t s) const {
  const double inner = std::max(1.5, in_group_ * (nodes_per_switch() + 1.0) / 6);
  const double outer = global_.groups() == 1 ? 0 : global_.groups() * (2 * inner + 5) / 6;
  const Point centre =
      on_circle(Point{}, outer, static_cast<double>(group_of(s)) / global_.groups());
  return on_circle(centre, inner, static_cast<double>(s % in_group_) / in_group_);
}

Point Dragonfly::node_place(std::uint32_t s, std::uint32_t port) const {
  const double turn = static_cast<double>(s % in_group_) / in_group_;
  return beside_circle(switch_place(s), turn, port, nodes_per_switch());
}

SwitchDistances Dragonfly::switch_distances() const {
  return DragonflyDistances(global_, in_group_).all();
}

}  // namespace heddle::platform
