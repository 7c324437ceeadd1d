// The list of topologies: each has a name, a sentence, its parameters, and a way to be made from
// them. Topologies read from files are not in it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// One entry of the list. The section of its parameters has the name of the kind.
struct TopologyKind {
  std::string_view name;
  std::string_view about;
  const ParamSection* params;
  /// Makes it from its section of the settings. Throws InputError for a value that is not accepted
  /// and ParamError, with names of the section, for values that contradict each other.
  std::unique_ptr<const Topology> (*make)(const Settings&);
};

/// Every kind, in the order in which they are listed to users.
const std::vector<TopologyKind>& topology_kinds();

/// The sections of all kinds, for Settings.
std::vector<const ParamSection*> topology_sections();

/// Makes the topology called `name` from its section of `settings`. Throws InputError: at `where`
/// if there is no such kind, where the user set its parameters (else at `where`) if they are wrong.
std::unique_ptr<const Topology> make_topology(std::string_view name, const Settings& settings,
                                              const SourceLocation& where = {});

}  // namespace heddle::platform
