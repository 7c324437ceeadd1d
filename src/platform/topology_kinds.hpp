// The list of topologies: each has a name, a sentence, its parameters, and a way to be made from
// them. Topologies read from files are not in it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// Larger machines than this overflow the numbers of links long before memory runs out.
inline constexpr const char* kMostNodes = "100M";

/// One entry of the list. A file `topology/NAME_kind.cpp` defines a function NAME_kind() that
/// returns it; the build lists those files. The section of its parameters has the name of the kind.
struct TopologyKind {
  int place;  ///< Kinds are listed to users in ascending order of it.
  std::string_view name;
  std::string_view about;
  const ParamSection* params;
  /// Makes it from its section of the settings. Throws InputError for a value that is not accepted
  /// and ParamError, with names of the section, for values that contradict each other.
  std::unique_ptr<const Topology> (*make)(const Settings&);
};

/// An entry, whose name and sentence are those of the section.
inline TopologyKind topology_kind(int place, const ParamSection& params,
                                  std::unique_ptr<const Topology> (*make)(const Settings&)) {
  return {place, params.section(), params.about(), &params, make};
}

/// Every kind there is, in any order.
const std::vector<const TopologyKind*>& topology_descriptions();
/// Every kind, in the order in which they are listed to users.
const std::vector<TopologyKind>& topology_kinds();

/// The sections of all kinds, for Settings.
std::vector<const ParamSection*> topology_sections();

/// Makes the topology called `name` from its section of `settings`. Throws InputError: at `where`
/// if there is no such kind, where the user set its parameters (else at `where`) if they are wrong.
std::unique_ptr<const Topology> make_topology(std::string_view name, const Settings& settings,
                                              const SourceLocation& where = {});

}  // namespace heddle::platform
