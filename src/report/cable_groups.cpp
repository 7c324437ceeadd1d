#include "report/cable_groups.hpp"

#include <algorithm>
#include <map>

#include "core/units.hpp"

namespace heddle::report {
namespace {

bool narrower(Bandwidth a, Bandwidth b) {
  return a != b && tighter(a, b) == a;
}

void widen(CableGroup& group, const platform::LinkParams& cable) {
  if (narrower(cable.bandwidth, group.min_bandwidth)) group.min_bandwidth = cable.bandwidth;
  if (narrower(group.max_bandwidth, cable.bandwidth)) group.max_bandwidth = cable.bandwidth;
  group.min_latency = std::min(group.min_latency, cable.latency);
  group.max_latency = std::max(group.max_latency, cable.latency);
  ++group.cables;
}

}  // namespace

std::string range_text(const std::string& low, const std::string& high) {
  return low == high ? low : low + " .. " + high;
}

std::string CableGroup::bandwidth_text() const {
  return range_text(format_bandwidth(min_bandwidth), format_bandwidth(max_bandwidth));
}

std::string CableGroup::latency_text() const {
  return range_text(format_time(min_latency), format_time(max_latency));
}

CableGroups cable_groups(const platform::Platform& platform) {
  const std::uint32_t cables = platform.topology().cables();
  CableGroups result;
  std::map<std::string, std::uint32_t> numbers;
  for (std::uint32_t cable = 0; cable < cables; ++cable) {
    const std::string name = platform.topology().cable_group(cable);
    const platform::LinkParams& params = platform.cable(cable);
    const auto [it, is_new] =
        numbers.try_emplace(name, static_cast<std::uint32_t>(result.groups.size()));
    if (is_new) {
      result.groups.push_back(
          {name, 0, params.bandwidth, params.bandwidth, params.latency, params.latency});
    }
    widen(result.groups[it->second], params);
    result.of_cable.push_back(it->second);
  }
  return result;
}

}  // namespace heddle::report
