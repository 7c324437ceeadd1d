#include "platform/routing/ugal.hpp"

namespace heddle::platform {
namespace {

/// Goes by the links of the switch where the message is.
class UgalLocalRouting final : public Ugal {
 public:
  UgalLocalRouting(const Topology& topology, const Settings& settings)
      : Ugal(topology, settings, Scope::local) {}
};

}  // namespace

const RoutingKind& ugal_l_routing() {
  static const RoutingKind kind = routing_kind<UgalLocalRouting>(
      6, "ugal-l", "minimally, or by a random detour where the first link is less loaded",
      &ugal_table());
  return kind;
}

}  // namespace heddle::platform
