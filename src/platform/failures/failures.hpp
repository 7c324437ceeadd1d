// What of a machine does not work from the start: cables, switches and adapters that are down, and
// cables that are slow. The section `failures` of a machine says which, by name or as a share of
// all that is drawn at random.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

struct FailuresConfig {
  std::string cables;
  std::string switches;
  std::string adapters;
  std::string degraded;
  double degraded_bandwidth = 1;
  std::int64_t seed = 1;

  bool any() const {
    return !cables.empty() || !switches.empty() || !adapters.empty() || !degraded.empty();
  }
};
const ParamTable<FailuresConfig>& failures_table();

struct Failures {
  std::vector<bool> down;               ///< By cable, those that carry nothing; empty: none.
  std::vector<std::uint32_t> degraded;  ///< Cables that are slow, ascending.
  std::uint32_t cables = 0;             ///< How many are down.
  bool any() const { return cables > 0; }
};

/// What the settings say of this fabric. A switch or an adapter that is down takes all its cables
/// with it. Throws InputError where a name stands for nothing, or cables have no fixed ends.
Failures find_failures(const FabricGraph& fabric, const Settings& settings);

}  // namespace heddle::platform
