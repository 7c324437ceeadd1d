// Parameters of topologies that are a number of switches, each with as many nodes.
#pragma once

#include <cstdint>

#include "core/params.hpp"

namespace heddle::platform {

/// Switches in a row or all joined to each other.
struct SwitchesConfig {
  std::int64_t switches;
  std::int64_t nodes_per_switch;
};

inline ParamTable<SwitchesConfig> switches_table(const char* name, const char* about) {
  ParamTable<SwitchesConfig> t(name, about);
  t.add("switches", &SwitchesConfig::switches, "4", {"1", "1M"}, "number of switches");
  t.add("nodes_per_switch", &SwitchesConfig::nodes_per_switch, "2", {"1", "1M"},
        "nodes on each switch, in the order of their numbers");
  return t;
}

}  // namespace heddle::platform
