// The topology hyperx.
#include "platform/topology/grid_config.hpp"
#include "platform/topology/hyperx.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

const ParamTable<GridConfig>& hyperx_table() {
  static const auto table = [] {
    auto t = grid_table(
        "hyperx", "grid in which the switches of every line are all joined to each other", "4,4");
    t.add("multiplicity", &GridConfig::multiplicity, "1", {},
          "cables between two switches of a line: one number, or one for each dimension");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_hyperx(const Settings& settings) {
  const GridConfig config = settings.get(hyperx_table());
  return std::make_unique<HyperX>(config.dims, config.nodes_per_switch, config.multiplicity);
}

}  // namespace

const TopologyKind& hyperx_kind() {
  static const TopologyKind kind = topology_kind(7, hyperx_table(), make_hyperx);
  return kind;
}

}  // namespace heddle::platform
