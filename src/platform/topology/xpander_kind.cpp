#include "platform/topology/equal_paths.hpp"
#include "platform/topology/random_graphs.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct XpanderConfig {
  std::int64_t ports;
  std::int64_t lift;
  std::int64_t nodes_per_switch;
  std::int64_t seed;
  EqualPaths equal_paths;
};

const ParamTable<XpanderConfig>& xpander_table() {
  static const auto table = [] {
    ParamTable<XpanderConfig> t(
        "xpander",
        "groups of switches, any two of them joined by a random matching of their switches");
    t.add("ports", &XpanderConfig::ports, "4", {"1", "100"},
          "cables of each switch to others; there is one group more");
    t.add("lift", &XpanderConfig::lift, "4", {"1", "1k"}, "switches of a group");
    t.add("nodes_per_switch", &XpanderConfig::nodes_per_switch, "2", {"1", "1M"},
          "nodes on each switch");
    t.add("seed", &XpanderConfig::seed, "1", {"0", "1G"}, "which of the random graphs");
    add_equal_paths(t, "spread");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_xpander(const Settings& settings) {
  const XpanderConfig config = settings.get(xpander_table());
  GraphPlan plan = xpander({config.ports, config.lift, config.nodes_per_switch,
                            static_cast<std::uint64_t>(config.seed)});
  plan.equal_paths = config.equal_paths;
  return std::make_unique<Graph>(std::move(plan));
}

}  // namespace

const TopologyKind& xpander_kind() {
  static const TopologyKind kind = topology_kind(14, xpander_table(), make_xpander);
  return kind;
}

}  // namespace heddle::platform
