// What text, CSV and JSON say alike of a run of traffic.
#pragma once

#include "traffic/traffic_result.hpp"

namespace heddle::report {

inline double per_sender(const traffic::TrafficResult& result, double bytes_per_second) {
  return result.senders == 0 ? 0 : bytes_per_second / result.senders;
}

/// Whether there was any message.
inline bool has_latency(const traffic::TrafficResult& r) {
  return r.messages + r.unfinished > 0;
}

/// Beyond saturation the times are ages of messages that had not arrived: no latencies.
inline bool is_measured(const traffic::TrafficResult& r) {
  return has_latency(r) && !r.saturated;
}

}  // namespace heddle::report
