#include "platform/routing/valiant.hpp"

namespace heddle::platform {
namespace {

class ValiantRouting final : public Valiant {
 public:
  explicit ValiantRouting(const Topology& topology) : Valiant(topology, DetourBy::switches) {}
};

}  // namespace

const RoutingKind& valiant_routing() {
  static const RoutingKind kind = routing_kind<ValiantRouting>(
      4, "valiant", "minimally to a random switch, then minimally to the destination");
  return kind;
}

}  // namespace heddle::platform
