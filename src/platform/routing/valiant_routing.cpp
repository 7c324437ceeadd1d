#include "core/random.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

/// Minimally to a random switch, then minimally to the destination.
class ValiantRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  static bool suits(const Topology& topology) { return topology.routes_to_switches(); }
  LinkId next(Hop& hop, const LoadView&) const override {
    if (hop.step == 0) {
      const std::uint64_t pair = index(hop.from) << 32 | index(hop.to);
      hop.via = topology_.detour(RandomStream(pair).split(hop.salt).next());
    }
    if (hop.via == hop.at) hop.via = kNoVertex;
    if (hop.via == kNoVertex) return topology_.output(hop);
    Hop leg = hop;
    leg.to = hop.via;
    return topology_.output(leg);
  }
  RouteChoice choice() const override { return RouteChoice::detour; }
};

}  // namespace

const RoutingKind& valiant_routing() {
  static const RoutingKind kind = routing_kind<ValiantRouting>(
      4, "valiant", "minimally to a random switch, then minimally to the destination");
  return kind;
}

}  // namespace heddle::platform
