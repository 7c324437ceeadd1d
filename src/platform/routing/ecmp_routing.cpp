#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

struct EcmpConfig {
  std::int64_t seed;
  bool same_seed = false;
};

const ParamTable<EcmpConfig>& ecmp_table() {
  static const auto table = [] {
    ParamTable<EcmpConfig> t("ecmp", "routing ecmp: one of the shortest ways, by a hash");
    t.add("seed", &EcmpConfig::seed, "1", {"0", "1000000000000"}, "from which switches hash");
    t.add("same_seed", &EcmpConfig::same_seed, "no", {},
          "all switches hash alike, so that a choice repeats that of the switch before");
    return t;
  }();
  return table;
}

/// All that goes from one node to another takes the same way: at each switch the output that a hash
/// of the two and of the switch's seed names.
class EcmpRouting final : public MinimalChoice {
 public:
  EcmpRouting(const Topology& topology, const Settings& settings)
      : MinimalChoice(topology), config_(settings.get(ecmp_table())) {}
  LinkId next(Hop& hop, const LoadView&) const override {
    const LinkSet& links = outputs(hop);
    const std::uint64_t flow = index(hop.from) << 32 | index(hop.to);
    return links[scrambled(flow, seed_at(hop.at)) % links.size()];
  }

 private:
  std::uint64_t seed_at(VertexId at) const {
    const auto seed = static_cast<std::uint64_t>(config_.seed);
    return scrambled(seed, config_.same_seed ? 0 : index(at) + 1);
  }

  EcmpConfig config_;
};

}  // namespace

const RoutingKind& ecmp_routing() {
  static const RoutingKind kind = routing_kind<EcmpRouting>(
      9, "ecmp", "of the minimal outputs the one that a hash of both ends names", &ecmp_table());
  return kind;
}

}  // namespace heddle::platform
