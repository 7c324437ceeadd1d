#include <optional>

#include "platform/topology/polarfly.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct PolarFlyConfig {
  std::int64_t q;
  std::optional<std::int64_t> nodes_per_switch;
};

const ParamTable<PolarFlyConfig>& polarfly_table() {
  static const auto table = [] {
    ParamTable<PolarFlyConfig> t("polarfly",
                                 "any two of q^2 + q + 1 switches joined, or by way of a third "
                                 "(polarity graph of a projective plane)");
    t.add("q", &PolarFlyConfig::q, "7", {"2", "64"},
          "a prime power: q^2 + q + 1 switches with q + 1 cables to others, some with q");
    t.add("nodes_per_switch", &PolarFlyConfig::nodes_per_switch, "auto", {"1", "1M"},
          "nodes on each switch (p); auto is half of its cables to other switches, rounded up");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_polarfly(const Settings& settings) {
  const PolarFlyConfig config = settings.get(polarfly_table());
  return std::make_unique<DiameterTwo>(polarfly({config.q, config.nodes_per_switch}));
}

}  // namespace

const TopologyKind& polarfly_kind() {
  static const TopologyKind kind = topology_kind(12, polarfly_table(), make_polarfly);
  return kind;
}

}  // namespace heddle::platform
