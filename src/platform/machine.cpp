#include "platform/machine.hpp"

#include "platform/overrides.hpp"
#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"

namespace heddle::platform {
namespace {

struct SingleSwitchConfig {
  std::int64_t nodes = 0;
};

const ParamTable<SingleSwitchConfig>& single_switch_table() {
  static const auto table = [] {
    ParamTable<SingleSwitchConfig> t("single-switch", "one switch with every node on it");
    t.add("nodes", &SingleSwitchConfig::nodes, "16", {"1", "1M"}, "how many nodes");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_topology(const Settings& settings) {
  const SingleSwitchConfig config = settings.get(single_switch_table());
  return std::make_unique<SingleSwitch>(static_cast<std::uint32_t>(config.nodes));
}

template <class Word>
std::vector<std::pair<std::string, std::string>> choices(const std::vector<Word>& words) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Word& word : words) list.emplace_back(word, word);
  return list;
}

std::unique_ptr<Platform> from_topology(const MachineDescription& machine,
                                        const Settings& settings) {
  const TopologyConfig config = settings.get(topology_table());
  std::unique_ptr<const Topology> topology = make_topology(settings);
  std::unique_ptr<const Routing> routing =
      make_routing(config.routing, *topology, settings.where("topology.routing"));
  return std::make_unique<Platform>(machine.name, std::move(topology), std::move(routing),
                                    settings.get(link_table()), settings.get(switch_table()),
                                    settings.get(node_table()), settings.get(nic_table()));
}

}  // namespace

std::vector<std::string> topology_kind_names() {
  return {"single-switch"};
}

const ParamTable<TopologyConfig>& topology_table() {
  static const auto table = [] {
    std::vector<std::string> routings;
    for (const RoutingKind& kind : routing_kinds()) routings.emplace_back(kind.name);
    ParamTable<TopologyConfig> t("topology", "the shape of the fabric");
    t.add_choice("kind", &TopologyConfig::kind, "single-switch", choices(topology_kind_names()),
                 "kind of topology; the section of that name has its parameters");
    t.add_choice("routing", &TopologyConfig::routing, "minimal", choices(routings),
                 "how the next link of a message is chosen");
    return t;
  }();
  return table;
}

std::vector<const ParamSection*> machine_sections() {
  return {&topology_table(), &single_switch_table(), &link_table(),
          &switch_table(),   &node_table(),          &nic_table()};
}

std::unique_ptr<Platform> build_platform(const MachineDescription& machine,
                                         const Settings& settings) {
  std::unique_ptr<Platform> platform = from_topology(machine, settings);
  apply_overrides(*platform, machine.overrides);
  return platform;
}

}  // namespace heddle::platform
