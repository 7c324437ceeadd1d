// What a network that remembers routes can tell of them.
#pragma once

#include <functional>
#include <optional>

#include "network/network.hpp"

namespace heddle::network {

/// A network that finds routes once and keeps them for as long as messages need them.
class KnownRoutes {
 public:
  /// The latency of the route of a message that is going to start soon, without factors; nothing,
  /// if it may depend on when that is.
  virtual std::optional<Time> route_latency(platform::Endpoint source,
                                            platform::Endpoint destination) = 0;

 protected:
  ~KnownRoutes() = default;
};

/// The same of a network of any kind: nothing, if it remembers no routes. The network must live as
/// long.
inline std::function<std::optional<Time>(platform::Endpoint, platform::Endpoint)> known_latency(
    Network& network) {
  auto* const known = dynamic_cast<KnownRoutes*>(&network);
  if (known == nullptr) return {};
  return [known](platform::Endpoint source, platform::Endpoint destination) {
    return known->route_latency(source, destination);
  };
}

}  // namespace heddle::network
