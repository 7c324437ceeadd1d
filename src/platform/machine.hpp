// Machines as users describe them: in YAML, by the name of a built-in one, as an edge list, or as a
// SimGrid platform.
//
// Reading takes two steps, so that `--set` can come between them: read_machine() records what the
// file says in the settings, build_platform() makes the machine of whatever the settings say then.
//
//     name: my-cluster
//     about: one sentence
//     topology: {kind: fat-tree, arity: 8, levels: 2, routing: minimal}
//     link: {bandwidth: 100Gbps, latency: 100ns}
//     switch: {latency: 100ns}
//     node: {cores: 64, pcie_bandwidth: 15.75GBps, pcie_latency: 250ns}
//     nic: {gap: 10ns}
//     overrides:
//       - links: "L1.*->L2.*"    # a glob on link names; either direction of a cable may match
//         bandwidth: 50Gbps
//       - group: "level 1"       # a glob on groups of cables
//         latency: 300ns
//       - nodes: "0-3,n7"        # names, else numbers; ranges, globs; node and nic parameters
//         pcie_latency: 400ns
//     fluid: {weighting: simgrid}   # any section of parameters
//
// The parameters of a topology stand beside its kind. `topology: {kind: graph, file: net.edges}`
// takes the graph from an edge list (edge_list.hpp) beside the YAML file, `edges: |` from a text in
// it. `simgrid: platform.xml` in the place of topology, link, switch and node takes the whole
// machine from a SimGrid platform file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "platform/platform.hpp"

namespace heddle::platform {

/// A parameter's name and value as they were written, and where.
struct Assignment {
  std::string name;
  std::string text;
  SourceLocation name_where;
  SourceLocation where;  ///< Of the value.
};

/// Values for some cables or nodes only.
struct Override {
  enum class Target { links, group, nodes };
  Target target = Target::links;
  std::string pattern;
  SourceLocation where;  ///< Of the pattern.
  std::vector<Assignment> values;
};

/// What a machine's file says besides its parameters, which are in the settings.
struct MachineDescription {
  std::string name;
  std::string about;
  std::string file;     ///< Where it was read, for errors.
  std::string simgrid;  ///< Path of a SimGrid platform that stands for the topology, or "".
  SourceLocation simgrid_where = {};  ///< Of that path, if the machine's file says it.
  std::vector<Override> overrides;    ///< In the order they apply.
};

/// The section `topology`: which kind, and how messages are routed on it.
struct TopologyConfig {
  std::string kind;
  std::string routing;
};
const ParamTable<TopologyConfig>& topology_table();
/// What `topology.kind` may be; each is the name of a section too.
std::vector<std::string> topology_kind_names();

/// Reads the built-in machine called `name_or_path`, or the file there (YAML, an edge list or
/// SimGrid XML), and assigns each parameter it finds to `settings`. Throws InputError for anything
/// that is not understood.
MachineDescription read_machine(const std::string& name_or_path, Settings& settings);
/// The same from a YAML text; errors name it `file_name`, and relative paths start from there.
MachineDescription read_machine_text(std::string_view text, const std::string& file_name,
                                     Settings& settings);

/// More nodes and switches than this would need more link numbers than there are.
inline constexpr std::uint64_t kMostVertices = 200'000'000;
/// Makes the machine. Throws InputError where the parameters do not make one, or one with more than
/// `most_vertices` nodes and switches.
std::unique_ptr<Platform> build_platform(const MachineDescription& machine,
                                         const Settings& settings,
                                         std::uint64_t most_vertices = kMostVertices);

/// The machine and every parameter of the settings' sections (of the topologies only the one in
/// use) as YAML that reads back to the same.
std::string effective_config(const MachineDescription& machine, const Settings& settings);

/// A machine that was read and built, with the settings that it was made from.
struct Machine {
  Settings settings;
  MachineDescription description;
  std::unique_ptr<Platform> platform;
  std::string changes = {};  ///< How it differs from what its name stands for, or "".

  /// Its name, its topology, and how it was changed, on one line.
  std::string title() const;
  /// The files that it was read from.
  std::vector<std::string> files() const;
  /// Its effective configuration: YAML that reads back to the same.
  std::string config() const { return effective_config(description, settings); }
};

/// link, switch, node, nic, topology, and a section for each kind of topology and for the routings
/// that have parameters.
std::vector<const ParamSection*> machine_sections();

/// A machine that comes with the program.
struct BuiltinMachine {
  std::string_view name;
  std::string about;
  std::string_view text;  ///< Its YAML.
};
/// Every built-in machine, by name.
const std::vector<BuiltinMachine>& builtin_machines();
bool is_builtin(std::string_view name);

}  // namespace heddle::platform
