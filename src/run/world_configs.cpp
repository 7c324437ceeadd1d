#include "run/world_configs.hpp"

#include <fmt/core.h>

#include <map>
#include <span>
#include <string>

#include "core/error.hpp"
#include "platform/placement.hpp"
#include "run/program_run.hpp"

namespace heddle::run {
namespace {

/// The node of each rank, of all programs together.
std::vector<NodeId> nodes_of(const platform::Platform& platform, const RunConfig& config) {
  return platform::place_ranks(platform,
                               {config.ranks(), config.ranks_per_node, config.map, config.nodes});
}

/// Where more ranks would be by the same rules.
Placing placing(const platform::Platform& platform, const RunConfig& config) {
  return [&platform, per_node = config.ranks_per_node, map = config.map,
          nodes = config.nodes](std::uint32_t ranks) {
    return platform::place_ranks(platform, {ranks, per_node, map, nodes});
  };
}

/// The names of programs that have nodes of their own, by node.
class Tenants {
 public:
  /// Throws InputError if a node has another tenant already.
  void add(const platform::Platform& platform, NodeId node, std::size_t program) {
    const auto [tenant, is_new] = tenants_.emplace(node, program);
    if (is_new || tenant->second == program) return;
    const std::string name = platform.topology().name(VertexId{static_cast<std::uint32_t>(node)});
    throw ParamError({"worlds"},
                     fmt::format("programs {} and {} are both on node {}: worlds apart need nodes "
                                 "of their own, which a map or a choice of nodes can give them",
                                 tenant->second + 1, program + 1, name));
  }

 private:
  std::map<NodeId, std::size_t> tenants_;
};

}  // namespace

std::vector<WorldConfig> world_configs(const platform::Platform& platform,
                                       const RunConfig& config) {
  const std::vector<NodeId> nodes = nodes_of(platform, config);
  if (!config.apart) {
    return {{.parts = config.programs,
             .private_libraries = config.private_libraries,
             .nodes = nodes,
             .place = placing(platform, config),
             .played = config.played,
             .schedule = config.schedule,
             .functions = config.functions,
             .recorded = config.recorded,
             .fidelity = config.fidelity,
             .processes = config.processes}};
  }
  std::vector<WorldConfig> worlds;
  Tenants tenants;
  auto first = nodes.begin();
  for (std::size_t i = 0; i < config.programs.size(); ++i) {
    const auto last = first + config.programs[i].ranks;
    for (auto node = first; node != last; ++node) tenants.add(platform, *node, i);
    if (!config.only || *config.only == i) {
      worlds.push_back({.parts = std::span(&config.programs[i], 1),
                        .private_libraries = config.private_libraries,
                        .nodes = {first, last},
                        .number = static_cast<std::uint32_t>(i + 1),
                        .fidelity = config.fidelity,
                        .processes = config.processes});
    }
    first = last;
  }
  return worlds;
}

}  // namespace heddle::run
