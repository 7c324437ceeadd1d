// Machines, routings and lanes whose packets can or cannot deadlock.
#pragma once

#include <string>
#include <vector>

#include "network/packet/channel_graph.hpp"
#include "network/support.hpp"
#include "platform/routing.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::network {

/// A machine, its routing and its lanes.
struct LaneCase {
  std::string kind;
  std::vector<std::string> shape;
  std::string routing;
  std::vector<std::string> packet;
};

inline std::string text_of(const LaneCase& c) {
  std::string text = c.kind;
  for (const std::string& word : c.shape) text += " " + word;
  text += ", " + c.routing;
  for (const std::string& word : c.packet) text += " " + word;
  return text;
}

inline Settings settings_with(std::vector<const ParamSection*> sections,
                              const std::vector<std::string>& assignments) {
  Settings settings(std::move(sections));
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  return settings;
}

/// `routing` may have one parameter behind a blank.
inline platform::Platform machine_of(const LaneCase& c) {
  const MachineParams params;
  auto topology =
      platform::make_topology(c.kind, settings_with(platform::topology_sections(), c.shape));
  const std::size_t blank = c.routing.find(' ');
  std::vector<std::string> more;
  if (blank != std::string::npos) more.push_back(c.routing.substr(blank + 1));
  auto routing = platform::make_routing(c.routing.substr(0, blank), *topology, {},
                                        settings_with(platform::routing_sections(), more));
  return {"machine",   std::move(topology), std::move(routing),
          params.link, params.switches,     params.node,
          {}};
}

inline LaneCheck checked(const LaneCase& c, const platform::Platform& platform) {
  const Settings settings = settings_with(network_sections(), c.packet);
  return check_lanes(PacketPlan(platform, settings.get(packet_table()), settings));
}

inline const std::vector<std::string> kRing = {"torus.dims=5"};
inline const std::vector<std::string> kTorus = {"torus.dims=4x4"};
// With several nodes to a switch, so that buffers are full at all times.
inline const std::vector<std::string> kThree = {"torus.dims=4x4", "torus.nodes_per_switch=3"};
inline const std::vector<std::string> kTwo = {"mesh.dims=4x4", "mesh.nodes_per_switch=2"};
inline const std::vector<std::string> kMesh = {"mesh.dims=3x3"};
inline const std::vector<std::string> kGroups = {"dragonfly.nodes_per_switch=1",
                                                 "dragonfly.switches_per_group=4",
                                                 "dragonfly.global_per_switch=1"};
inline const std::vector<std::string> kPlus = {
    "dragonfly-plus.groups=5", "dragonfly-plus.leaves_per_group=2",
    "dragonfly-plus.spines_per_group=2", "dragonfly-plus.global_per_spine=2",
    "dragonfly-plus.nodes_per_leaf=1"};
inline const std::vector<std::string> kRandom = {"jellyfish.switches=12", "jellyfish.ports=3",
                                                 "jellyfish.nodes_per_switch=1"};
inline const std::vector<std::string> kTree = {"fat-tree.arity=2", "fat-tree.levels=3"};

inline std::vector<std::string> lanes(const std::string& rule, int count) {
  return {"packet.lane_by=" + rule, "packet.lanes=" + std::to_string(count)};
}

/// No circle: up and down, in the order of dimensions, across a dateline, one lane up with every
/// group or hop.
inline std::vector<LaneCase> safe_cases() {
  return {
      {"torus", kRing, "minimal", {}},
      {"torus", kRing, "minimal", lanes("dateline", 2)},
      {"torus", kTorus, "minimal", lanes("dateline", 2)},
      {"torus", kTorus, "minimal-drawn", lanes("dateline", 2)},
      {"torus", kRing, "minimal", lanes("crossing", 2)},
      {"torus", kTorus, "minimal-drawn", lanes("crossing", 2)},
      {"torus", kTorus, "valiant", lanes("dateline", 4)},
      {"torus", kTorus, "ugal-l", lanes("crossing", 4)},
      {"torus", kTorus, "ugal-l", lanes("dateline", 4)},
      {"torus", kTorus, "adaptive", {}},
      {"torus", kTorus, "up-down", lanes("class", 1)},
      {"torus", kTorus, "adaptive", lanes("escape", 3)},
      {"torus", kTorus, "spray", lanes("escape", 4)},
      {"mesh", kMesh, "adaptive", lanes("escape", 3)},
      {"mesh", kMesh, "minimal", lanes("class", 1)},
      {"dragonfly", kGroups, "minimal", lanes("group", 2)},
      {"dragonfly", kGroups, "adaptive", lanes("group", 2)},
      {"dragonfly", kGroups, "valiant-group", lanes("group", 3)},
      {"dragonfly", kGroups, "ugal-l", lanes("group", 3)},
      {"dragonfly", kGroups, "valiant", lanes("group", 4)},
      {"dragonfly", kGroups, "ugal-g ugal.via=switch", lanes("group", 4)},
      {"dragonfly", kGroups, "par", lanes("group", 4)},
      {"dragonfly", kGroups, "par", {}},
      {"dragonfly", kGroups, "up-down", lanes("class", 1)},
      {"dragonfly-plus", kPlus, "ecmp", lanes("class", 1)},
      {"dragonfly-plus", kPlus, "ugal-l", lanes("group", 4)},
      {"jellyfish", kRandom, "up-down", lanes("class", 1)},
      {"jellyfish", kRandom, "ugal-l", {}},
      {"fat-tree", kTree, "spray", lanes("class", 1)},
  };
}

/// One lane less than the safe ones, or turns that the order of dimensions forbids.
inline std::vector<LaneCase> unsafe_cases() {
  return {
      {"torus", kRing, "minimal", lanes("class", 1)},
      {"torus", kRing, "minimal", lanes("hop", 2)},
      {"torus", kThree, "adaptive", lanes("dateline", 2)},
      {"torus", kTorus, "valiant", lanes("dateline", 2)},
      {"torus", kTorus, "valiant", lanes("crossing", 2)},
      {"mesh", kTwo, "adaptive", lanes("class", 1)},
      {"dragonfly", kGroups, "minimal", lanes("group", 1)},
      {"dragonfly", kGroups, "valiant-group", lanes("group", 2)},
      {"dragonfly", kGroups, "valiant", lanes("group", 3)},
      {"dragonfly", kGroups, "par", lanes("group", 3)},
      {"dragonfly-plus", kPlus, "valiant", lanes("class", 1)},
      {"jellyfish", kRandom, "minimal", lanes("class", 1)},
  };
}

}  // namespace heddle::network
