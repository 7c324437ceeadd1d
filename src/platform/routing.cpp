#include "platform/routing.hpp"

#include <algorithm>

namespace heddle::platform {
namespace {

std::vector<std::string> names_of(const std::vector<RoutingKind>& kinds) {
  std::vector<std::string> names;
  for (const RoutingKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

/// The kinds that `topology` can do.
std::vector<RoutingKind> suitable(const Topology& topology) {
  std::vector<RoutingKind> kinds = routing_kinds();
  std::erase_if(kinds, [&](const RoutingKind& kind) { return !kind.suits(topology); });
  return kinds;
}

}  // namespace

const std::vector<RoutingKind>& routing_kinds() {
  static const std::vector<RoutingKind> kinds = [] {
    std::vector<RoutingKind> all;
    for (const RoutingKind* kind : routing_descriptions()) all.push_back(*kind);
    std::ranges::sort(all, {}, &RoutingKind::place);
    return all;
  }();
  return kinds;
}

std::vector<const ParamSection*> routing_sections() {
  std::vector<const ParamSection*> sections;
  for (const RoutingKind& kind : routing_kinds()) {
    const bool known = std::find(sections.begin(), sections.end(), kind.params) != sections.end();
    if (kind.params != nullptr && !known) sections.push_back(kind.params);
  }
  return sections;
}

std::unique_ptr<const Routing> make_routing(std::string_view name, const Topology& topology,
                                            const SourceLocation& where, const Settings& settings) {
  for (const RoutingKind& kind : routing_kinds()) {
    if (kind.name != name) continue;
    if (kind.suits(topology)) return kind.make(topology, settings);
    throw InputError(where, "routing '" + std::string(name) +
                                "' cannot be used with this topology (" + topology.describe() +
                                "): accepted here are " + joined(names_of(suitable(topology))));
  }
  const std::vector<std::string> names = names_of(routing_kinds());
  throw InputError(where, "unknown routing '" + std::string(name) + "'" +
                              did_you_mean(name, names) + ": accepted are " + joined(names));
}

}  // namespace heddle::platform
