#include "replay/engine/fabric_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace heddle::replay {
namespace {

using network::FabricCut;
using platform::Platform;
using platform::Topology;

/// The ranks of each group from the first to the last; `group` by node.
template <class Group>
std::vector<JoinedRanks> joined_by(std::span<const NodeId> nodes, std::size_t groups, Group group) {
  constexpr RankId kNobody{UINT32_MAX};
  std::vector<JoinedRanks> joined(groups, JoinedRanks{kNobody, RankId{0}});
  for (std::uint32_t r = 0; r < nodes.size(); ++r) {
    JoinedRanks& ranks = joined[group(index(nodes[r]))];
    ranks = {std::min(ranks.first, RankId{r}), RankId{r}};
  }
  std::erase_if(joined, [](const JoinedRanks& ranks) { return ranks.first == kNobody; });
  return joined;
}

Parts cut_between_switches_or_nodes(const goal::Schedule& schedule, const Topology& topology,
                                    std::span<const NodeId> nodes, const FabricWish& wish) {
  const std::vector<std::uint32_t> homes = network::homes_of(topology);
  Parts by_switch =
      cut_into_parts(schedule, wish.parts, wish.rendezvous,
                     joined_by(nodes, topology.vertices(), [&](auto n) { return homes[n]; }));
  if (by_switch.size() == wish.parts) return by_switch;
  return cut_into_parts(schedule, wish.parts, wish.rendezvous,
                        joined_by(nodes, topology.nodes(), [](auto n) { return n; }));
}

std::vector<std::uint16_t> parts_of_nodes(const Platform& platform, std::span<const NodeId> nodes,
                                          const Parts& parts) {
  std::vector<std::uint16_t> part_of(platform.nodes(), FabricCut::kNoPart);
  for (std::uint32_t r = 0; r < nodes.size(); ++r) {
    part_of[index(nodes[r])] = static_cast<std::uint16_t>(parts.part_of(RankId{r}));
  }
  return part_of;
}

}  // namespace

FabricParts divide_fabric(const goal::Schedule& schedule, const Platform& platform,
                          std::span<const NodeId> nodes, const FabricWish& wish) {
  const Parts one({RankId{0}, RankId{schedule.ranks()}});
  if (const std::string why = network::indivisible(platform); !why.empty()) return {one, {}, why};
  FabricWish possible = wish;
  possible.parts = std::min<std::size_t>(wish.parts, schedule.ranks() / wish.least_ranks);
  std::string why;
  if (possible.parts < wish.parts) {
    why = fmt::format("a thread should have {} ranks or more", wish.least_ranks);
  }
  if (possible.parts <= 1) return {one, {}, why};
  const Parts parts = cut_between_switches_or_nodes(schedule, platform.topology(), nodes, possible);
  if (parts.size() < possible.parts) {
    why = "ranks of one node and those with messages of more than replay.S stay together";
  }
  if (parts.size() == 1) return {one, {}, why};
  FabricCut cut(platform, parts_of_nodes(platform, nodes, parts), parts.size(), wish.back_as_well);
  if (cut.lookahead() == Time::zero()) return {one, {}, "cables between parts have no latency"};
  return {parts, std::move(cut), why};
}

}  // namespace heddle::replay
