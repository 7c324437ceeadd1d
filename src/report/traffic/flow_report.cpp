#include "report/traffic/flow_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "report/plot.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

using traffic::FlowGroup;
using traffic::TrafficResult;

constexpr Bytes kOpenEnd{INT64_MAX};

bool is_all(const FlowGroup& group) {
  return group.from == Bytes(0) && group.below == kOpenEnd;
}

std::string kind_of(const FlowGroup& group) {
  switch (group.kind) {
    case traffic::GroupKind::pattern:
      return "pattern";
    case traffic::GroupKind::incast:
      return "incast";
    case traffic::GroupKind::outcast:
      return "outcast";
    case traffic::GroupKind::all:
      break;
  }
  return "all";
}

std::string decimal_size(Bytes size) {
  const auto bytes = static_cast<double>(size.count());
  if (bytes >= 1e9) return fmt::format("{:g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:g} MB", bytes / 1e6);
  return fmt::format("{:g} kB", bytes / 1e3);
}

std::string sizes_of(const FlowGroup& group) {
  if (is_all(group)) return kind_of(group);
  if (group.from == Bytes(0)) return "< " + decimal_size(group.below);
  return ">= " + decimal_size(group.from);
}

std::string flow_figure(double value) {
  return value < 1e4 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

std::string load_text(const TrafficResult& result) {
  return result.load ? result.load->text() : "";
}

/// A number that reads back as it is.
std::string flow_number(double value) {
  return fmt::format("{:.6f}", value);
}

}  // namespace

bool has_flows(const TrafficReport& report) {
  return std::any_of(report.results.begin(), report.results.end(),
                     [](const TrafficResult& r) { return !r.flows.empty(); });
}

std::string flows_text(const std::vector<FlowGroup>& groups, const std::string& of) {
  if (groups.empty()) return "";
  Table table({{"size", Align::right},
               {"flows", Align::right},
               {"share of bytes", Align::right},
               {"mean_us", Align::right},
               {"p50_us", Align::right},
               {"p99_us", Align::right},
               {"slowdown mean", Align::right},
               {"p50", Align::right},
               {"p95", Align::right},
               {"p99", Align::right},
               {"p99.9", Align::right}});
  const auto all = static_cast<double>(groups.front().bytes.count());
  for (const FlowGroup& group : groups) {
    table.add({sizes_of(group), std::to_string(group.flows),
               fmt::format("{:.1f} %", 100 * static_cast<double>(group.bytes.count()) / all),
               flow_figure(microseconds(group.mean)), flow_figure(microseconds(group.p50)),
               flow_figure(microseconds(group.p99)), flow_figure(group.slowdown_mean),
               flow_figure(group.slowdown_p50), flow_figure(group.slowdown_p95),
               flow_figure(group.slowdown_p99), flow_figure(group.slowdown_p999)});
  }
  return fmt::format(
      "\nFlows by size{}: completion time, and slowdown against the idle network\n{}", of,
      table.text());
}

std::string flows_csv(const TrafficReport& report) {
  Table table({{"load"},
               {"kind"},
               {"from_bytes"},
               {"below_bytes"},
               {"flows"},
               {"bytes"},
               {"mean_us"},
               {"p50_us"},
               {"p99_us"},
               {"slowdown_mean"},
               {"slowdown_p50"},
               {"slowdown_p95"},
               {"slowdown_p99"},
               {"slowdown_p999"},
               {"saturated"},
               {"network"},
               {"size"}});
  for (const TrafficResult& result : report.results) {
    for (const FlowGroup& group : result.flows) {
      table.add({load_text(result), kind_of(group), std::to_string(group.from.count()),
                 group.below == kOpenEnd ? "" : std::to_string(group.below.count()),
                 std::to_string(group.flows), std::to_string(group.bytes.count()),
                 flow_number(microseconds(group.mean)), flow_number(microseconds(group.p50)),
                 flow_number(microseconds(group.p99)), flow_number(group.slowdown_mean),
                 flow_number(group.slowdown_p50), flow_number(group.slowdown_p95),
                 flow_number(group.slowdown_p99), flow_number(group.slowdown_p999),
                 result.saturated ? "yes" : "no", report.network, sizes_text(report)});
    }
  }
  return table.csv();
}

Json flows_json(const std::vector<FlowGroup>& groups) {
  Json list = Json::array();
  for (const FlowGroup& group : groups) {
    Json json = {{"kind", kind_of(group)},
                 {"from", group.from.count()},
                 {"below", group.below == kOpenEnd ? Json() : Json(group.below.count())},
                 {"flows", group.flows}};
    put(json, "size", group.bytes);
    Json time;
    put(time, "mean", group.mean);
    put(time, "p50", group.p50);
    put(time, "p99", group.p99);
    json["completion"] = time;
    json["slowdown"] = {{"mean", group.slowdown_mean},
                        {"p50", group.slowdown_p50},
                        {"p95", group.slowdown_p95},
                        {"p99", group.slowdown_p99},
                        {"p99_9", group.slowdown_p999}};
    list.push_back(std::move(json));
  }
  return list;
}

namespace {

/// Where flows of a group are drawn: at their mean size.
Series slowdown_of(const TrafficResult& result, double FlowGroup::*which) {
  Series series{result.load ? "load " + load_text(result) : "all flows", {}, {}};
  if (result.saturated) series.name += ", saturated";
  for (const FlowGroup& group : result.flows) {
    if (is_all(group)) continue;
    series.x.push_back(static_cast<double>(group.bytes.count()) / static_cast<double>(group.flows));
    series.y.push_back(group.*which);
  }
  return series;
}

Plot slowdown_plot(const TrafficReport& report, const std::string& title,
                   double FlowGroup::*which) {
  Plot plot{title,
            subtitle_of(report),
            {.label = "mean size of flows of a decade [bytes]", .scale = Scale::log},
            {.label = "slowdown against the idle network", .scale = Scale::log},
            {},
            {}};
  for (const TrafficResult& result : report.results) {
    if (!result.flows.empty()) plot.series.push_back(slowdown_of(result, which));
  }
  return plot;
}

}  // namespace

std::string flows_svg(const TrafficReport& report) {
  return plots_svg({slowdown_plot(report, "99th percentile of slowdown", &FlowGroup::slowdown_p99),
                    slowdown_plot(report, "Median slowdown", &FlowGroup::slowdown_p50)});
}

}  // namespace heddle::report
