// Runs synthetic traffic on a platform and says what came out.
#pragma once

#include <string_view>
#include <vector>

#include "traffic/traffic_result.hpp"

namespace heddle::traffic {

/// A sweep that could not go on: `finished` has the results of the loads before.
class SweepError : public RunError {
 public:
  SweepError(const std::string& problem, std::vector<TrafficResult> results)
      : RunError(problem), finished(std::move(results)) {}
  std::vector<TrafficResult> finished;
};

/// Runs the traffic: one result per load of an open loop, else one. With several seeds a load is
/// run with each of them, and the result has sums of counts, means of latencies and rates. To find
/// saturation the loads are chosen one after another; the results are in ascending order all the
/// same. Each run has a simulation and a
/// network of its own. Throws InputError if the traffic does not fit the platform, RunError if
/// messages are left that nothing moves; SweepError if loads before that one are done.
std::vector<TrafficResult> run_traffic(const TrafficConfig& config,
                                       const platform::Platform& platform, std::string_view network,
                                       const Settings& settings, const TrafficWatch& watch = {});

/// One number that stands for all runs: the fingerprint itself if there is one run only.
std::uint64_t combined_fingerprint(const std::vector<TrafficResult>& results);

}  // namespace heddle::traffic
