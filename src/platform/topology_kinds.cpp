#include "platform/topology_kinds.hpp"

#include <stdexcept>

#include "platform/topology/single_switch.hpp"

namespace heddle::platform {
namespace {

/// Larger machines than this overflow the numbers of links long before memory runs out.
constexpr const char* kMostNodes = "100M";

struct SingleSwitchConfig {
  std::int64_t nodes;
};

const ParamTable<SingleSwitchConfig>& single_switch_table() {
  static const auto table = [] {
    ParamTable<SingleSwitchConfig> t("single-switch", "one switch, every node on a port of it");
    t.add("nodes", &SingleSwitchConfig::nodes, "16", {"1", kMostNodes}, "number of nodes");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_single_switch(const Settings& settings) {
  const SingleSwitchConfig config = settings.get(single_switch_table());
  return std::make_unique<SingleSwitch>(static_cast<std::uint32_t>(config.nodes));
}

/// The sentence about a kind is that about its section.
TopologyKind kind(const ParamSection& params,
                  std::unique_ptr<const Topology> (*make)(const Settings&)) {
  return {params.section(), params.about(), &params, make};
}

/// Where the user set the first parameter of `kind`, or `otherwise`.
SourceLocation place_of(const TopologyKind& kind, const Settings& settings,
                        const SourceLocation& otherwise) {
  for (const ParamInfo& param : kind.params->params()) {
    const std::string full_name = std::string(kind.name) + "." + param.name;
    if (settings.has(full_name)) return settings.where(full_name);
  }
  return otherwise;
}

std::unique_ptr<const Topology> make_kind(const TopologyKind& kind, const Settings& settings,
                                          const SourceLocation& where) {
  try {
    return kind.make(settings);
  } catch (const std::invalid_argument& problem) {
    throw InputError(place_of(kind, settings, where),
                     "topology '" + std::string(kind.name) + "': " + problem.what());
  }
}

}  // namespace

const std::vector<TopologyKind>& topology_kinds() {
  static const std::vector<TopologyKind> kinds = {
      kind(single_switch_table(), make_single_switch),
  };
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
