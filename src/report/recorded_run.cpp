#include "report/recorded_run.hpp"

#include <algorithm>

namespace heddle::report {
namespace {

double slice_length(const record::LinkSamples& samples, std::size_t slice, Time end) {
  const std::int64_t begin = samples.slice().ps() * static_cast<std::int64_t>(slice);
  return static_cast<double>(
      std::max<std::int64_t>(1, std::min(samples.slice().ps(), end.ps() - begin)));
}

std::vector<record::LinkFact> link_facts(const record::RunRecorder& recorder,
                                         const platform::Platform& platform) {
  const record::LinkSamples& samples = recorder.links();
  const auto length = static_cast<double>(std::max<std::int64_t>(1, recorder.end().ps()));
  std::vector<record::LinkFact> facts;
  for (std::uint32_t l = 0; l < samples.total().size(); ++l) {
    const std::int64_t bytes = samples.total()[l];
    if (bytes <= 0) continue;
    const double rate = platform.link(LinkId{l}).bandwidth.bytes_per_ps();
    record::LinkFact fact{l, platform.link_name(LinkId{l}), bytes};
    if (rate > 0) {
      fact.utilisation = std::min(1.0, static_cast<double>(bytes) / (rate * length));
      fact.peak = std::max(fact.utilisation, peak_of(samples, l, rate, recorder.end()));
    }
    facts.push_back(std::move(fact));
  }
  std::stable_sort(
      facts.begin(), facts.end(), [](const record::LinkFact& a, const record::LinkFact& b) {
        return a.utilisation != b.utilisation ? a.utilisation > b.utilisation : a.bytes > b.bytes;
      });
  return facts;
}

/// Ranks on the path, those with most of it first.
std::vector<std::uint32_t> ranks_on_path(const record::CriticalPath& path) {
  std::vector<std::pair<Time, std::uint32_t>> order;
  for (std::uint32_t r = 0; r < path.by_rank.size(); ++r) {
    Time sum;
    for (const Time part : path.by_rank[r]) sum += part;
    if (sum > Time::zero()) order.emplace_back(sum, r);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::uint32_t> ranks;
  for (const auto& [sum, rank] : order) ranks.push_back(rank);
  return ranks;
}

}  // namespace

double peak_of(const record::LinkSamples& samples, std::uint32_t link, double bytes_per_ps,
               Time end) {
  double peak = 0;
  for (std::size_t s = 0; s < samples.slices(); ++s) {
    peak = std::max(peak, static_cast<double>(samples.bytes(s, link)) /
                              (bytes_per_ps * slice_length(samples, s, end)));
  }
  return std::min(peak, 1.0);
}

RecordedRun analyse(RunFacts facts, const record::RunRecorder& recorder,
                    const platform::Platform* platform, const record::CostOf& cost_of) {
  RecordedRun run;
  run.facts = std::move(facts);
  run.platform = platform;
  run.recorder = &recorder;
  run.path = record::find_critical_path(recorder, cost_of);
  record::OverviewConfig config;
  config.first_ranks = ranks_on_path(run.path);
  run.overview = record::make_overview(recorder, config);
  if (platform != nullptr) run.links = link_facts(recorder, *platform);
  run.findings = record::find_limits(run.path, run.overview, run.links);
  if (!run.facts.left_out.empty()) {
    run.findings.sentences.insert(run.findings.sentences.begin(), run.facts.left_out);
  }
  return run;
}

record::WayCost way_cost(const platform::Platform& platform, NodeId from, NodeId to,
                         platform::Port port, std::int64_t bytes) {
  record::WayCost cost;
  cost.bytes = bytes;
  platform::Walk walk = platform.walk({from, port}, {to, port}, 0);
  const platform::NoLoads idle;
  constexpr std::size_t kMost = 1000;
  for (LinkId link = platform.next(walk, idle); link != kNoLink && cost.links.size() < kMost;
       link = platform.next(walk, idle)) {
    const platform::Link& passed = platform.link(link);
    const bool bus = index(link) >= platform.topology().links() && !platform.is_loopback(link);
    (bus ? cost.bus_latency : cost.latency) += platform.latency(walk, link);
    const Bandwidth rate = tighter(passed.bandwidth, passed.flow_cap);
    cost.links.push_back({static_cast<std::uint32_t>(index(link)), rate.bytes_per_ps(), bus});
  }
  return cost;
}

}  // namespace heddle::report
