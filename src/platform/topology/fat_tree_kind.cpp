// The topology fat-tree.
#include "platform/topology/fat_tree.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct FatTreeConfig {
  std::optional<std::int64_t> arity;
  std::optional<std::int64_t> levels;
  std::optional<std::vector<std::int64_t>> down;
  std::optional<std::vector<std::int64_t>> up;
  std::optional<std::vector<std::int64_t>> parallel;
  std::optional<std::int64_t> nodes;
};

const ParamTable<FatTreeConfig>& fat_tree_table() {
  static const auto table = [] {
    ParamTable<FatTreeConfig> t("fat-tree",
                                "fat tree with D-mod-K routing: a k-ary n-tree, or any PGFT by its "
                                "lists down, up and parallel");
    t.add("arity", &FatTreeConfig::arity, "auto", {"1", "1M"},
          "k of a k-ary n-tree: ports down, and ports up, of a switch; auto is 8");
    t.add("levels", &FatTreeConfig::levels, "auto", {"1", "32"},
          "n of a k-ary n-tree: levels of switches; auto is 2");
    t.add("down", &FatTreeConfig::down, "auto", {},
          "children of a switch, level by level from the nodes up, instead of arity and levels");
    t.add("up", &FatTreeConfig::up, "auto", {},
          "parents of a node, of a switch of level 1, and so on, with down");
    t.add("parallel", &FatTreeConfig::parallel, "auto", {},
          "cables between a child and a parent, level by level, with down; auto is 1");
    t.add("nodes", &FatTreeConfig::nodes, "auto", {"1", kMostNodes},
          "number of nodes, if the last ports for nodes stay empty; auto fills them all");
    return t;
  }();
  return table;
}

FatTreeShape fat_tree_shape(const FatTreeConfig& config) {
  if (!config.down && !config.up && !config.parallel) {
    return FatTreeShape::k_ary_n_tree(config.arity.value_or(8), config.levels.value_or(2));
  }
  if (!config.down || !config.up) {
    throw ParamError({"down", "up", "parallel"},
                     "accepted are arity and levels, or down and up together (and parallel)");
  }
  if (config.arity || config.levels) {
    throw ParamError({"arity", "levels", "down", "up", "parallel"},
                     "arity and levels contradict down and up; accepted is one or the other");
  }
  return {*config.down, *config.up,
          config.parallel.value_or(std::vector<std::int64_t>(config.down->size(), 1))};
}

std::unique_ptr<const Topology> make_fat_tree(const Settings& settings) {
  const FatTreeConfig config = settings.get(fat_tree_table());
  FatTreeShape shape = fat_tree_shape(config);
  shape.nodes = config.nodes;
  return std::make_unique<FatTree>(shape);
}

}  // namespace

const TopologyKind& fat_tree_kind() {
  static const TopologyKind kind = topology_kind(4, fat_tree_table(), make_fat_tree);
  return kind;
}

}  // namespace heddle::platform
