// The page of `heddle traffic`.
#pragma once

#include "report/json.hpp"
#include "report/traffic/traffic_recording.hpp"
#include "report/traffic/traffic_report.hpp"

namespace heddle::report {

/// The document `heddle.summary/1` of a study of traffic. `links` are all that were used in its
/// last run, of which the recording is, busiest first.
Json traffic_summary(const TrafficReport& report, const std::vector<network::LinkUse>& links,
                     const TrafficRecording& recording);
/// What the page shows of it.
Json traffic_page(const TrafficReport& report, const std::vector<network::LinkUse>& links,
                  const TrafficRecording& recording);
/// The links of its last run on the fabric, as SVG.
std::string traffic_heat_map(const TrafficReport& report,
                             const std::vector<network::LinkUse>& links);

}  // namespace heddle::report
