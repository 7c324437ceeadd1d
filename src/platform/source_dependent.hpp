// Topologies whose routes depend on where a message comes from.
#pragma once

#include <optional>

#include "platform/topology.hpp"

namespace heddle::platform {

/// What a topology is as well whose output() looks at `hop.from`. Of others, all routes to one
/// destination are the same from where they meet.
class SourceDependent {
 public:
  virtual ~SourceDependent() = default;
  /// Routes from vertices of one class to one destination are the same from where they meet;
  /// nothing if each pair of vertices has a route of its own.
  virtual std::optional<std::uint32_t> route_class(VertexId from) const = 0;
  /// Whether routes are lists of links, so that where one of them does not work all of it does not.
  virtual bool lists_routes() const { return false; }
};

/// The same of any topology.
inline std::optional<std::uint32_t> route_class(const Topology& topology, VertexId from) {
  const auto* const dependent = dynamic_cast<const SourceDependent*>(&topology);
  return dependent == nullptr ? 0 : dependent->route_class(from);
}

inline bool lists_routes(const Topology& topology) {
  const auto* const dependent = dynamic_cast<const SourceDependent*>(&topology);
  return dependent != nullptr && dependent->lists_routes();
}

}  // namespace heddle::platform
