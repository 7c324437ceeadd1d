// What routing functions that choose from a topology share.
#pragma once

#include "platform/routing.hpp"

namespace heddle::platform {

/// What routing functions share: the topology they choose from. One that does not suit every
/// topology has a suits() of its own.
class TopologyRouting : public Routing {
 public:
  explicit TopologyRouting(const Topology& topology) : topology_(topology) {}
  static bool suits(const Topology&) { return true; }

 protected:
  const Topology& topology_;
};

/// The entry of a routing function R.
template <class R>
RoutingKind routing_kind(int place, std::string_view name, std::string_view about) {
  const auto make = [](const Topology& topology) -> std::unique_ptr<const Routing> {
    return std::make_unique<R>(topology);
  };
  return {place, name, about, R::suits, make};
}

}  // namespace heddle::platform
