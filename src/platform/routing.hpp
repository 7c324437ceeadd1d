// The routing functions: each picks the next link from what the topology offers.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// One entry of the list of routings: a name, a sentence, which topologies it suits, and how to
/// make it. A file `routing/NAME_routing.cpp` defines a function NAME_routing() that returns it;
/// the build lists those files.
struct RoutingKind {
  int place;  ///< Routings are listed to users in ascending order of it.
  std::string_view name;
  std::string_view about;
  bool (*suits)(const Topology&);
  std::unique_ptr<const Routing> (*make)(const Topology&);
};

/// Every routing there is, in any order.
const std::vector<const RoutingKind*>& routing_descriptions();
/// Every routing, in the order in which they are listed to users.
const std::vector<RoutingKind>& routing_kinds();
/// Makes the routing called `name` for `topology`, which must outlive it; throws InputError at
/// `where` if there is none or the topology cannot do it.
std::unique_ptr<const Routing> make_routing(std::string_view name, const Topology& topology,
                                            const SourceLocation& where = {});

}  // namespace heddle::platform
