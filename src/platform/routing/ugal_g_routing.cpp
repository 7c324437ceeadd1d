#include "platform/routing/ugal.hpp"

namespace heddle::platform {
namespace {

/// Knows the loads of all links: no machine can, but it shows what is to be gained.
class UgalGlobalRouting final : public Ugal {
 public:
  UgalGlobalRouting(const Topology& topology, const Settings& settings)
      : Ugal(topology, settings, Scope::global) {}
};

}  // namespace

const RoutingKind& ugal_g_routing() {
  static const RoutingKind kind = routing_kind<UgalGlobalRouting>(
      7, "ugal-g",
      "minimally, or by a random detour whose most loaded link is less loaded (all is known)",
      &ugal_table());
  return kind;
}

}  // namespace heddle::platform
