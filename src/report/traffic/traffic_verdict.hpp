// What a study of traffic shows, in sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "core/time.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// One load of an open loop, in parts of what nodes can inject.
struct LoadPoint {
  double asked = 0;  ///< What random messages came to is a little beside it.
  double accepted = 0;
  bool saturated = false;
  std::optional<Time> mean_latency = {};  ///< Nothing where it is not measured.
  std::optional<Time> p99_latency = {};
};

/// What of the loads arrives. There must be one at least.
std::string curve_sentence(const std::vector<LoadPoint>& loads);
/// How long messages take at the lowest and the highest load; "" if fewer than two are measured.
std::string latency_sentence(const std::vector<LoadPoint>& loads);
/// How long all messages of a closed loop, or of a list, take.
std::string makespan_sentence(std::uint64_t messages, Bytes bytes, Time time,
                              double bytes_per_second);
/// The loads as summaries have them.
Json loads_json(const std::vector<LoadPoint>& loads);

/// "42 %".
std::string whole_percent(double share);

}  // namespace heddle::report
