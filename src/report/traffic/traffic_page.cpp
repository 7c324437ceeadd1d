#include "report/traffic/traffic_page.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"
#include "report/fabric_map.hpp"
#include "report/queue_series.hpp"
#include "report/recorded_run.hpp"
#include "report/traffic/traffic_verdict.hpp"

namespace heddle::report {
namespace {

using traffic::TrafficResult;

constexpr double kFullLink = 0.9;
constexpr std::size_t kMostPageLinks = 100;

LinkUses uses_of_links(const std::vector<network::LinkUse>& links) {
  LinkUses uses;
  for (const network::LinkUse& use : links) {
    if (index(use.link) >= uses.size()) uses.resize(index(use.link) + 1);
    uses[index(use.link)] = use.utilisation;
  }
  return uses;
}

/// The load that was asked for, as a part of what nodes can inject: what random messages came to
/// is a little beside it.
double asked_part(const TrafficResult& r) {
  if (r.load->parts > 0) return static_cast<double>(r.load->parts) / traffic::Load::kWhole;
  return r.fraction(r.load->rate.bytes_per_ps() * 1e12 * r.senders);
}
double accepted_part(const TrafficResult& r) {
  return r.fraction(r.accepted_per_second());
}

/// The loads of an open loop; none of a closed one.
std::vector<LoadPoint> loads_of(const TrafficReport& report) {
  std::vector<LoadPoint> loads;
  if (!report.open_loop()) return loads;
  for (const TrafficResult& r : report.results) {
    LoadPoint& point = loads.emplace_back(LoadPoint{asked_part(r), accepted_part(r), r.saturated});
    if (r.messages == 0 || r.saturated) continue;
    point.mean_latency = r.latency.mean;
    point.p99_latency = r.latency.p99;
  }
  return loads;
}

std::string link_sentence(const platform::Platform& platform,
                          const std::vector<network::LinkUse>& links, bool open) {
  const auto full = static_cast<std::size_t>(std::count_if(
      links.begin(), links.end(), [](const auto& u) { return u.utilisation >= kFullLink; }));
  std::string text = fmt::format(
      "{}link {} is busiest, {} of its time", open ? "At the highest load " : "",
      platform.links().name(links.front().link), whole_percent(links.front().utilisation));
  if (full > 1) {
    text += fmt::format("; {} of {} links that are used are over 90 % busy", full, links.size());
  }
  if (links.front().utilisation < kFullLink / 2) {
    text += ": no link is near its limit, so it is routes, ends or latencies that count";
  }
  if (!open) text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

std::vector<std::string> sentences(const TrafficReport& report,
                                   const std::vector<network::LinkUse>& links) {
  std::vector<std::string> list;
  const std::vector<LoadPoint> loads = loads_of(report);
  if (report.open_loop()) {
    list.push_back(curve_sentence(loads));
  } else {
    const TrafficResult& r = report.results.front();
    list.push_back(makespan_sentence(r.messages, r.bytes, r.last_finish, r.accepted_per_second()));
  }
  if (!links.empty()) {
    list.push_back(link_sentence(*report.machine->platform, links, report.open_loop()));
  }
  const std::string latency = latency_sentence(loads);
  if (!latency.empty()) list.push_back(latency);
  if (!report.failure.empty()) list.push_back("Later loads are missing: " + report.failure);
  return list;
}

/// How the links were used, and most in a slice of time.
std::vector<record::LinkFact> facts_of(const platform::Platform& platform,
                                       const std::vector<network::LinkUse>& links,
                                       const TrafficRecording& recording) {
  std::vector<record::LinkFact> facts;
  for (const network::LinkUse& use : links) {
    const auto number = static_cast<std::uint32_t>(index(use.link));
    const double rate = platform.links()[use.link].bandwidth.bytes_per_ps();
    const double peak = rate > 0 ? peak_of(recording.samples(), number, rate, recording.end()) : 0;
    facts.push_back({number, platform.links().name(use.link), use.bytes.count(), use.utilisation,
                     std::max(use.utilisation, peak)});
  }
  return facts;
}

Json links_list(const std::vector<record::LinkFact>& links) {
  Json list = Json::array();
  for (const record::LinkFact& fact : links) {
    if (list.size() == kMostPageLinks) break;
    Json& entry = list.emplace_back();
    entry["link"] = fact.name;
    entry["bytes"] = fact.bytes;
    entry["utilisation"] = fact.utilisation;
    entry["peak"] = fact.peak;
    put(entry, "path_bandwidth", Time::zero());
    put(entry, "path_contention", Time::zero());
  }
  return list;
}

/// The last run as it went by; of an open loop, what was measured of it.
Json flow_of(const TrafficResult& last, const TrafficRecording& recording) {
  Json flow = recording.flow_json();
  flow["capacity"] = last.injection;
  flow["load"] = last.load ? Json(asked_part(last)) : nullptr;
  if (last.load) {
    flow["window"] = {last.warm_up.ps(), (last.warm_up + last.measured / last.seeds).ps()};
  }
  return flow;
}

}  // namespace

Json traffic_summary(const TrafficReport& report, const std::vector<network::LinkUse>& links,
                     const TrafficRecording& recording) {
  Json document = new_document("heddle.summary/1");
  const TrafficResult& last = report.results.back();
  document["kind"] = "traffic";
  document["title"] = subtitle_of(report);
  document["platform"] = report.machine->platform->name();
  document["machine"] = report.machine->title();
  document["network"] = report.network;
  document["fidelity"] = "network " + report.network;
  document["ranks"] = last.senders;
  document["nodes"] = report.machine->platform->nodes();
  Time time;
  double wall = 0;
  std::uint64_t messages = 0;
  std::int64_t bytes = 0;
  for (const TrafficResult& r : report.results) {
    time += r.load ? r.measured : r.last_finish;
    wall += r.wall_seconds;
    messages += r.messages;
    bytes += r.bytes.count();
  }
  put(document, "time", time);
  document["wall_s"] = wall;
  document["slowdown"] = time > Time::zero() ? wall / time.seconds() : 0.0;
  document["cause"] = !links.empty() && links.front().utilisation >= kFullLink ? "link" : "latency";
  document["verdict"] = sentences(report, links);
  document["messages"] = messages;
  document["bytes"] = bytes;
  document["sizes"] = sizes_json(recording.by_size());
  document["links"] = links_list(facts_of(*report.machine->platform, links, recording));
  document["loads"] = loads_json(loads_of(report));
  document["queues"] = queues_json(recording.waits(), *report.machine->platform, recording.end());
  document["parameters"] = Json::object();
  document["configuration"] = report.machine->config();
  document["command"] = {"traffic"};
  return document;
}

Json traffic_page(const TrafficReport& report, const std::vector<network::LinkUse>& links,
                  const TrafficRecording& recording) {
  const platform::Platform& platform = *report.machine->platform;
  Json data;
  data["summary"] = traffic_summary(report, links, recording);
  data["fabric"] = fabric_json(platform, uses_of_links(links));
  data["matrix"] = matrix_json(recording.group(), recording.groups(), recording.matrix());
  data["series"] = series_json(recording.samples(), platform, facts_of(platform, links, recording),
                               recording.end());
  data["flow"] = flow_of(report.results.back(), recording);
  return data;
}

std::string traffic_heat_map(const TrafficReport& report,
                             const std::vector<network::LinkUse>& links) {
  return heat_map_svg(*report.machine->platform, uses_of_links(links),
                      subtitle_of(report) + ": use of links");
}

}  // namespace heddle::report
