#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

/// The least loaded of the minimal outputs; among equals the one the deterministic routing takes,
/// else the first.
class AdaptiveRouting final : public MinimalChoice {
 public:
  using MinimalChoice::MinimalChoice;
  LinkId next(Hop& hop, const LoadView& loads) const override {
    LinkId best = topology_.output(hop);
    std::int64_t least = loads.load(best);
    for (const LinkId link : outputs(hop)) {
      const std::int64_t load = loads.load(link);
      if (load < least) {
        least = load;
        best = link;
      }
    }
    return best;
  }
};

}  // namespace

const RoutingKind& adaptive_routing() {
  static const RoutingKind kind = routing_kind<AdaptiveRouting>(
      3, "adaptive", "the least loaded of the minimal outputs, hop by hop");
  return kind;
}

}  // namespace heddle::platform
