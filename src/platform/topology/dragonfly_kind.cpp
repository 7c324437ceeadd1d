// The topology dragonfly.
#include <utility>

#include "platform/topology/dragonfly.hpp"
#include "platform/topology/global_map.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct DragonflyConfig {
  std::optional<std::int64_t> groups;
  std::optional<std::int64_t> switches_per_group;
  std::int64_t nodes_per_switch;
  std::optional<std::int64_t> global_per_switch;
  std::string global_file;
  std::string global_cables;
};

const ParamTable<DragonflyConfig>& dragonfly_table() {
  static const auto table = [] {
    ParamTable<DragonflyConfig> t("dragonfly",
                                  "groups of switches all joined inside, and to each other");
    t.add("nodes_per_switch", &DragonflyConfig::nodes_per_switch, "2", {"1", "1M"},
          "nodes on each switch (p)");
    t.add("switches_per_group", &DragonflyConfig::switches_per_group, "auto", {"1", "1M"},
          "switches of a group (a); auto is twice the nodes of a switch");
    t.add("global_per_switch", &DragonflyConfig::global_per_switch, "auto", {"0", "1M"},
          "global cables of a switch (h); auto is as many as its nodes");
    t.add("groups", &DragonflyConfig::groups, "auto", {"1", "1M"},
          "groups (g), at most a*h + 1; auto is that, or as many as a map of global cables names");
    add_global_map(t, &DragonflyConfig::global_file, &DragonflyConfig::global_cables);
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_dragonfly(const Settings& settings) {
  const DragonflyConfig config = settings.get(dragonfly_table());
  DragonflyShape shape{};
  shape.nodes_per_switch = config.nodes_per_switch;
  shape.switches_per_group = config.switches_per_group.value_or(2 * config.nodes_per_switch);
  shape.global_per_switch = config.global_per_switch.value_or(config.nodes_per_switch);
  shape.groups = config.groups.value_or(shape.switches_per_group * shape.global_per_switch + 1);
  auto map = global_map({config.global_file, config.global_cables},
                        {dragonfly_table().section(), config.groups, shape.switches_per_group,
                         shape.global_per_switch, "global_per_switch"},
                        settings);
  if (map) {
    shape.groups = map->groups;
    shape.map = std::move(map->cables);
  }
  return std::make_unique<Dragonfly>(shape);
}

}  // namespace

const TopologyKind& dragonfly_kind() {
  static const TopologyKind kind = topology_kind(9, dragonfly_table(), make_dragonfly);
  return kind;
}

}  // namespace heddle::platform
