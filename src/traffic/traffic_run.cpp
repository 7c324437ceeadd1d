#include "traffic/traffic_run.hpp"

#include <chrono>

#include "traffic/measured_run.hpp"
#include "traffic/open_run.hpp"
#include "traffic/pattern.hpp"

namespace heddle::traffic {
namespace {

/// Runs a workload to its end; `total` messages are expected.
TrafficResult run_to_end(const Sweep& sweep, Workload& workload, const std::vector<NodeId>& senders,
                         std::uint64_t total) {
  Run run(sweep, workload, {});
  for (const NodeId node : senders) run.add_sender(node);
  run.run_while(
      [] { return true; },
      [&] { return static_cast<double>(run.recorder().finished()) / static_cast<double>(total); });
  run.check_all_moves();
  run.stop_counting();
  TrafficResult result =
      run.result(run.recorder().last_finish(), static_cast<std::uint32_t>(senders.size()));
  result.offered = result.bytes;
  if (result.messages < total) {
    throw RunError(std::to_string(total - result.messages) + " of " + std::to_string(total) +
                   " messages never arrived");
  }
  return result;
}

TrafficResult run_closed(const Sweep& sweep, const Pattern& pattern, const RandomStream& random) {
  const std::vector<NodeId> senders = senders_of(pattern, sweep.platform.nodes());
  const auto messages =
      static_cast<std::uint64_t>(sweep.config.messages.value_or(pattern.usual_messages()));
  ClosedLoop workload({pattern, sweep.config, sweep.platform.nodes(), random},
                      sweep.platform.nodes(), messages,
                      static_cast<std::uint64_t>(sweep.config.window));
  return run_to_end(sweep, workload, senders, messages * senders.size());
}

TrafficResult run_file(const Sweep& sweep) {
  const std::vector<FileMessage> messages =
      read_traffic_file(sweep.config.file, sweep.platform.topology());
  FileLoop workload(messages, sweep.platform.nodes());
  std::vector<bool> sends(sweep.platform.nodes());
  for (const FileMessage& message : messages) sends[index(message.source)] = true;
  std::vector<NodeId> senders;
  for (std::uint32_t n = 0; n < sends.size(); ++n) {
    if (sends[n]) senders.push_back(NodeId{n});
  }
  return run_to_end(sweep, workload, senders, messages.size());
}

/// The pattern, on the grid of the machine if it has one and no other is asked for.
std::unique_ptr<const Pattern> pattern_for(TrafficConfig config, const platform::Platform& platform,
                                           const RandomStream& random) {
  if (config.grid == "auto") {
    std::string extents;
    for (const std::uint32_t extent : platform.topology().node_grid())
      extents += (extents.empty() ? "" : "x") + std::to_string(extent);
    if (!extents.empty()) config.grid = extents;
  }
  return make_pattern(config, platform.nodes(), random);
}

template <class Function>
TrafficResult timed(Sweep& sweep, Function run) {
  const auto start = std::chrono::steady_clock::now();
  TrafficResult result = run();
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++sweep.runs_done;
  sweep.events_done += result.events;
  sweep.report(0, 0);
  return result;
}

}  // namespace

std::vector<TrafficResult> run_traffic(const TrafficConfig& config,
                                       const platform::Platform& platform, std::string_view network,
                                       const Settings& settings, const TrafficWatch& watch) {
  Sweep sweep{config, platform, network, settings, watch};
  if (config.pattern == "file") return {timed(sweep, [&] { return run_file(sweep); })};
  const RandomStream random =
      RandomStream(static_cast<std::uint64_t>(config.seed)).split("traffic");
  const auto pattern = pattern_for(config, platform, random.split("pattern"));
  if (config.loop == Loop::closed)
    return {timed(sweep, [&] { return run_closed(sweep, *pattern, random); })};
  sweep.runs = config.load.list.size();
  std::vector<TrafficResult> results;
  for (const Load& load : config.load.list) {
    try {
      results.push_back(timed(sweep, [&] { return run_open(sweep, load, *pattern, random); }));
    } catch (const RunError& error) {
      if (results.empty()) throw;
      throw SweepError(error.what(), std::move(results));
    }
  }
  return results;
}

std::uint64_t combined_fingerprint(const std::vector<TrafficResult>& results) {
  std::uint64_t combined = 0;
  for (const TrafficResult& result : results)
    combined = combined * 0x9e3779b97f4a7c15ULL + result.fingerprint;
  return combined;
}

}  // namespace heddle::traffic
