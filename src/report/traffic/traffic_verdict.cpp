#include "report/traffic/traffic_verdict.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"

namespace heddle::report {

std::string whole_percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string curve_sentence(const std::vector<LoadPoint>& loads) {
  const auto first =
      std::find_if(loads.begin(), loads.end(), [](const LoadPoint& p) { return p.saturated; });
  if (first == loads.end()) {
    return fmt::format("Everything that is offered arrives, up to {} of what nodes can inject.",
                       whole_percent(loads.back().asked));
  }
  double most = 0;
  for (const LoadPoint& point : loads) most = std::max(most, point.accepted);
  return fmt::format(
      "The fabric is saturated at {} of what nodes can inject: it never accepts more than {}.",
      whole_percent(first->asked), whole_percent(most));
}

std::string latency_sentence(const std::vector<LoadPoint>& loads) {
  const LoadPoint* low = nullptr;
  const LoadPoint* high = nullptr;
  for (const LoadPoint& point : loads) {
    if (!point.mean_latency) continue;
    if (low == nullptr) low = &point;
    high = &point;
  }
  if (low == high) return "";
  return fmt::format("A message takes {} in the mean at {} load, {} at {}.",
                     format_time(*low->mean_latency), whole_percent(low->asked),
                     format_time(*high->mean_latency), whole_percent(high->asked));
}

std::string makespan_sentence(std::uint64_t messages, Bytes bytes, Time time,
                              double bytes_per_second) {
  return fmt::format("{} messages of {} in all take {}, {:.3g} GB/s together.", messages,
                     format_bytes(bytes), format_time(time), bytes_per_second / 1e9);
}

Json loads_json(const std::vector<LoadPoint>& loads) {
  const auto ps_or_null = [](const std::optional<Time>& time) {
    return time ? Json(time->ps()) : Json(nullptr);
  };
  Json list = Json::array();
  for (const LoadPoint& point : loads) {
    list.push_back({{"load", point.asked},
                    {"accepted", point.accepted},
                    {"mean_latency_ps", ps_or_null(point.mean_latency)},
                    {"p99_latency_ps", ps_or_null(point.p99_latency)},
                    {"saturated", point.saturated}});
  }
  return list;
}

}  // namespace heddle::report
