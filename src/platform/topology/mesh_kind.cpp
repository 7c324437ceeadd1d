// The topology mesh.
#include "platform/topology/grid_config.hpp"
#include "platform/topology/torus.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

const ParamTable<GridConfig>& mesh_table() {
  static const auto table = grid_table(
      "mesh", "n-dimensional mesh (a torus that is not closed), dimension order routing", "8,8");
  return table;
}

std::unique_ptr<const Topology> make_mesh(const Settings& settings) {
  const GridConfig config = settings.get(mesh_table());
  return std::make_unique<Torus>(config.dims, config.nodes_per_switch, Torus::Edges::open);
}

}  // namespace

const TopologyKind& mesh_kind() {
  static const TopologyKind kind = topology_kind(6, mesh_table(), make_mesh);
  return kind;
}

}  // namespace heddle::platform
