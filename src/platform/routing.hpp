// The routing functions: each picks the next link from what the topology offers.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// One entry of the list of routings: a name, a sentence, its parameters, which topologies it
/// suits, and how to make it. A file `routing/NAME_routing.cpp` defines a function NAME_routing()
/// that returns it; the build lists those files.
struct RoutingKind {
  int place;  ///< Routings are listed to users in ascending order of it.
  std::string_view name;
  std::string_view about;
  const ParamSection* params;  ///< In a section of their own, which several may share; or null.
  bool (*suits)(const Topology&);
  std::unique_ptr<const Routing> (*make)(const Topology&, const Settings&);
};

/// Every routing there is, in any order.
const std::vector<const RoutingKind*>& routing_descriptions();
/// Every routing, in the order in which they are listed to users.
const std::vector<RoutingKind>& routing_kinds();
/// The sections of their parameters, for Settings.
std::vector<const ParamSection*> routing_sections();
/// Makes the routing called `name` for `topology`, which must outlive it, with its parameters from
/// `settings`; throws InputError at `where` if there is none or the topology cannot do it.
std::unique_ptr<const Routing> make_routing(std::string_view name, const Topology& topology,
                                            const SourceLocation& where = {},
                                            const Settings& settings = Settings({}));

}  // namespace heddle::platform
