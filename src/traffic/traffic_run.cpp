#include "traffic/traffic_run.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "core/forked_tasks.hpp"
#include "network/links/links_config.hpp"
#include "traffic/links_run.hpp"
#include "traffic/measured_run.hpp"
#include "traffic/open_run.hpp"
#include "traffic/packed_result.hpp"
#include "traffic/parts/divided_run.hpp"
#include "traffic/pattern.hpp"
#include "traffic/traffic_setup.hpp"

namespace heddle::traffic {
namespace {

bool is_links(const Sweep& sweep) {
  return sweep.network == network::kLinksName;
}

/// Runs a workload to its end; `total` messages are expected.
template <class AnyRun>
TrafficResult run_to_end(AnyRun& run, std::size_t senders, std::uint64_t total) {
  run.begin();
  run.run_to_end(total);
  run.check_all_moves();
  run.stop_counting(run.recorder().last_finish());
  TrafficResult result =
      run.result(run.recorder().last_finish(), static_cast<std::uint32_t>(senders));
  result.offered = result.bytes;
  if (result.messages < total) {
    throw RunError(std::to_string(total - result.messages) + " of " + std::to_string(total) +
                   " messages never arrived");
  }
  return result;
}

/// The same by one thread or several. Nodes of different parts ask the workload at the same time.
TrafficResult run_to_end(const Sweep& sweep, Workload& workload, const std::vector<NodeId>& senders,
                         std::uint64_t total, WorkloadKind kind) {
  Divided divided = divide(sweep, senders, kind);
  TrafficResult result;
  if (divided.division) {
    const std::vector<Workload*> same(divided.division->senders.size(), &workload);
    DividedRun run(sweep, same, {}, std::move(*divided.division), kind);
    result = run_to_end(run, senders.size(), total);
  } else {
    MeasuredRun run(sweep, senders, workload, {});
    result = run_to_end(run, senders.size(), total);
  }
  result.why_fewer = divided.why_fewer;
  return result;
}

TrafficResult run_closed(const Sweep& sweep, const Pattern& pattern, const RandomStream& random) {
  const std::vector<NodeId> senders = senders_of(pattern, sweep.platform.nodes());
  const auto messages =
      static_cast<std::uint64_t>(sweep.config.messages.value_or(pattern.usual_messages()));
  ClosedLoop workload({pattern, sweep.config, sweep.platform.nodes(), random},
                      sweep.platform.nodes(), messages,
                      static_cast<std::uint64_t>(sweep.config.window));
  WorkloadKind kind;
  kind.closed = true;
  return run_to_end(sweep, workload, senders, messages * senders.size(), kind);
}

TrafficResult run_file(const Sweep& sweep) {
  const std::vector<FileMessage> messages = read_named_by("traffic.file", [&] {
    return read_traffic_file(sweep.config.file, sweep.platform.topology());
  });
  if (is_links(sweep)) return run_file_links(sweep, messages);
  FileLoop workload(messages, sweep.platform.nodes());
  std::vector<bool> sends(sweep.platform.nodes());
  for (const FileMessage& message : messages) sends[index(message.source)] = true;
  std::vector<NodeId> senders;
  for (std::uint32_t n = 0; n < sends.size(); ++n) {
    if (sends[n]) senders.push_back(NodeId{n});
  }
  WorkloadKind kind;
  kind.numbered = true;
  return run_to_end(sweep, workload, senders, messages.size(), kind);
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

/// Adds the counts of another seed; times and bytes are summed alike, so that rates are means.
void add(TrafficResult& all, const TrafficResult& run) {
  all.messages += run.messages;
  all.unfinished += run.unfinished;
  all.bytes += run.bytes;
  all.offered += run.offered;
  all.accepted += run.accepted;
  all.packets += run.packets;
  all.losses += run.losses;
  all.measured += run.measured;
  all.warm_up = std::max(all.warm_up, run.warm_up);
  all.latency.min = std::min(all.latency.min, run.latency.min);
  all.latency.max = std::max(all.latency.max, run.latency.max);
  all.last_finish = std::max(all.last_finish, run.last_finish);
  all.saturated = all.saturated || run.saturated;
  all.threads = std::min(all.threads, run.threads);
  all.events += run.events;
  all.wall_seconds += run.wall_seconds;
}

/// The results of several seeds as one.
TrafficResult combined(const std::vector<TrafficResult>& runs) {
  TrafficResult all = runs.front();
  std::vector<double> means;
  std::vector<double> rates;
  std::vector<std::vector<FlowGroup>> flows;
  for (const TrafficResult& run : runs) {
    if (&run != &runs.front()) add(all, run);
    means.push_back(static_cast<double>(run.latency.mean.ps()));
    rates.push_back(run.accepted_per_second());
    flows.push_back(run.flows);
  }
  const auto mean_of = [&](Time LatencySummary::*which) {
    Time sum;
    for (const TrafficResult& run : runs) sum += run.latency.*which;
    return sum / static_cast<std::int64_t>(runs.size());
  };
  for (const auto which :
       {&LatencySummary::mean, &LatencySummary::p50, &LatencySummary::p95, &LatencySummary::p99}) {
    all.latency.*which = mean_of(which);
  }
  all.seeds = static_cast<std::int64_t>(runs.size());
  all.mean_latency = all.saturated ? Estimate{} : estimate(means);
  all.accepted_rate = estimate(rates);
  all.fingerprint = combined_fingerprint(runs);
  all.flows = combined_groups(flows);
  return all;
}

/// One load of an open loop with one seed.
struct Point {
  Load load;
  std::int64_t seed;
};

TrafficResult run_point(Sweep& sweep, const Point& point) {
  TrafficConfig config = sweep.config;
  config.seed = point.seed;
  const Sweep own{config,     sweep.platform,  sweep.network,     sweep.settings,      sweep.watch,
                  sweep.runs, sweep.runs_done, sweep.events_done, sweep.in_own_process};
  const RandomStream random =
      RandomStream(static_cast<std::uint64_t>(config.seed)).split("traffic");
  const auto pattern = pattern_for(config, sweep.platform, random.split("pattern"));
  // A load is the same in whatever sweep it is one.
  const RandomStream messages = config.load_streams == LoadStreams::shared
                                    ? random
                                    : random.split("load " + point.load.text());
  return timed(sweep, [&] {
    return is_links(own) ? run_open_links(own, point.load, *pattern, messages)
                         : run_open(own, point.load, *pattern, messages);
  });
}

/// What the processes of points results in, read as they end.
void gather(Sweep& sweep, ForkedTasks& tasks, std::vector<std::optional<TrafficResult>>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] || !tasks.result(i)) continue;
    results[i] = unpacked(*tasks.result(i));
    ++sweep.runs_done;
    sweep.events_done += results[i]->events;
  }
  sweep.report(0, 0);
}

/// Those that did not fail. Whoever is told of the progress may end it, as it may end one run.
std::vector<std::optional<TrafficResult>> run_at_once(Sweep& sweep,
                                                      const std::vector<Point>& points,
                                                      std::exception_ptr& ended) {
  std::vector<std::optional<TrafficResult>> results(points.size());
  TrafficWatch nobody;
  nobody.top_links = sweep.watch.top_links;
  nobody.threads = sweep.watch.threads;
  nobody.least_nodes = sweep.watch.least_nodes;
  nobody.least_events = sweep.watch.least_events;
  const auto task = [&](std::size_t number) {
    Sweep own{sweep.config, sweep.platform, sweep.network, sweep.settings, nobody};
    own.in_own_process = true;
    return packed(run_point(own, points[number]));
  };
  ForkedTasks tasks(task, points.size(), sweep.watch.jobs);
  try {
    while (tasks.wait()) gather(sweep, tasks, results);
    gather(sweep, tasks, results);
  } catch (...) {
    ended = std::current_exception();
  }
  return results;
}

/// Calls `take` with the result of each point in their order; throws where one fails. The last is
/// not run in a process of its own where somebody wants to look on.
template <class Take>
void run_points(Sweep& sweep, const std::vector<Point>& points, Take take) {
  if (sweep.watch.jobs < 2 || points.size() < 2 || sweep.watch.messages != nullptr) {
    for (const Point& point : points) take(run_point(sweep, point));
    return;
  }
  std::exception_ptr ended;
  std::vector<Point> others = points;
  if (sweep.watch.watcher != nullptr) others.pop_back();
  auto results = run_at_once(sweep, others, ended);
  results.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!results[i] && ended) std::rethrow_exception(ended);
    // A run that failed fails here again, and says why.
    take(results[i] ? *results[i] : run_point(sweep, points[i]));
  }
}

/// Each of the loads with each of the seeds. If a load cannot be run, those before it are kept.
std::vector<TrafficResult> run_loads(Sweep& sweep, const std::vector<Load>& loads) {
  std::vector<Point> points;
  for (const Load& load : loads) {
    for (std::int64_t s = 0; s < sweep.config.seeds; ++s) {
      points.push_back({load, sweep.config.seed + s});
    }
  }
  std::vector<TrafficResult> results;
  std::vector<TrafficResult> seeds;
  try {
    run_points(sweep, points, [&](TrafficResult result) {
      seeds.push_back(std::move(result));
      if (seeds.size() < static_cast<std::size_t>(sweep.config.seeds)) return;
      results.push_back(seeds.size() == 1 ? seeds.front() : combined(seeds));
      seeds.clear();
    });
  } catch (const RunError& error) {
    if (results.empty()) throw;
    throw SweepError(error.what(), std::move(results));
  }
  return results;
}

std::vector<TrafficResult> run_loads(Sweep& sweep) {
  sweep.runs = sweep.config.load.list.size() * static_cast<std::size_t>(sweep.config.seeds);
  return run_loads(sweep, sweep.config.load.list);
}

TrafficResult run_load(Sweep& sweep, const Load& load) {
  return run_loads(sweep, {load}).front();
}

/// Halves the interval between a load that is carried and one that is not. Who looks on sees the
/// highest load.
std::vector<TrafficResult> find_saturation(Sweep& sweep) {
  constexpr int kHalvings = 7;
  sweep.runs = (1 + kHalvings) * static_cast<std::size_t>(sweep.config.seeds);
  std::vector<TrafficResult> results;
  double carried = 0;
  double saturated = 1;
  results.push_back(run_load(sweep, Load::fraction(saturated)));
  TrafficWatch unseen = sweep.watch;
  unseen.watcher = nullptr;
  Sweep rest{sweep.config, sweep.platform, sweep.network,   sweep.settings,
             unseen,       sweep.runs,     sweep.runs_done, sweep.events_done};
  for (int i = 0; i < kHalvings && results.front().saturated; ++i) {
    const double middle = (carried + saturated) / 2;
    results.push_back(run_load(rest, Load::fraction(middle)));
    (results.back().saturated ? saturated : carried) = middle;
  }
  std::sort(results.begin(), results.end(),
            [](const TrafficResult& a, const TrafficResult& b) { return *a.load < *b.load; });
  return results;
}

}  // namespace

std::vector<TrafficResult> run_traffic(const TrafficConfig& asked,
                                       const platform::Platform& platform, std::string_view network,
                                       const Settings& settings, const TrafficWatch& watch) {
  const TrafficConfig config = complete(asked);
  Sweep sweep{config, platform, network, settings, watch};
  if (config.pattern == "file") return {timed(sweep, [&] { return run_file(sweep); })};
  if (config.loop == Loop::open) {
    return config.find_saturation ? find_saturation(sweep) : run_loads(sweep);
  }
  if (is_links(sweep)) {
    throw ParamError({"traffic.loop"},
                     "links has to know beforehand when messages are sent: accepted are loop open, "
                     "a traffic file, or another network for loop closed");
  }
  const RandomStream random =
      RandomStream(static_cast<std::uint64_t>(config.seed)).split("traffic");
  const auto pattern = pattern_for(config, platform, random.split("pattern"));
  return {timed(sweep, [&] { return run_closed(sweep, *pattern, random); })};
}

std::uint64_t combined_fingerprint(const std::vector<TrafficResult>& results) {
  std::uint64_t combined = 0;
  for (const TrafficResult& result : results) {
    combined = combined * 0x9e3779b97f4a7c15ULL + result.fingerprint;
  }
  return combined;
}

}  // namespace heddle::traffic
