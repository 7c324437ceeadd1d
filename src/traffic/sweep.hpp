// Runs at several loads.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/params.hpp"
#include "platform/platform.hpp"
#include "traffic/traffic_config.hpp"
#include "traffic/traffic_result.hpp"

namespace heddle::traffic {

/// The sweep: what all of its runs share.
struct Sweep {
  const TrafficConfig& config;
  const platform::Platform& platform;
  std::string_view network;
  const Settings& settings;
  const TrafficWatch& watch;
  std::size_t runs = 1;
  std::size_t runs_done = 0;
  std::uint64_t events_done = 0;
  bool in_own_process = false;  ///< Beside others.

  std::string name() const {
    return runs < 2 ? "" : "load " + std::to_string(runs_done + 1) + " of " + std::to_string(runs);
  }

  void report(double done_of_run, std::uint64_t events) const {
    if (!watch.progress) return;
    const double done =
        (static_cast<double>(runs_done) + std::min(done_of_run, 1.0)) / static_cast<double>(runs);
    watch.progress({done, events_done + events, name()});
  }
};

}  // namespace heddle::traffic
