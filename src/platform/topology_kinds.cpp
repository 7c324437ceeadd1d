#include "platform/topology_kinds.hpp"

#include <algorithm>

namespace heddle::platform {
namespace {

/// Where the user last set one of the parameters that an error is about, or any of the kind's.
SourceLocation blamed_place(const ParamError& error, const TopologyKind& kind,
                            const Settings& settings, const SourceLocation& otherwise) {
  std::vector<std::string> names = error.names();
  for (std::string& name : names) name = std::string(kind.name) + "." + name;
  const std::string last = settings.last_of(names);
  return last.empty() ? settings.where_last(*kind.params, otherwise) : settings.where(last);
}

std::unique_ptr<const Topology> make_kind(const TopologyKind& kind, const Settings& settings,
                                          const SourceLocation& where) {
  try {
    return kind.make(settings);
  } catch (const ParamError& error) {
    throw InputError(blamed_place(error, kind, settings, where),
                     "topology '" + std::string(kind.name) + "': " + error.problem());
  }
}

}  // namespace

const std::vector<TopologyKind>& topology_kinds() {
  static const std::vector<TopologyKind> kinds = [] {
    std::vector<TopologyKind> all;
    for (const TopologyKind* kind : topology_descriptions()) all.push_back(*kind);
    std::ranges::sort(all, {}, &TopologyKind::place);
    return all;
  }();
  return kinds;
}

std::vector<const ParamSection*> topology_sections() {
  std::vector<const ParamSection*> sections;
  for (const TopologyKind& kind : topology_kinds()) sections.push_back(kind.params);
  return sections;
}

std::unique_ptr<const Topology> make_topology(std::string_view name, const Settings& settings,
                                              const SourceLocation& where) {
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) {
    if (kind.name == name) return make_kind(kind, settings, where);
    names.emplace_back(kind.name);
  }
  throw InputError(where, "unknown topology '" + std::string(name) + "'" +
                              did_you_mean(name, names) + ": accepted are " + joined(names));
}

}  // namespace heddle::platform
