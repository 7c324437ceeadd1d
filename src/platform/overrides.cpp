#include "platform/overrides.hpp"

#include <set>

#include "platform/failures/degraded_fabric.hpp"
#include "platform/node_names.hpp"

namespace heddle::platform {
namespace {

template <class Config>
void apply(const ParamTable<Config>& table, Config& config, const Assignment& value) {
  if (const auto i = table.find(value.name)) table.set(config, *i, value.text, value.where);
}

/// The sections whose parameters an override of this target may name.
std::vector<const ParamSection*> sections_of(Override::Target target) {
  if (target == Override::Target::nodes) return {&node_table(), &nic_table()};
  return {&link_table()};
}

/// What all nodes of a machine have in common.
bool is_of_all_nodes(const std::string& name) {
  return name == "adapters" || name == "adapter_map" || name == "adapter_choice" ||
         name == "stripe_from";
}

void check_value(Override::Target target, const Assignment& value) {
  if (target == Override::Target::nodes && is_of_all_nodes(value.name)) {
    throw InputError(value.name_where, "'" + value.name +
                                           "' is the same for all nodes: accepted is node." +
                                           value.name + ", outside of overrides");
  }
  std::vector<std::string> names;
  for (const ParamSection* section : sections_of(target)) {
    if (const auto i = section->find(value.name)) {
      return section->check(*i, value.text, value.where);
    }
    for (const std::string& name : section->names()) names.push_back(name);
  }
  const std::string what = target == Override::Target::nodes ? "nodes" : "links";
  throw InputError(value.name_where, "unknown parameter '" + value.name + "' in an override for " +
                                         what + did_you_mean(value.name, names) +
                                         ": accepted are " + joined(names));
}

void override_cable(Platform& platform, std::uint32_t cable, const Override& change) {
  LinkParams params = platform.cable(cable);
  for (const Assignment& value : change.values) apply(link_table(), params, value);
  platform.set_cable(cable, params);
}

void override_node(Platform& platform, NodeId node, const Override& change) {
  NodeParams params = platform.node(node);
  NicParams nic = platform.nic(node);
  for (const Assignment& value : change.values) {
    apply(node_table(), params, value);
    apply(nic_table(), nic, value);
  }
  platform.set_node(node, params);
  platform.set_nic(node, nic);
}

/// "a, b, c, ...": the first few of them.
std::string some_of(const std::set<std::string>& words) {
  constexpr std::size_t kEnough = 12;
  std::vector<std::string> list;
  for (const std::string& word : words) {
    if (list.size() == kEnough) break;
    list.push_back(word);
  }
  return joined(list) + (words.size() > kEnough ? ", ..." : "");
}

/// Whether the pattern stands for cables that are not there because they failed.
bool names_failed_cable(const Topology& topology, const std::string& pattern) {
  const auto* const degraded = dynamic_cast<const DegradedFabric*>(&topology);
  if (degraded == nullptr) return false;
  for (std::uint32_t cable = 0; cable < degraded->whole().cables(); ++cable) {
    if (names_cable(degraded->whole(), cable, pattern)) return true;
  }
  return false;
}

void override_links(Platform& platform, const Override& change) {
  const Topology& topology = platform.topology();
  bool any = false;
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    if (!names_cable(topology, cable, change.pattern)) continue;
    override_cable(platform, cable, change);
    any = true;
  }
  if (any || names_failed_cable(topology, change.pattern)) return;
  const std::string example =
      topology.cables() > 0 ? " such as '" + topology.link_name(LinkId{0}) + "'" : "";
  throw InputError(change.where, "no link matches '" + change.pattern +
                                     "': accepted is a glob on the names of links" + example);
}

void override_group(Platform& platform, const Override& change) {
  const Topology& topology = platform.topology();
  std::set<std::string> groups;
  bool any = false;
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    const std::string group = topology.cable_group(cable);
    groups.insert(group);
    if (!matches_glob(change.pattern, group)) continue;
    override_cable(platform, cable, change);
    any = true;
  }
  if (any) return;
  throw InputError(change.where, "no group of links matches '" + change.pattern +
                                     "': accepted is a glob on " + some_of(groups));
}

void override_nodes(Platform& platform, const Override& change) {
  for (const NodeId node : select_nodes(platform.topology(), change.pattern, change.where)) {
    override_node(platform, node, change);
  }
}

}  // namespace

void check_override(const Override& change) {
  for (const Assignment& value : change.values) check_value(change.target, value);
}

void apply_overrides(Platform& platform, const std::vector<Override>& changes) {
  for (const Override& change : changes) {
    switch (change.target) {
      case Override::Target::links:
        override_links(platform, change);
        break;
      case Override::Target::group:
        override_group(platform, change);
        break;
      case Override::Target::nodes:
        override_nodes(platform, change);
        break;
    }
  }
}

}  // namespace heddle::platform
