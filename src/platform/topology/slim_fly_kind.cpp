#include <optional>

#include "platform/topology/slim_fly.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct SlimFlyConfig {
  std::int64_t q;
  std::optional<std::int64_t> nodes_per_switch;
};

const ParamTable<SlimFlyConfig>& slim_fly_table() {
  static const auto table = [] {
    ParamTable<SlimFlyConfig> t("slim-fly",
                                "any two of 2 q^2 switches joined, or by way of a third (graphs of "
                                "McKay, Miller and Siran)");
    t.add("q", &SlimFlyConfig::q, "5", {"2", "64"},
          "a prime power from 3 on: 2 q^2 switches with about 3 q / 2 cables to others");
    t.add("nodes_per_switch", &SlimFlyConfig::nodes_per_switch, "auto", {"1", "1M"},
          "nodes on each switch (p); auto is half of its cables to other switches, rounded up");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_slim_fly(const Settings& settings) {
  const SlimFlyConfig config = settings.get(slim_fly_table());
  return std::make_unique<DiameterTwo>(slim_fly({config.q, config.nodes_per_switch}));
}

}  // namespace

const TopologyKind& slim_fly_kind() {
  static const TopologyKind kind = topology_kind(11, slim_fly_table(), make_slim_fly);
  return kind;
}

}  // namespace heddle::platform
