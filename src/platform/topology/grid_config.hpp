// Parameters of topologies whose switches stand on a grid.
#pragma once

#include <cstdint>
#include <vector>

#include "core/params.hpp"

namespace heddle::platform {

struct GridConfig {
  std::vector<std::int64_t> dims;
  std::int64_t nodes_per_switch;
  std::vector<std::int64_t> multiplicity;
};

inline ParamTable<GridConfig> grid_table(const char* name, const char* about, const char* dims) {
  ParamTable<GridConfig> t(name, about);
  t.add("dims", &GridConfig::dims, dims, {}, "switches along each dimension");
  t.add("nodes_per_switch", &GridConfig::nodes_per_switch, "1", {"1", "1M"},
        "nodes on each switch");
  return t;
}

}  // namespace heddle::platform
