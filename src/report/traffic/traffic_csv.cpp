// The table of runs for other programs.
#include <fmt/core.h>

#include "report/repeat.hpp"
#include "report/table.hpp"
#include "report/traffic/run_figures.hpp"
#include "report/traffic/traffic_report.hpp"

namespace heddle::report {
namespace {

using traffic::TrafficResult;
using Latency = traffic::LatencySummary;

/// Per sender, for plots.
std::string gigabits_each(const TrafficResult& r, double bytes_per_second) {
  return fmt::format("{:.6g}", 8 * per_sender(r, bytes_per_second) / 1e9);
}

/// "" where the machine's file says its routes.
std::string routing_of(const platform::Machine& machine) {
  if (!machine.description.simgrid.empty()) return "";
  return machine.settings.get(platform::topology_table()).routing;
}

std::string latency_ps(const TrafficResult& r, Time Latency::*which) {
  return is_measured(r) ? std::to_string((r.latency.*which).ps()) : "";
}

std::string exact_us(const TrafficResult& r, Time Latency::*which) {
  return is_measured(r) ? fmt::format("{:.6f}", microseconds(r.latency.*which)) : "";
}

/// Of all flows, where it was measured and has a limit.
std::string slowdown_text(const TrafficResult& r, double traffic::FlowGroup::*which) {
  return r.flows.empty() || r.saturated ? "" : fmt::format("{:.6f}", r.flows.front().*which);
}

template <class Number>
std::string whole(Number value) {
  return std::to_string(value);
}

/// A column of the table for other programs: its name, and what it says of a result.
struct CsvColumn {
  const char* name;
  std::string (*of)(const TrafficReport& report, const TrafficResult& r);
};

const CsvColumn kCsvColumns[] = {
    {"load", [](const TrafficReport&,
                const TrafficResult& r) { return r.load ? r.load->text() : std::string(); }},
    {"offered_fraction",
     [](const TrafficReport&, const TrafficResult& r) {
       return r.load ? fmt::format("{}", r.fraction(r.offered_per_second())) : std::string();
     }},
    {"accepted_fraction",
     [](const TrafficReport&, const TrafficResult& r) {
       return r.load ? fmt::format("{}", r.fraction(r.accepted_per_second())) : std::string();
     }},
    {"offered_bytes",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.offered.count()); }},
    {"accepted_bytes",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.accepted.count()); }},
    {"measured_ps",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.measured.ps()); }},
    {"senders", [](const TrafficReport&, const TrafficResult& r) { return whole(r.senders); }},
    {"messages", [](const TrafficReport&, const TrafficResult& r) { return whole(r.messages); }},
    {"unfinished",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.unfinished); }},
    {"bytes", [](const TrafficReport&, const TrafficResult& r) { return whole(r.bytes.count()); }},
    {"mean_ps",
     [](const TrafficReport&, const TrafficResult& r) { return latency_ps(r, &Latency::mean); }},
    {"min_ps",
     [](const TrafficReport&, const TrafficResult& r) { return latency_ps(r, &Latency::min); }},
    {"p50_ps",
     [](const TrafficReport&, const TrafficResult& r) { return latency_ps(r, &Latency::p50); }},
    {"p95_ps",
     [](const TrafficReport&, const TrafficResult& r) { return latency_ps(r, &Latency::p95); }},
    {"p99_ps",
     [](const TrafficReport&, const TrafficResult& r) { return latency_ps(r, &Latency::p99); }},
    {"max_ps",
     [](const TrafficReport&, const TrafficResult& r) { return latency_ps(r, &Latency::max); }},
    {"last_finish_ps",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.last_finish.ps()); }},
    {"saturated", [](const TrafficReport&,
                     const TrafficResult& r) { return std::string(r.saturated ? "yes" : "no"); }},
    {"events", [](const TrafficReport&, const TrafficResult& r) { return whole(r.events); }},
    {"fingerprint",
     [](const TrafficReport&, const TrafficResult& r) { return hex(r.fingerprint); }},
    {"network", [](const TrafficReport& report, const TrafficResult&) { return report.network; }},
    {"platform", [](const TrafficReport& report,
                    const TrafficResult&) { return report.machine->platform->name(); }},
    {"pattern",
     [](const TrafficReport& report, const TrafficResult&) { return report.config.pattern; }},
    {"offered_Gbps",
     [](const TrafficReport&, const TrafficResult& r) {
       return gigabits_each(r, r.offered_per_second());
     }},
    {"accepted_Gbps",
     [](const TrafficReport&, const TrafficResult& r) {
       return gigabits_each(r, r.accepted_per_second());
     }},
    {"mean_us",
     [](const TrafficReport&, const TrafficResult& r) { return exact_us(r, &Latency::mean); }},
    {"p99_us",
     [](const TrafficReport&, const TrafficResult& r) { return exact_us(r, &Latency::p99); }},
    {"routing",
     [](const TrafficReport& report, const TrafficResult&) { return routing_of(*report.machine); }},
    {"size", [](const TrafficReport& report, const TrafficResult&) { return sizes_text(report); }},
    {"seed",
     [](const TrafficReport& report, const TrafficResult&) { return whole(report.config.seed); }},
    {"seeds", [](const TrafficReport&, const TrafficResult& r) { return whole(r.seeds); }},
    {"mean_interval_us",
     [](const TrafficReport&, const TrafficResult& r) {
       return r.mean_latency.known() ? fmt::format("{:.6g}", r.mean_latency.half_width / 1e6)
                                     : std::string();
     }},
    {"accepted_interval_fraction",
     [](const TrafficReport&, const TrafficResult& r) {
       return r.accepted_rate.known()
                  ? fmt::format("{:.6g}", r.fraction(r.accepted_rate.half_width))
                  : std::string();
     }},
    {"packets",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.arrived); }},
    {"packets_out_of_order",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.out_of_order); }},
    {"packets_marked",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.marked); }},
    {"packets_dropped",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.dropped); }},
    {"packets_trimmed",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.trimmed); }},
    {"packets_sent_again",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.sent_again); }},
    {"timeouts",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.timeouts); }},
    {"pauses",
     [](const TrafficReport&, const TrafficResult& r) { return whole(r.packets.pauses); }},
    {"paused_us",
     [](const TrafficReport&, const TrafficResult& r) {
       return fmt::format("{:.6g}", static_cast<double>(r.packets.paused.ps()) / 1e6);
     }},
    {"slowdown_mean",
     [](const TrafficReport&, const TrafficResult& r) {
       return slowdown_text(r, &traffic::FlowGroup::slowdown_mean);
     }},
    {"slowdown_p50",
     [](const TrafficReport&, const TrafficResult& r) {
       return slowdown_text(r, &traffic::FlowGroup::slowdown_p50);
     }},
    {"slowdown_p99",
     [](const TrafficReport&, const TrafficResult& r) {
       return slowdown_text(r, &traffic::FlowGroup::slowdown_p99);
     }},
};

}  // namespace

std::string csv_of(const TrafficReport& report) {
  std::vector<Column> columns;
  for (const CsvColumn& column : kCsvColumns) columns.push_back({column.name});
  Table table(columns);
  for (const TrafficResult& result : report.results) {
    std::vector<std::string> cells;
    for (const CsvColumn& column : kCsvColumns) cells.push_back(column.of(report, result));
    table.add(std::move(cells));
  }
  return table.csv();
}

}  // namespace heddle::report
