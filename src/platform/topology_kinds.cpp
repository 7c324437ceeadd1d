#include "platform/topology_kinds.hpp"

#include "platform/topology/dragonfly.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/hyperx.hpp"
#include "platform/topology/single_switch.hpp"
#include "platform/topology/torus.hpp"

namespace heddle::platform {
namespace {

/// Larger machines than this overflow the numbers of links long before memory runs out.
constexpr const char* kMostNodes = "100M";

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

/// Switches in a row or all joined to each other.
struct SwitchesConfig {
  std::int64_t switches;
  std::int64_t nodes_per_switch;
};

ParamTable<SwitchesConfig> switches_table(const char* name, const char* about) {
  ParamTable<SwitchesConfig> t(name, about);
  t.add("switches", &SwitchesConfig::switches, "4", {"1", "1M"}, "number of switches");
  t.add("nodes_per_switch", &SwitchesConfig::nodes_per_switch, "2", {"1", "1M"},
        "nodes on each switch, in the order of their numbers");
  return t;
}

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

const ParamTable<SwitchesConfig>& switch_mesh_table() {
  static const auto table =
      switches_table("switch-mesh", "switches all joined to each other by one cable");
  return table;
}

std::unique_ptr<const Topology> make_switch_mesh(const Settings& settings) {
  const SwitchesConfig config = settings.get(switch_mesh_table());
  return std::make_unique<HyperX>(std::vector{config.switches}, config.nodes_per_switch);
}

using List = std::vector<std::int64_t>;

struct FatTreeConfig {
  std::optional<std::int64_t> arity;
  std::optional<std::int64_t> levels;
  std::optional<List> down;
  std::optional<List> up;
  std::optional<List> parallel;
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
  return {*config.down, *config.up, config.parallel.value_or(List(config.down->size(), 1))};
}

std::unique_ptr<const Topology> make_fat_tree(const Settings& settings) {
  const FatTreeConfig config = settings.get(fat_tree_table());
  FatTreeShape shape = fat_tree_shape(config);
  shape.nodes = config.nodes;
  return std::make_unique<FatTree>(shape);
}

struct GridConfig {
  List dims;
  std::int64_t nodes_per_switch;
  List multiplicity;
};

ParamTable<GridConfig> grid_table(const char* name, const char* about, const char* dims) {
  ParamTable<GridConfig> t(name, about);
  t.add("dims", &GridConfig::dims, dims, {}, "switches along each dimension");
  t.add("nodes_per_switch", &GridConfig::nodes_per_switch, "1", {"1", "1M"},
        "nodes on each switch");
  return t;
}

const ParamTable<GridConfig>& torus_table() {
  static const auto table =
      grid_table("torus", "n-dimensional torus, dimension order routing", "4,4,4");
  return table;
}

std::unique_ptr<const Topology> make_torus(const Settings& settings) {
  const GridConfig config = settings.get(torus_table());
  return std::make_unique<Torus>(config.dims, config.nodes_per_switch, Torus::Edges::wrapped);
}

const ParamTable<GridConfig>& mesh_table() {
  static const auto table = grid_table(
      "mesh", "n-dimensional mesh (a torus that is not closed), dimension order routing", "8,8");
  return table;
}

std::unique_ptr<const Topology> make_mesh(const Settings& settings) {
  const GridConfig config = settings.get(mesh_table());
  return std::make_unique<Torus>(config.dims, config.nodes_per_switch, Torus::Edges::open);
}

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

struct FlatConfig {
  std::int64_t arity;
  std::int64_t levels;
};

const ParamTable<FlatConfig>& flattened_butterfly_table() {
  static const auto table = [] {
    ParamTable<FlatConfig> t("flattened-butterfly",
                             "k-ary n-flat: n-1 dimensions of k switches with k nodes each");
    t.add("arity", &FlatConfig::arity, "4", {"1", "1M"},
          "k: nodes on each switch and switches along each dimension");
    t.add("levels", &FlatConfig::levels, "3", {"2", "32"}, "n: one more than the dimensions");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_flattened_butterfly(const Settings& settings) {
  const FlatConfig config = settings.get(flattened_butterfly_table());
  const List dims(static_cast<std::size_t>(config.levels - 1), config.arity);
  return std::make_unique<HyperX>(dims, config.arity);
}

struct DragonflyConfig {
  std::optional<std::int64_t> groups;
  std::optional<std::int64_t> switches_per_group;
  std::int64_t nodes_per_switch;
  std::optional<std::int64_t> global_per_switch;
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
          "groups (g), at most a*h + 1; auto is that");
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
  return std::make_unique<Dragonfly>(shape);
}

/// The sentence about a kind is that about its section.
TopologyKind kind(const ParamSection& params,
                  std::unique_ptr<const Topology> (*make)(const Settings&)) {
  return {params.section(), params.about(), &params, make};
}

/// Where the user last set one of the parameters that an error is about, or any of the kind's.
SourceLocation shape_place(const ParamError& error, const TopologyKind& kind,
                           const Settings& settings, const SourceLocation& otherwise) {
  std::vector<std::string> names = error.names();
  for (std::string& name : names) name = std::string(kind.name) + "." + name;
  const std::string last = settings.last_of(names);
  return last.empty() ? settings.where_last(*kind.params, otherwise) : settings.where(last);
}

std::unique_ptr<const Topology> make_kind(const TopologyKind& kind, const Settings& settings,
                                          const SourceLocation& where) {
  try {
    return kind.make(settings);
  } catch (const ParamError& error) {
    throw InputError(shape_place(error, kind, settings, where),
                     "topology '" + std::string(kind.name) + "': " + error.problem());
  }
}

}  // namespace

const std::vector<TopologyKind>& topology_kinds() {
  static const std::vector<TopologyKind> kinds = {
      kind(single_switch_table(), make_single_switch),
      kind(chain_table(), make_chain),
      kind(switch_mesh_table(), make_switch_mesh),
      kind(fat_tree_table(), make_fat_tree),
      kind(torus_table(), make_torus),
      kind(mesh_table(), make_mesh),
      kind(hyperx_table(), make_hyperx),
      kind(flattened_butterfly_table(), make_flattened_butterfly),
      kind(dragonfly_table(), make_dragonfly),
  };
  return kinds;
}

std::vector<const ParamSection*> topology_sections() {
  std::vector<const ParamSection*> sections;
  for (const TopologyKind& kind : topology_kinds()) sections.push_back(kind.params);
  return sections;
}

std::unique_ptr<const Topology> make_topology(std::string_view name, const Settings& settings,
                                              const SourceLocation& where) {
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) {
    if (kind.name == name) return make_kind(kind, settings, where);
    names.emplace_back(kind.name);
  }
  throw InputError(where, "unknown topology '" + std::string(name) + "'" +
                              did_you_mean(name, names) + ": accepted are " + joined(names));
}

}  // namespace heddle::platform
