// The topology torus.
#include "platform/topology/grid_config.hpp"
#include "platform/topology/torus.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

const ParamTable<GridConfig>& torus_table() {
  static const auto table =
      grid_table("torus", "n-dimensional torus, dimension order routing", "4,4,4");
  return table;
}

std::unique_ptr<const Topology> make_torus(const Settings& settings) {
  const GridConfig config = settings.get(torus_table());
  return std::make_unique<Torus>(config.dims, config.nodes_per_switch, Torus::Edges::wrapped);
}

}  // namespace

const TopologyKind& torus_kind() {
  static const TopologyKind kind = topology_kind(5, torus_table(), make_torus);
  return kind;
}

}  // namespace heddle::platform
