#include "report/recorded_run.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

double slice_length(const record::LinkSamples& samples, std::size_t slice, Time end) {
  const std::int64_t begin = samples.slice().ps() * static_cast<std::int64_t>(slice);
  return static_cast<double>(
      std::max<std::int64_t>(1, std::min(samples.slice().ps(), end.ps() - begin)));
}

/// Busiest first; of those that are about as busy, first what the path owes more to.
void sort_links(std::vector<record::LinkFact>& facts, const record::CriticalPath& path) {
  const auto owed = [&](const record::LinkFact& fact) {
    const auto found = path.links.find(fact.link);
    return found == path.links.end() ? Time::zero()
                                     : found->second.bandwidth + found->second.contention;
  };
  const auto percent = [](const record::LinkFact& fact) {
    return std::round(100 * fact.utilisation);
  };
  std::stable_sort(facts.begin(), facts.end(),
                   [&](const record::LinkFact& a, const record::LinkFact& b) {
                     if (percent(a) != percent(b)) return percent(a) > percent(b);
                     if (owed(a) != owed(b)) return owed(a) > owed(b);
                     if (a.utilisation != b.utilisation) return a.utilisation > b.utilisation;
                     return a.bytes > b.bytes;
                   });
}

std::vector<record::LinkFact> link_facts(const record::Recording& recorder,
                                         const platform::Platform& platform) {
  const record::LinkSamples& samples = recorder.links();
  const auto length = static_cast<double>(std::max<std::int64_t>(1, recorder.end().ps()));
  std::vector<record::LinkFact> facts;
  samples.total().for_each_used([&](std::size_t number, std::int64_t bytes) {
    if (bytes <= 0) return;
    const auto l = static_cast<std::uint32_t>(number);
    const double rate = platform.links()[LinkId{l}].bandwidth.bytes_per_ps();
    record::LinkFact fact{l, platform.links().name(LinkId{l}), bytes};
    fact.bus = l >= platform.topology().links() && !platform.links().is_loopback(LinkId{l});
    if (rate > 0) {
      fact.utilisation = std::min(1.0, static_cast<double>(bytes) / (rate * length));
      fact.peak = std::max(fact.utilisation, peak_of(samples, l, rate, recorder.end()));
    }
    facts.push_back(std::move(fact));
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

void limit_blame(record::CriticalPath& path, const std::vector<record::LinkFact>& facts) {
  for (const record::LinkFact& fact : facts) {
    const auto found = path.links.find(fact.link);
    if (found == path.links.end()) continue;
    record::PathLink& link = found->second;
    const Time owed = link.bandwidth + link.contention;
    const Time busy = Time::ps(
        static_cast<std::int64_t>(static_cast<double>(path.length.ps()) * fact.utilisation));
    if (owed <= busy) continue;
    link.contention = std::max(busy - link.bandwidth, Time::zero());
    link.if_twice = std::min(link.if_twice, busy / 2);
  }
}

double peak_of(const record::LinkSamples& samples, std::uint32_t link, double bytes_per_ps,
               Time end) {
  double peak = 0;
  for (std::size_t s = 0; s < samples.slices(); ++s) {
    peak = std::max(peak, static_cast<double>(samples.bytes(s, link)) /
                              (bytes_per_ps * slice_length(samples, s, end)));
  }
  return std::min(peak, 1.0);
}

RecordedRun analyse(RunFacts facts, record::Recording& recorder, const platform::Platform* platform,
                    const record::CostOf& cost_of) {
  RecordedRun run;
  run.facts = std::move(facts);
  run.platform = platform;
  run.recorder = &recorder;
  run.path = record::find_critical_path(recorder, cost_of);
  record::OverviewConfig config;
  config.first_ranks = ranks_on_path(run.path);
  run.overview = record::make_overview(recorder, config);
  if (platform != nullptr) {
    run.links = {link_facts(recorder, *platform), platform->topology().links()};
    limit_blame(run.path, run.links.used);
    sort_links(run.links.used, run.path);
  }
  run.efficiency = record::find_efficiency(recorder);
  run.findings = record::find_limits(run.path, run.overview, run.links, run.efficiency);
  if (!run.facts.programs.empty()) judge_programs(run, recorder, cost_of);
  for (const std::string& sentence : {run.facts.sampled, run.facts.left_out}) {
    if (sentence.empty()) continue;
    run.findings.sentences.insert(run.findings.sentences.begin(), sentence);
  }
  return run;
}

}  // namespace heddle::report
