// What `heddle traffic` says of its runs: as text, CSV, JSON and a plot.
#pragma once

#include <string>
#include <vector>

#include "platform/machine.hpp"
#include "report/json.hpp"
#include "report/microseconds.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::report {

struct TrafficReport {
  const platform::Machine* machine = nullptr;  ///< Must outlive the report.
  std::string network;
  traffic::TrafficConfig config;
  std::vector<traffic::TrafficResult> results;
  std::string failure = {};  ///< Why later loads are missing, if they are.

  bool open_loop() const { return results.front().load.has_value(); }
};

std::string text_of(const TrafficReport& report);
std::string csv_of(const TrafficReport& report);
Json json_of(const TrafficReport& report);
/// What the sizes of messages are, as the user gave it; empty where a file says each.
std::string sizes_text(const TrafficReport& report);
/// One line that says what was simulated.
std::string subtitle_of(const TrafficReport& report);
/// Latency and accepted throughput against the offered load; for an open loop only.
std::string svg_of(const TrafficReport& report);
/// "fingerprint 0123456789abcdef" and a newline.
std::string fingerprint_of(const TrafficReport& report);

}  // namespace heddle::report
