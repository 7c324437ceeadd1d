// The topology fat-tree.
#include "platform/topology/fat_tree.hpp"

#include <cmath>

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
  double oversubscription = 1;
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
    t.add("oversubscription", &FatTreeConfig::oversubscription, "1", {"1", "1000"},
          "nodes for every port upwards of a leaf of a k-ary n-tree; 2 halves the switches above");
    return t;
  }();
  return table;
}

/// With fewer parents for a leaf than it has nodes.
FatTreeShape tapered(FatTreeShape shape, double oversubscription) {
  if (oversubscription == 1) return shape;
  const double up = static_cast<double>(shape.down[0]) / oversubscription;
  if (shape.down.size() < 2 || up < 1 || up != std::floor(up)) {
    throw ParamError({"oversubscription"},
                     "a leaf of " + std::to_string(shape.down[0]) +
                         " nodes cannot have so many for every port upwards; accepted are divisors "
                         "of arity, in trees of at least 2 levels");
  }
  shape.up[1] = static_cast<std::int64_t>(up);
  return shape;
}

FatTreeShape fat_tree_shape(const FatTreeConfig& config) {
  if (!config.down && !config.up && !config.parallel) {
    return tapered(FatTreeShape::k_ary_n_tree(config.arity.value_or(8), config.levels.value_or(2)),
                   config.oversubscription);
  }
  if (config.oversubscription != 1) {
    throw ParamError({"oversubscription", "down", "up"},
                     "down and up say how many ports lead upwards; accepted is oversubscription "
                     "with arity and levels");
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
