#include "replay/inner_switches.hpp"

#include <fmt/core.h>

#include "core/error.hpp"

namespace heddle::replay {

std::vector<NodeId> place_with_switches(std::uint32_t ranks, std::uint32_t switches,
                                        std::uint32_t nodes, const ReplayConfig& config) {
  if (switches >= ranks || (ranks - switches) % switches != 0) {
    throw ParamError({"replay.switches"},
                     fmt::format("{} of {} ranks cannot be switches of nodes with as many of the "
                                 "others each",
                                 switches, ranks));
  }
  const std::uint32_t processes = ranks - switches;
  const std::uint32_t per_node = processes / switches;
  if (config.ranks_per_node && *config.ranks_per_node != per_node) {
    throw ParamError({"replay.ranks_per_node"},
                     fmt::format("the schedule has a switch for every {} ranks: accepted is {}",
                                 per_node, per_node));
  }
  if (switches > nodes) {
    throw ParamError(
        {"replay.switches"},
        fmt::format("the schedule is for {} nodes, and there are {}", switches, nodes));
  }
  std::vector<NodeId> places;
  for (std::uint32_t r = 0; r < processes; ++r) places.push_back(NodeId{r / per_node});
  for (std::uint32_t s = 0; s < switches; ++s) places.push_back(NodeId{s});
  return places;
}

void check_switches(const goal::Schedule& schedule, std::uint32_t switches,
                    const platform::Platform& platform, const std::vector<NodeId>& nodes) {
  const std::uint32_t first = schedule.ranks() - switches;
  for (std::uint32_t s = first; s < schedule.ranks(); ++s) {
    if (platform.node(nodes[s]).inner_reduction) continue;
    throw ParamError(
        {"node.inner_reduction"},
        "the schedule has data reduced by switches inside nodes: accepted are machines "
        "whose switches do, such as gpu-h100-256");
  }
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const goal::RankView rank = schedule.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const goal::PackedOp& op = rank.packed(i);
      if (op.kind() != goal::OpKind::send || (r < first && op.peer < first)) continue;
      if (nodes[r] == nodes[op.peer]) continue;
      throw InputError({schedule.source()},
                       schedule.describe(r, i) +
                           ": the switch inside a node has messages with ranks of that node only");
    }
  }
}

void bind_switches(std::uint32_t switches, const std::vector<NodeId>& nodes,
                   std::vector<platform::Endpoint>& memory) {
  for (std::size_t r = nodes.size() - switches; r < nodes.size(); ++r) {
    memory[r] = {nodes[r], platform::Port::inner, 0};
  }
}

}  // namespace heddle::replay
