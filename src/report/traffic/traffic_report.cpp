#include "report/traffic/traffic_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "report/losses.hpp"
#include "report/packet_counts.hpp"
#include "report/repeat.hpp"
#include "report/table.hpp"
#include "report/traffic/flow_report.hpp"
#include "report/traffic/link_report.hpp"
#include "report/traffic/run_figures.hpp"

namespace heddle::report {
namespace {

using traffic::TrafficResult;
using Latency = traffic::LatencySummary;

std::string gigabytes(double bytes_per_second) {
  return fmt::format("{:.4g}", bytes_per_second / 1e9);
}

/// The largest mean latency that means something: of the runs that are not saturated.
Time longest_mean(const TrafficReport& report) {
  Time longest;
  for (const TrafficResult& result : report.results) {
    if (!result.saturated) longest = std::max(longest, result.latency.mean);
  }
  return longest;
}

std::string latency_bar(const TrafficResult& result, Time longest) {
  if (result.saturated) return "saturated";
  return longest == Time::zero() ? ""
                                 : bar(microseconds(result.latency.mean) / microseconds(longest));
}

std::string offered_text(const TrafficResult& result) {
  return result.load->parts == 0 ? format_bandwidth(result.load->rate) : result.load->text();
}

/// A latency of the result's, if there was any message; marked where it is a lower bound.
std::string latency_us(const TrafficResult& r, Time Latency::*which) {
  if (!has_latency(r)) return "-";
  return (r.unfinished > 0 ? ">" : "") + short_us(r.latency.*which);
}

/// In the unit of what is offered.
std::string accepted_text(const TrafficResult& result) {
  if (result.load->parts == 0) {
    const double bits = 8 * per_sender(result, result.accepted_per_second());
    return bits < 1 ? "0" : format_bandwidth(Bandwidth::bits_per_second(std::llround(bits)));
  }
  const double accepted = result.fraction(result.accepted_per_second());
  return accepted < 0.01 ? fmt::format("{:.3g}", accepted) : fmt::format("{:.3f}", accepted);
}

/// Half of the 95 % interval of what is accepted, in the unit of what is offered.
std::string accepted_error(const TrafficResult& result) {
  if (!result.accepted_rate.known()) return "-";
  if (result.load->parts != 0) {
    return fmt::format("{:.2g}", result.fraction(result.accepted_rate.half_width));
  }
  const double bits = 8 * per_sender(result, result.accepted_rate.half_width);
  return bits < 1 ? "0" : format_bandwidth(Bandwidth::bits_per_second(std::llround(bits)));
}

/// Half of the 95 % interval of the mean latency.
std::string mean_error_us(const TrafficResult& result) {
  const traffic::Estimate& mean = result.mean_latency;
  return mean.known() ? fmt::format("{:.2g}", mean.half_width / 1e6) : "-";
}

/// Whether packets may overtake each other: then it is told how many did.
bool tells_order(const TrafficReport& report) {
  return report.results.front().packets.arrived > 0 &&
         report.machine->platform->routing().choice() != platform::RouteChoice::fixed;
}

std::string out_of_order_text(const TrafficResult& r) {
  if (r.packets.arrived == 0) return "-";
  const double part =
      static_cast<double>(r.packets.out_of_order) / static_cast<double>(r.packets.arrived);
  return fmt::format("{} ({:.2g} %)", r.packets.out_of_order, 100 * part);
}

Table sweep_table(const TrafficReport& report) {
  std::vector<Column> columns = {
      {"offered", Align::right},       {"accepted", Align::right}, {"+-", Align::right},
      {"GB/s_per_node", Align::right}, {"messages", Align::right}, {"unfinished", Align::right},
      {"mean_us", Align::right},       {"+-us", Align::right},     {"p50_us", Align::right},
      {"p95_us", Align::right},        {"p99_us", Align::right},   {"max_us", Align::right},
      {"mean latency", Align::left}};
  const bool order = tells_order(report);
  if (order) columns.insert(columns.end() - 1, {"out_of_order", Align::right});
  Table table(columns);
  const Time longest = longest_mean(report);
  for (const TrafficResult& r : report.results) {
    std::vector<std::string> cells = {offered_text(r),
                                      accepted_text(r),
                                      accepted_error(r),
                                      gigabytes(per_sender(r, r.accepted_per_second())),
                                      std::to_string(r.messages),
                                      std::to_string(r.unfinished),
                                      latency_us(r, &Latency::mean),
                                      mean_error_us(r),
                                      latency_us(r, &Latency::p50),
                                      latency_us(r, &Latency::p95),
                                      latency_us(r, &Latency::p99),
                                      latency_us(r, &Latency::max),
                                      latency_bar(r, longest)};
    if (order) cells.insert(cells.end() - 1, out_of_order_text(r));
    table.add(std::move(cells));
  }
  return table;
}

std::string whole_run_text(const TrafficReport& report) {
  const TrafficResult& r = report.results.front();
  std::vector<Column> columns = {
      {"messages", Align::right}, {"bytes", Align::right},           {"makespan_us", Align::right},
      {"GB/s", Align::right},     {"GB/s_per_sender", Align::right}, {"mean_us", Align::right},
      {"min_us", Align::right},   {"p50_us", Align::right},          {"p95_us", Align::right},
      {"p99_us", Align::right},   {"max_us", Align::right}};
  const double rate = r.accepted_per_second();
  std::vector<std::string> cells = {std::to_string(r.messages),     std::to_string(r.bytes.count()),
                                    short_us(r.last_finish),        gigabytes(rate),
                                    gigabytes(per_sender(r, rate)), latency_us(r, &Latency::mean),
                                    latency_us(r, &Latency::min),   latency_us(r, &Latency::p50),
                                    latency_us(r, &Latency::p95),   latency_us(r, &Latency::p99),
                                    latency_us(r, &Latency::max)};
  if (tells_order(report)) {
    columns.push_back({"out_of_order", Align::right});
    cells.push_back(out_of_order_text(r));
  }
  Table table(columns);
  table.add(std::move(cells));
  return table.text();
}

std::string traffic_text(const TrafficReport& report) {
  const traffic::TrafficConfig& c = report.config;
  if (c.pattern == "file") return "traffic of " + c.file;
  const auto& table = traffic::traffic_table();
  std::string text = fmt::format("{} traffic, messages of {}", c.pattern, sizes_text(report));
  if (c.spacing == traffic::Spacing::log_normal && report.open_loop()) {
    return text + fmt::format(", log-normal spacing of sigma {:g}", c.spacing_sigma);
  }
  if (!report.open_loop()) return text + fmt::format(", {} in flight per node", c.window);
  return text + fmt::format(", {} spacing", table.get(c, *table.find("spacing")));
}

/// The seeds, and what the table's intervals come from.
std::string seeds_text(const TrafficReport& report) {
  const traffic::TrafficConfig& c = report.config;
  if (!report.open_loop()) return fmt::format("seed {}", c.seed);
  if (c.seeds == 1) {
    return fmt::format("seed {}; +- is half of a 95 % interval, by batches", c.seed);
  }
  return fmt::format("seeds {} to {}; +- is half of a 95 % interval, by seeds", c.seed,
                     c.seed + c.seeds - 1);
}

std::string heading(const TrafficReport& report) {
  return fmt::format("{}, network {}\n{}, {}\n\n", report.machine->title(), report.network,
                     traffic_text(report), seeds_text(report));
}

/// Of the last run that is not saturated, or of the first.
const TrafficResult& telling_run(const TrafficReport& report) {
  for (auto it = report.results.rbegin(); it != report.results.rend(); ++it) {
    if (!it->saturated) return *it;
  }
  return report.results.front();
}

std::string telling_flows_text(const TrafficReport& report) {
  const TrafficResult& run = telling_run(report);
  return flows_text(run.flows, run.load ? " at load " + offered_text(run) : "");
}

std::string links_text(const TrafficReport& report) {
  const TrafficResult& run = telling_run(report);
  const platform::Platform& platform = *report.machine->platform;
  const std::string at = run.load ? " at load " + offered_text(run) : "";
  return losses_text(platform, run.losses, at) + busiest_text(platform, run.busiest, at);
}

/// What became of packets on their way, where it is not only that they arrived.
std::string packets_text(const TrafficReport& report) {
  std::string text;
  for (const TrafficResult& r : report.results) {
    const std::string words = packets_words(r.packets);
    if (words.empty()) continue;
    text += fmt::format("Packets{}: {}.\n", r.load ? " at load " + offered_text(r) : "", words);
  }
  return text.empty() ? text : "\n" + text;
}

/// Of links that were looked at alone.
std::string links_alone_text(const TrafficReport& report) {
  std::string text;
  for (const TrafficResult& r : report.results) {
    if (r.links_simulated == 0) continue;
    const std::string load = r.load ? " at load " + offered_text(r) : "";
    text += fmt::format("Links{}: {} simulated, each alone", load, r.links_simulated);
    if (r.links_alike > 0) text += fmt::format("; {} taken to be like these", r.links_alike);
    text += ". Buffers hold everything.\n";
  }
  return text.empty() ? text : "\n" + text;
}

/// What the marks of lower bounds mean, where there are any.
std::string bounds_text(const TrafficReport& report) {
  const bool any = std::any_of(report.results.begin(), report.results.end(),
                               [](const TrafficResult& r) { return r.unfinished > 0; });
  return any ? "A latency marked > is a lower bound: unfinished messages count with the time that "
               "they had taken\nwhen the run ended.\n"
             : "";
}

/// The lowest saturated load, and the most that was accepted at any.
std::string saturation_text(const TrafficReport& report) {
  const TrafficResult* first = nullptr;
  double most = 0;
  for (const TrafficResult& r : report.results) {
    most = std::max(most, r.accepted_per_second());
    if (r.saturated && (first == nullptr || r.offered_per_second() < first->offered_per_second())) {
      first = &r;
    }
  }
  if (first == nullptr) return "";
  return fmt::format("Saturated from load {} on: the most that it accepts is {} GB/s in all.\n{}",
                     offered_text(*first), gigabytes(most), bounds_text(report));
}

std::string cost_text(const TrafficReport& report) {
  double seconds = 0;
  std::uint64_t events = 0;
  for (const TrafficResult& r : report.results) {
    seconds += r.wall_seconds;
    events += r.events;
  }
  return fmt::format("\n{} events in {:.3g} s: {:.3g} M events/s\n", events, seconds,
                     seconds > 0 ? static_cast<double>(events) / seconds / 1e6 : 0);
}

Json latency_json(const traffic::LatencySummary& latency) {
  Json json;
  put(json, "mean", latency.mean);
  put(json, "min", latency.min);
  put(json, "p50", latency.p50);
  put(json, "p95", latency.p95);
  put(json, "p99", latency.p99);
  put(json, "max", latency.max);
  return json;
}

/// What is known of the latencies of a saturated run: unfinished messages count with their ages.
Json lower_bounds_json(const TrafficResult& r) {
  if (!has_latency(r)) return {};
  Json json = latency_json(r.latency);
  for (const char* name : {"min", "min_ps"}) json.erase(name);
  return json;
}

Json interval_json(const traffic::Estimate& estimate, double scale) {
  return estimate.known() ? Json(estimate.half_width * scale) : Json();
}

/// Half widths of 95 % intervals; null where they are not known.
Json intervals_json(const TrafficResult& r) {
  return {{"mean_latency_ps", interval_json(r.mean_latency, 1)},
          {"accepted_bytes_per_second", interval_json(r.accepted_rate, 1)},
          {"accepted_fraction", interval_json(r.accepted_rate, r.fraction(1))}};
}

Json open_loop_json(const TrafficResult& r) {
  Json json = {{"load", r.load->text()}, {"saturated", r.saturated}};
  json["offered_fraction"] = r.fraction(r.offered_per_second());
  json["accepted_fraction"] = r.fraction(r.accepted_per_second());
  put(json, "offered", r.offered);
  put(json, "warm_up", r.warm_up);
  json["seeds"] = r.seeds;
  json["intervals"] = intervals_json(r);
  return json;
}

Json run_json(const TrafficReport& report, const TrafficResult& r) {
  Json json = r.load ? open_loop_json(r) : Json::object();
  put(json, "accepted", r.accepted);
  json["accepted_bytes_per_second"] = r.accepted_per_second();
  json["accepted_bytes_per_second_and_sender"] = per_sender(r, r.accepted_per_second());
  json["senders"] = r.senders;
  json["messages"] = r.messages;
  json["unfinished"] = r.unfinished;
  put(json, "size", r.bytes);
  if (r.packets.arrived > 0) {
    json["packets"] = packets_json(r.packets);
  }
  if (r.links_simulated > 0) {
    json["links"] = {{"simulated", r.links_simulated}, {"alike", r.links_alike}};
  }
  if (report.machine->platform->outages().any()) json["losses"] = losses_json(r.losses);
  json["latency"] = is_measured(r) ? latency_json(r.latency) : Json();
  if (r.load) json["latency_at_least"] = r.saturated ? lower_bounds_json(r) : Json();
  if (!r.flows.empty()) json["flows"] = flows_json(r.flows);
  put(json, "measured", r.measured);
  put(json, r.load ? "last_finish" : "makespan", r.last_finish);
  json["busiest_links"] = busiest_json(*report.machine->platform, r.busiest);
  json["events"] = r.events;
  json["fingerprint"] = hex(r.fingerprint);
  json["wall_seconds"] = r.wall_seconds;
  return json;
}

}  // namespace

std::string text_of(const TrafficReport& report) {
  const std::string results = report.open_loop()
                                  ? sweep_table(report).text() + saturation_text(report)
                                  : whole_run_text(report);
  return heading(report) + results + packets_text(report) + links_alone_text(report) +
         telling_flows_text(report) + links_text(report) + cost_text(report);
}

Json json_of(const TrafficReport& report) {
  Json document = new_document("heddle.traffic/1");
  const platform::Platform& platform = *report.machine->platform;
  document["platform"] = platform.name();
  document["topology"] = platform.topology().describe();
  document["nodes"] = platform.nodes();
  document["network"] = report.network;
  document["configuration"] = report.machine->config();
  document["again"] = {"traffic"};
  document["seed"] = report.config.seed;
  for (const auto& [name, value] : traffic::traffic_table().effective(report.machine->settings)) {
    document["traffic"][name] = value;
  }
  document["runs"] = Json::array();
  for (const TrafficResult& result : report.results) {
    document["runs"].push_back(run_json(report, result));
  }
  if (!report.failure.empty()) document["failure"] = report.failure;
  document["fingerprint"] = hex(traffic::combined_fingerprint(report.results));
  return document;
}

std::string sizes_text(const TrafficReport& report) {
  const traffic::TrafficConfig& c = report.config;
  if (c.pattern == "file") return "";
  return c.has_size_file() ? c.size_file : c.size.text();
}

std::string subtitle_of(const TrafficReport& report) {
  return fmt::format("{}, network {}, {}", report.machine->platform->name(), report.network,
                     traffic_text(report));
}

std::string fingerprint_of(const TrafficReport& report) {
  return "fingerprint " + hex(traffic::combined_fingerprint(report.results)) + "\n";
}

}  // namespace heddle::report
