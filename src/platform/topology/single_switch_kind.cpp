// The topology single-switch.
#include "platform/topology/single_switch.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct SingleSwitchConfig {
  std::int64_t nodes;
};

const ParamTable<SingleSwitchConfig>& single_switch_table() {
  static const auto table = [] {
    ParamTable<SingleSwitchConfig> t("single-switch", "one switch, every node on a port of it");
    t.add("nodes", &SingleSwitchConfig::nodes, "16", {"1", kMostNodes}, "number of nodes");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_single_switch(const Settings& settings) {
  const SingleSwitchConfig config = settings.get(single_switch_table());
  return std::make_unique<SingleSwitch>(static_cast<std::uint32_t>(config.nodes));
}

}  // namespace

const TopologyKind& single_switch_kind() {
  static const TopologyKind kind = topology_kind(1, single_switch_table(), make_single_switch);
  return kind;
}

}  // namespace heddle::platform
