#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

/// The least loaded of the minimal outputs; among equals the one the deterministic routing takes,
/// else the first.
class AdaptiveRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  LinkId next(Hop& hop, const LoadView& loads) const override {
    outputs_.clear();
    topology_.minimal_outputs(hop, outputs_);
    LinkId best = topology_.output(hop);
    std::int64_t least = loads.load(best);
    for (const LinkId link : outputs_) {
      const std::int64_t load = loads.load(link);
      if (load < least) {
        least = load;
        best = link;
      }
    }
    return best;
  }
  RouteChoice choice() const override { return RouteChoice::adaptive; }

 private:
  mutable LinkSet outputs_;  ///< Of the last call: kept for its memory.
};

}  // namespace

const RoutingKind& adaptive_routing() {
  static const RoutingKind kind = routing_kind<AdaptiveRouting>(
      3, "adaptive", "the least loaded of the minimal outputs, hop by hop");
  return kind;
}

}  // namespace heddle::platform
