// A map of one's own of the global cables of a dragonfly or dragonfly+.
//
//     # everything behind a # is a comment
//     g0.s1 g4.s0      # a cable per line: the two switches, by group and number within it
//
// Cables are numbered in this order; of a dragonfly+ the switches are spines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "platform/topology/group_cables.hpp"

namespace heddle::platform {

/// What the kinds that take such a map have in common.
struct GlobalMapConfig {
  std::string file;
  std::string cables;  ///< The map itself.
};

/// What the cables have to fit to.
struct GlobalMapShape {
  std::string kind;                    ///< "dragonfly".
  std::optional<std::int64_t> groups;  ///< Not given: as many as the map names.
  std::int64_t switches;               ///< Of a group that may have such cables.
  std::int64_t per_switch;             ///< The most cables of one, ...
  std::string per_switch_name;         ///< ... and the parameter that says so.
};

struct GlobalMap {
  std::int64_t groups;
  std::vector<GroupCable> cables;
};

/// The map that the settings of the kind give as `global_file` or `global_cables`, if they do.
/// Throws InputError where it names what is not there, gives a switch too many cables, or leaves
/// two groups without one.
std::optional<GlobalMap> global_map(const GlobalMapConfig& config, const GlobalMapShape& shape,
                                    const Settings& settings);

/// Adds the parameters to the table of a kind.
template <class Config>
void add_global_map(ParamTable<Config>& table, std::string Config::*file,
                    std::string Config::*cables) {
  table.add_file("global_file", file, "",
                 "path of a map of global cables, from the machine's file: a line with two "
                 "switches (g0.s1 g4.s0) for each; without one they are circulant");
  table.add("global_cables", cables, "", {}, "the map itself, in the place of a file");
}

}  // namespace heddle::platform
