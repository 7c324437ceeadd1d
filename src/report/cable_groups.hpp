// The cables of a machine by group: what tables and drawings say about them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::report {

/// Cables that the topology calls by the same name, and the range of their parameters.
struct CableGroup {
  std::string name;
  std::uint32_t cables = 0;
  Bandwidth min_bandwidth;  ///< Unlimited counts as the largest.
  Bandwidth max_bandwidth;
  Time min_latency;
  Time max_latency;

  std::string bandwidth_text() const;  ///< "100 Gb/s", or "50 Gb/s .. 100 Gb/s".
  std::string latency_text() const;
};

/// "a", or "a .. b" if the two differ.
std::string range_text(const std::string& low, const std::string& high);

/// Every group, in the order of their first cables, and the group of each cable.
struct CableGroups {
  std::vector<CableGroup> groups;
  std::vector<std::uint32_t> of_cable;
};

CableGroups cable_groups(const platform::Platform& platform);

}  // namespace heddle::report
