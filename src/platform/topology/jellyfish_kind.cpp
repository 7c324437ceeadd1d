#include "platform/topology/equal_paths.hpp"
#include "platform/topology/random_graphs.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct JellyfishConfig {
  std::int64_t switches;
  std::int64_t ports;
  std::int64_t nodes_per_switch;
  std::int64_t seed;
  EqualPaths equal_paths;
};

const ParamTable<JellyfishConfig>& jellyfish_table() {
  static const auto table = [] {
    ParamTable<JellyfishConfig> t("jellyfish",
                                  "switches with equally many cables to others, joined at random");
    t.add("switches", &JellyfishConfig::switches, "20", {"1", "10k"}, "number of switches");
    t.add("ports", &JellyfishConfig::ports, "4", {"0", "100"}, "cables of each switch to others");
    t.add("nodes_per_switch", &JellyfishConfig::nodes_per_switch, "2", {"1", "1M"},
          "nodes on each switch");
    t.add("seed", &JellyfishConfig::seed, "1", {"0", "1G"}, "which of the random graphs");
    add_equal_paths(t, "spread");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_jellyfish(const Settings& settings) {
  const JellyfishConfig config = settings.get(jellyfish_table());
  GraphPlan plan = jellyfish({config.switches, config.ports, config.nodes_per_switch,
                              static_cast<std::uint64_t>(config.seed)});
  plan.equal_paths = config.equal_paths;
  return std::make_unique<Graph>(std::move(plan));
}

}  // namespace

const TopologyKind& jellyfish_kind() {
  static const TopologyKind kind = topology_kind(13, jellyfish_table(), make_jellyfish);
  return kind;
}

}  // namespace heddle::platform
