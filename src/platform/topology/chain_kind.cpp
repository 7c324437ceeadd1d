// The topology chain.
#include "platform/topology/switches_config.hpp"
#include "platform/topology/torus.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

const ParamTable<SwitchesConfig>& chain_table() {
  static const auto table =
      switches_table("chain", "switches in a row, each joined to the next by one cable");
  return table;
}

std::unique_ptr<const Topology> make_chain(const Settings& settings) {
  const SwitchesConfig config = settings.get(chain_table());
  return std::make_unique<Torus>(std::vector{config.switches}, config.nodes_per_switch,
                                 Torus::Edges::open);
}

}  // namespace

const TopologyKind& chain_kind() {
  static const TopologyKind kind = topology_kind(2, chain_table(), make_chain);
  return kind;
}

}  // namespace heddle::platform
