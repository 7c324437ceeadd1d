// The topology dragonfly-plus.
#include <optional>
#include <utility>

#include "platform/topology/dragonfly_plus.hpp"
#include "platform/topology/global_map.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct DragonflyPlusConfig {
  std::int64_t nodes_per_leaf;
  std::optional<std::int64_t> leaves_per_group;
  std::optional<std::int64_t> spines_per_group;
  std::optional<std::int64_t> global_per_spine;
  std::optional<std::int64_t> groups;
  std::string global_file;
  std::string global_cables;
};

const ParamTable<DragonflyPlusConfig>& dragonfly_plus_table() {
  static const auto table = [] {
    ParamTable<DragonflyPlusConfig> t(
        "dragonfly-plus",
        "groups of leaves all joined to spines, and spines of all groups to each other (Megafly)");
    t.add("nodes_per_leaf", &DragonflyPlusConfig::nodes_per_leaf, "4", {"1", "1M"},
          "nodes on each leaf (p)");
    t.add("leaves_per_group", &DragonflyPlusConfig::leaves_per_group, "auto", {"1", "1M"},
          "leaves of a group; auto is as many as a leaf has nodes");
    t.add("spines_per_group", &DragonflyPlusConfig::spines_per_group, "auto", {"1", "1M"},
          "spines of a group; auto is as many as a leaf has nodes");
    t.add("global_per_spine", &DragonflyPlusConfig::global_per_spine, "auto", {"0", "1M"},
          "global cables of a spine (h); auto is as many as a leaf has nodes");
    t.add("groups", &DragonflyPlusConfig::groups, "auto", {"1", "1M"},
          "groups, at most spines_per_group * global_per_spine + 1; auto is that, or as many as a "
          "map of global cables names");
    add_global_map(t, &DragonflyPlusConfig::global_file, &DragonflyPlusConfig::global_cables);
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_dragonfly_plus(const Settings& settings) {
  const DragonflyPlusConfig config = settings.get(dragonfly_plus_table());
  const std::int64_t each = config.nodes_per_leaf;
  DragonflyPlusShape shape{};
  shape.nodes_per_leaf = each;
  shape.leaves_per_group = config.leaves_per_group.value_or(each);
  shape.spines_per_group = config.spines_per_group.value_or(each);
  shape.global_per_spine = config.global_per_spine.value_or(each);
  shape.groups = config.groups.value_or(shape.spines_per_group * shape.global_per_spine + 1);
  auto map = global_map({config.global_file, config.global_cables},
                        {dragonfly_plus_table().section(), config.groups, shape.spines_per_group,
                         shape.global_per_spine, "global_per_spine"},
                        settings);
  if (map) {
    shape.groups = map->groups;
    shape.map = std::move(map->cables);
  }
  return std::make_unique<DragonflyPlus>(shape);
}

}  // namespace

const TopologyKind& dragonfly_plus_kind() {
  static const TopologyKind kind = topology_kind(10, dragonfly_plus_table(), make_dragonfly_plus);
  return kind;
}

}  // namespace heddle::platform
