#include "platform/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "platform/failures/changing_routes.hpp"
#include "platform/failures/degraded_fabric.hpp"
#include "platform/failures/failures.hpp"
#include "platform/machine_files/edge_list.hpp"
#include "platform/overrides.hpp"
#include "platform/routing.hpp"
#include "platform/simgrid_xml.hpp"
#include "platform/text_file.hpp"
#include "platform/topology/equal_paths.hpp"
#include "platform/topology/several_adapters.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct GraphConfig {
  std::string file;
  std::string edges;
  EqualPaths equal_paths;
};

/// The kind that is not regular, and so not among topology_kinds().
const ParamTable<GraphConfig>& graph_table() {
  static const auto table = [] {
    ParamTable<GraphConfig> t("graph", "any graph, from a list of its edges");
    t.add_file("file", &GraphConfig::file, "", "path of an edge list, from the machine's file");
    t.add("edges", &GraphConfig::edges, "", {}, "the edge list itself, in the place of a file");
    add_equal_paths(t, "lowest");
    return t;
  }();
  return table;
}

template <class Word>
std::vector<std::pair<std::string, std::string>> choices(const std::vector<Word>& words) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Word& word : words) list.emplace_back(word, word);
  return list;
}

EdgeList edge_list(const Settings& settings) {
  const GraphConfig config = settings.get(graph_table());
  if (config.file.empty() == config.edges.empty()) {
    throw InputError(settings.where("topology.kind"),
                     "topology 'graph' needs its edges: accepted is either file or edges");
  }
  if (config.file.empty()) return read_edge_list(config.edges, settings.where("graph.edges"));
  const std::string text = read_text_file(config.file, settings.where("graph.file"));
  require_text(text, config.file);
  return read_edge_list(text, {config.file, 1, 1});
}

/// A fabric, and the values of cables that have their own.
struct Fabric {
  std::unique_ptr<const Topology> topology;
  Graph* graph = nullptr;                ///< The topology, if that is what it is.
  std::vector<CableValues> values = {};  ///< By cable of the whole; empty if all are alike.
  Failures failures = {};
  const DegradedFabric* degraded = nullptr;  ///< The topology, if cables are down.
  std::unique_ptr<Outages> outages = {};     ///< By cable that is there; null: none.
  std::uint32_t plane_cables = 0;            ///< Of each plane, if there are several.

  /// The number that a cable would have if none were down, in its plane.
  std::uint32_t whole_cable(std::uint32_t cable) const {
    const std::uint32_t whole = degraded == nullptr ? cable : degraded->whole_cable(cable);
    return plane_cables == 0 ? whole : whole % plane_cables;
  }
};

/// "failures leave 14 of 56 pairs of nodes without a way, such as n0 to n3".
std::string cut_off_warning(const DegradedFabric& fabric, const DegradedFabric::CutOff& cut_off,
                            const std::string& when) {
  const std::uint64_t nodes = fabric.nodes();
  return fmt::format("failures leave {} of {} pairs of nodes without a way{}, such as {} to {}",
                     cut_off.pairs, nodes * (nodes - 1), when, fabric.name(cut_off.from),
                     fabric.name(cut_off.to));
}

/// What fails or is slow during a run, of the cables that are there.
std::unique_ptr<Outages> outages_of(const Fabric& fabric, double slow) {
  if (fabric.failures.timed.empty()) return nullptr;
  std::vector<std::uint32_t> number(fabric.failures.down.size(), UINT32_MAX);
  for (std::uint32_t cable = 0; cable < fabric.topology->cables(); ++cable) {
    number[fabric.whole_cable(cable)] = cable;
  }
  auto outages = std::make_unique<Outages>();
  const auto left = static_cast<CableHistory::Share>(std::llround(slow * CableHistory::kWhole));
  for (const TimedFailure& failure : fabric.failures.timed) {
    if (number[failure.cable] == UINT32_MAX) continue;
    outages->add(number[failure.cable]).add(failure.span, failure.slow ? left : 0);
  }
  return outages;
}

/// Takes out what does not work from the start.
void degrade(Fabric& fabric, const Settings& settings) {
  fabric.failures = find_failures(*fabric.topology, settings);
  if (fabric.failures.any()) {
    auto left = std::make_unique<DegradedFabric>(std::move(fabric.topology), fabric.failures.down);
    fabric.degraded = left.get();
    fabric.topology = std::move(left);
  }
  fabric.outages = outages_of(fabric, settings.get(failures_table()).degraded_bandwidth);
}

/// Says which nodes do not reach each other for a while.
void add_outage_warnings(Platform& platform, const ChangingRoutes& routes) {
  constexpr int kMostSaid = 4;
  constexpr int kMostLookedAt = 64;
  const Outages& outages = platform.outages();
  int said = 0;
  Time from = Time::ps(-1);
  for (int i = 0; i < kMostLookedAt && said < kMostSaid; ++i) {
    from = outages.next_change(from);
    if (from == Time::never()) return;
    const auto* const left =
        dynamic_cast<const DegradedFabric*>(&routes.fabric_without(outages.down_at(from)));
    if (left == nullptr) continue;
    const DegradedFabric::CutOff cut_off = left->cut_off();
    if (cut_off.pairs == 0) continue;
    const Time to = outages.next_change(from);
    std::string when = " from " + exact_time(from) + " on";
    if (to != Time::never()) when += " until " + exact_time(to) + " at least";
    platform.add_warning(cut_off_warning(*left, cut_off, when));
    ++said;
  }
}

/// Cables that are slow, and a word on nodes that do not reach each other.
void apply_failures(Platform& platform, const Fabric& fabric, const Settings& settings) {
  const double left = settings.get(failures_table()).degraded_bandwidth;
  const std::vector<std::uint32_t>& slow = fabric.failures.degraded;
  for (std::uint32_t cable = 0; cable < platform.topology().cables() && !slow.empty(); ++cable) {
    if (!std::ranges::binary_search(slow, fabric.whole_cable(cable))) continue;
    LinkParams params = platform.cable(cable);
    const double bits = static_cast<double>(params.bandwidth.bits_per_second()) * left;
    params.bandwidth = Bandwidth::bits_per_second(std::max<std::int64_t>(1, std::llround(bits)));
    platform.set_cable(cable, params);
  }
  if (fabric.degraded == nullptr) return;
  if (const auto cut_off = fabric.degraded->cut_off(); cut_off.pairs > 0) {
    platform.add_warning(cut_off_warning(*fabric.degraded, cut_off, ""));
  }
}

Fabric fabric_of(const std::string& kind, const Settings& settings) {
  if (kind != "graph") {
    return {make_topology(kind, settings, settings.where("topology.kind"))};
  }
  EdgeList list = edge_list(settings);
  list.plan.equal_paths = settings.get(graph_table()).equal_paths;
  std::vector<CableValues> values = list.values;
  auto graph = graph_of(std::move(list), settings.get(link_table()));
  Graph* const same = graph.get();
  return {std::move(graph), same, std::move(values)};
}

/// Gives the nodes as many adapters as the settings say.
void add_adapters(Fabric& fabric, const NodeParams& node, const Settings& settings) {
  const bool inner = node.adapters > 1 &&
                     (!node.inner_bandwidth.is_unlimited() || node.inner_latency > Time::zero());
  if (node.inner_reduction && !inner) {
    throw InputError(settings.where("node.inner_reduction"),
                     "there is no switch inside nodes: accepted with node.adapters of 2 and more, "
                     "and node.inner_bandwidth or node.inner_latency");
  }
  if (node.adapters == 1) return;
  const auto fails = [&](const Failures& all) { return all.any() || !all.timed.empty(); };
  if (settings.has_any(failures_table()) && fails(find_failures(*fabric.topology, settings))) {
    throw InputError(settings.where_last(failures_table(), {}),
                     "failures of nodes with several adapters are not simulated: accepted is "
                     "node.adapters=1 beside them");
  }
  fabric.plane_cables = fabric.topology->cables();
  try {
    fabric.topology = std::make_unique<SeveralAdapters>(
        std::move(fabric.topology), static_cast<std::uint32_t>(node.adapters), node.adapter_map);
  } catch (const ParamError& error) {
    throw InputError(settings.where("node." + error.names().front()), error.problem());
  }
}

/// Lets the paths of a graph follow what its cables have become.
void update_latencies(Graph& graph, const Platform& platform, const Fabric& fabric) {
  std::vector<Time> latency(graph.cables());
  for (std::uint32_t cable = 0; cable < platform.topology().cables(); ++cable) {
    latency[fabric.whole_cable(cable)] = platform.cable(cable).latency;
  }
  graph.set_latencies(std::move(latency));
}

/// Where the user last said what shape the machine of this kind has.
SourceLocation shape_place(const std::string& kind, const Settings& settings) {
  SourceLocation place = settings.where("topology.kind");
  for (const ParamSection* section : settings.known()) {
    if (section->section() == kind) place = settings.where_last(*section, place);
  }
  return place;
}

void check_topology_size(const Topology& topology, std::uint64_t most,
                         const SourceLocation& where) {
  const std::uint64_t vertices = std::uint64_t{topology.nodes()} + topology.switches();
  if (vertices <= most) return;
  throw InputError(where, "the machine has " + std::to_string(vertices) +
                              " nodes and switches: accepted are at most " + std::to_string(most));
}

/// The routing called `name`, which follows failures if there are some during a run.
std::unique_ptr<const Routing> routing_of(const std::string& name, const Fabric& fabric,
                                          const Settings& settings) {
  const SourceLocation where = settings.where("topology.routing");
  if (fabric.outages == nullptr) return make_routing(name, *fabric.topology, where, settings);
  const auto make = [name, where, settings](const Topology& topology) {
    return make_routing(name, topology, where, settings);
  };
  auto routing = std::make_unique<ChangingRoutes>(*fabric.topology, *fabric.outages,
                                                  settings.get(failures_table()), make);
  if (routing->choice() != RouteChoice::own) return routing;
  throw InputError(where, "'" + name +
                              "' has routes of its own, which do not change while messages are "
                              "under way: accepted with failures that have times are routings "
                              "that take minimal links, such as minimal, adaptive and ugal-l");
}

std::unique_ptr<Platform> from_topology(const MachineDescription& machine, const Settings& settings,
                                        std::uint64_t most_vertices) {
  const TopologyConfig config = settings.get(topology_table());
  const LinkParams link = settings.get(link_table());
  const NodeParams node = settings.get(node_table());
  Fabric fabric = fabric_of(config.kind, settings);
  add_adapters(fabric, node, settings);
  check_topology_size(*fabric.topology, most_vertices, shape_place(config.kind, settings));
  degrade(fabric, settings);
  std::unique_ptr<const Routing> routing = routing_of(config.routing, fabric, settings);
  const auto* const changing = dynamic_cast<const ChangingRoutes*>(routing.get());
  if (node.adapters > 1 && routing->choice() == RouteChoice::own) {
    throw InputError(settings.where("topology.routing"),
                     "'" + config.routing +
                         "' has routes of its own, which know nothing of several "
                         "adapters: accepted is node.adapters=1 beside it, or another routing");
  }
  auto platform =
      std::make_unique<Platform>(machine.name, std::move(fabric.topology), std::move(routing), link,
                                 settings.get(switch_table()), node, settings.get(nic_table()));
  if (fabric.outages != nullptr) {
    platform->set_outages(std::move(fabric.outages), settings.get(failures_table()));
  }
  const std::uint32_t own = fabric.values.empty() ? 0 : platform->topology().cables();
  for (std::uint32_t cable = 0; cable < own; ++cable) {
    platform->set_cable(cable, fabric.values[fabric.whole_cable(cable)].on(link));
  }
  apply_overrides(*platform, machine.overrides);
  if (fabric.graph != nullptr) update_latencies(*fabric.graph, *platform, fabric);
  apply_failures(*platform, fabric, settings);
  if (changing != nullptr) add_outage_warnings(*platform, *changing);
  return platform;
}

/// How a YAML file changes a parameter of a section for the whole of a SimGrid platform.
std::string simgrid_override(const std::string& path, const std::string& section,
                             const std::string& name, const std::string& value) {
  const bool link = section == "link";
  if (!link && section != "node") return "accepted are those of link and node, as overrides";
  return fmt::format(
      "accepted is a YAML file with 'simgrid: {}' and 'overrides: [{{{}: \"*\", {}: {}}}]'", path,
      link ? "links" : "nodes", name, value);
}

/// A SimGrid platform says itself what the sections of the fabric would.
void refuse_fabric_settings(const MachineDescription& machine, const Settings& settings) {
  const ParamSection* const sections[] = {&topology_table(), &link_table(), &switch_table(),
                                          &node_table()};
  for (const ParamSection* section : sections) {
    for (const auto& [name, value] : section->effective(settings)) {
      const std::string full_name = section->section() + "." + name;
      if (!settings.has(full_name)) continue;
      const std::string way = simgrid_override(machine.simgrid, section->section(), name, value);
      throw InputError(
          settings.where(full_name),
          fmt::format("'{}' cannot be set: '{}' says it; {}", full_name, machine.simgrid, way));
    }
  }
}

std::unique_ptr<Platform> from_simgrid(const MachineDescription& machine,
                                       const Settings& settings) {
  refuse_fabric_settings(machine, settings);
  if (settings.get(failures_table()).any()) {
    throw InputError(settings.where_last(failures_table(), {}),
                     "a SimGrid platform cannot have failures: accepted are machines whose "
                     "topology Heddle knows");
  }
  std::unique_ptr<Platform> platform =
      read_simgrid_platform(machine.simgrid, machine.name, machine.simgrid_where);
  const NicParams nic = settings.get(nic_table());
  for (std::uint32_t n = 0; n < platform->nodes(); ++n) platform->set_nic(NodeId{n}, nic);
  apply_overrides(*platform, machine.overrides);
  return platform;
}

}  // namespace

std::vector<std::string> topology_kind_names() {
  std::vector<std::string> names;
  for (const TopologyKind& kind : topology_kinds()) names.emplace_back(kind.name);
  names.push_back(graph_table().section());
  return names;
}

const ParamTable<TopologyConfig>& topology_table() {
  static const auto table = [] {
    std::vector<std::string> routings;
    for (const RoutingKind& kind : routing_kinds()) routings.emplace_back(kind.name);
    ParamTable<TopologyConfig> t("topology", "the shape of the fabric");
    t.add_choice("kind", &TopologyConfig::kind, "single-switch", choices(topology_kind_names()),
                 "kind of topology; the section of that name has its parameters");
    t.add_choice("routing", &TopologyConfig::routing, "minimal", choices(routings),
                 "how the next link of a message is chosen");
    return t;
  }();
  return table;
}

std::vector<const ParamSection*> machine_sections() {
  std::vector<const ParamSection*> sections = {&topology_table(), &link_table(), &switch_table(),
                                               &node_table(),     &nic_table(),  &failures_table()};
  for (const ParamSection* section : topology_sections()) sections.push_back(section);
  sections.push_back(&graph_table());
  for (const ParamSection* section : routing_sections()) sections.push_back(section);
  return sections;
}

std::string Machine::title() const {
  return fmt::format("{} ({}{}{})", platform->name(), platform->topology().describe(),
                     changes.empty() ? "" : "; changed: ", changes);
}

std::vector<std::string> Machine::files() const {
  std::vector<std::string> files = {description.file, description.simgrid};
  for (const ParamSection* section : settings.known()) {
    if (!settings.has_any(*section)) continue;  // Defaults name none.
    for (const auto& [name, value] : section->effective(settings)) {
      if (names_file(section->params()[*section->find(name)], value)) files.push_back(value);
    }
  }
  return files;
}

std::unique_ptr<Platform> build_platform(const MachineDescription& machine,
                                         const Settings& settings, std::uint64_t most_vertices) {
  return machine.simgrid.empty() ? from_topology(machine, settings, most_vertices)
                                 : from_simgrid(machine, settings);
}

}  // namespace heddle::platform
