// Completion times and slowdowns of flows by size, as `heddle traffic` tells of them.
#pragma once

#include <string>

#include "report/traffic/traffic_report.hpp"

namespace heddle::report {

/// Whether slowdowns were measured of any flows.
bool has_flows(const TrafficReport& report);
/// A table of groups of flows; empty if there are none. `of` follows "by size" in its heading.
std::string flows_text(const std::vector<traffic::FlowGroup>& groups, const std::string& of);
/// A line for each load and each group of sizes.
std::string flows_csv(const TrafficReport& report);
Json flows_json(const std::vector<traffic::FlowGroup>& groups);
/// Slowdown against size, a plot for its 99th percentile and one for its median, a curve per load.
std::string flows_svg(const TrafficReport& report);

}  // namespace heddle::report
