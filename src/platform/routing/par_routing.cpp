#include "platform/routing/ugal.hpp"

namespace heddle::platform {
namespace {

/// Looks again at every switch of the source's group as long as the message goes minimally.
class ProgressiveRouting final : public Ugal {
 public:
  ProgressiveRouting(const Topology& topology, const Settings& settings)
      : Ugal(topology, settings, Scope::local, DetourBy::groups),
        grouped_(dynamic_cast<const Grouped&>(topology)) {}
  static bool suits(const Topology& topology) {
    return dynamic_cast<const Grouped*>(&topology) != nullptr;
  }
  /// A link inside the first group may come before the detour, in a dragonfly+ two: up, and down
  /// again.
  std::uint32_t longest_route() const override { return Ugal::longest_route() + 2; }

 private:
  bool may_turn(const Hop& hop) const override {
    const std::uint32_t first = grouped_.group(hop.from);
    return topology_.is_switch(hop.at) && grouped_.group(hop.at) == first &&
           grouped_.group(hop.to) != first;
  }
  const Grouped& grouped_;
};

}  // namespace

const RoutingKind& par_routing() {
  static const RoutingKind kind = routing_kind<ProgressiveRouting>(
      8, "par", "like ugal-l, but at every switch of the source's group (progressive adaptive)",
      &ugal_table());
  return kind;
}

}  // namespace heddle::platform
