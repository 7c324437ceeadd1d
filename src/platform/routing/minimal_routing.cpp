#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

/// The topology's own deterministic minimal route: D-mod-K, dimension order, shortest path.
class MinimalRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  LinkId next(Hop& hop, const LoadView&) const override { return topology_.output(hop); }
  bool is_settled(const Hop&) const override { return true; }
  RouteChoice choice() const override { return RouteChoice::fixed; }
};

}  // namespace

const RoutingKind& minimal_routing() {
  static const RoutingKind kind = routing_kind<MinimalRouting>(
      1, "minimal", "the topology's deterministic shortest route (D-mod-K, dimension order, ...)");
  return kind;
}

}  // namespace heddle::platform
