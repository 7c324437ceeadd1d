// The topology switch-mesh.
#include "platform/topology/hyperx.hpp"
#include "platform/topology/switches_config.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

const ParamTable<SwitchesConfig>& switch_mesh_table() {
  static const auto table =
      switches_table("switch-mesh", "switches all joined to each other by one cable");
  return table;
}

std::unique_ptr<const Topology> make_switch_mesh(const Settings& settings) {
  const SwitchesConfig config = settings.get(switch_mesh_table());
  return std::make_unique<HyperX>(std::vector{config.switches}, config.nodes_per_switch);
}

}  // namespace

const TopologyKind& switch_mesh_kind() {
  static const TopologyKind kind = topology_kind(3, switch_mesh_table(), make_switch_mesh);
  return kind;
}

}  // namespace heddle::platform
