#include "core/random.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

/// Like the minimal one, but of two ways that are equally short each message draws one.
class DrawnRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  static bool suits(const Topology& topology) { return topology.has_ties(); }
  LinkId next(Hop& hop, const LoadView&) const override {
    const LinkId other = topology_.tied_output(hop);
    const bool draws = other != kNoLink;
    if (draws && RandomStream(index(hop.at)).split(hop.salt).next() % 2 != 0) return other;
    return topology_.output(hop);
  }
  RouteChoice choice() const override { return RouteChoice::drawn; }
};

}  // namespace

const RoutingKind& minimal_drawn_routing() {
  static const RoutingKind kind = routing_kind<DrawnRouting>(
      2, "minimal-drawn",
      "like minimal, but where two ways round a ring of a torus are equally short each message "
      "draws one");
  return kind;
}

}  // namespace heddle::platform
