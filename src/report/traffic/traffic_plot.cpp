// The plot of an open loop: latency and accepted throughput against the offered load.
#include <algorithm>
#include <cmath>

#include "report/plot.hpp"
#include "report/traffic/traffic_report.hpp"

namespace heddle::report {
namespace {

using traffic::TrafficResult;

/// How loads are written on the axes: as the user gave them.
struct LoadUnit {
  std::string label;
  bool is_rate;

  /// Bytes per second of each sender as so much load.
  double of(const TrafficResult& r, double bytes_per_second) const {
    return is_rate ? bytes_per_second * 8 / 1e9
                   : bytes_per_second * r.senders / std::max(r.injection, 1.0);
  }
  /// What the user asked for, rather than what came of it by chance.
  double offered(const TrafficResult& r) const {
    if (r.load->parts == 0) return of(r, static_cast<double>(r.load->rate.bits_per_second()) / 8);
    const double fraction = static_cast<double>(r.load->parts) / traffic::Load::kWhole;
    return of(r, fraction * r.injection / r.senders);
  }
  double accepted(const TrafficResult& r) const {
    return of(r, r.accepted_per_second() / r.senders);
  }
};

/// Where rates and fractions are mixed, both are drawn as rates.
LoadUnit unit_of(const std::vector<TrafficResult>& results) {
  const bool rate = std::any_of(results.begin(), results.end(),
                                [](const TrafficResult& r) { return r.load->parts == 0; });
  if (rate) return {"per sending node [Gb/s]", true};
  return {"[part of the injection bandwidth]", false};
}

std::vector<TrafficResult> sorted(std::vector<TrafficResult> results, const LoadUnit& unit) {
  std::stable_sort(results.begin(), results.end(),
                   [&](const auto& a, const auto& b) { return unit.offered(a) < unit.offered(b); });
  return results;
}

/// A little past the highest load, in both plots, whatever has a latency.
Axis load_axis(const std::vector<TrafficResult>& results, const LoadUnit& unit) {
  constexpr double kMargin = 1.08;
  return {.label = "offered load " + unit.label,
          .min = 0,
          .max = kMargin * unit.offered(results.back())};
}

/// Latencies past saturation depend on how long one looks, and are not drawn.
Series latency(const std::vector<TrafficResult>& results, const LoadUnit& unit,
               const std::string& name, Time traffic::LatencySummary::*which) {
  Series series{name, {}, {}};
  for (const TrafficResult& r : results) {
    if (r.saturated || r.messages == 0) continue;
    series.x.push_back(unit.offered(r));
    series.y.push_back(microseconds(r.latency.*which));
  }
  return series;
}

Series accepted(const std::vector<TrafficResult>& results, const LoadUnit& unit) {
  Series series{"accepted", {}, {}};
  for (const TrafficResult& r : results) {
    series.x.push_back(unit.offered(r));
    series.y.push_back(unit.accepted(r));
  }
  return series;
}

/// The line on which everything offered is accepted.
Series ideal(const std::vector<TrafficResult>& results, const LoadUnit& unit) {
  Series series{"as much as is offered", {0}, {0}};
  for (const TrafficResult& r : results) {
    series.x.push_back(unit.offered(r));
    series.y.push_back(unit.offered(r));
  }
  series.dashed = true;
  series.marks = false;
  return series;
}

std::optional<Shade> saturation(const std::vector<TrafficResult>& results, const LoadUnit& unit,
                                const std::string& label) {
  for (const TrafficResult& r : results) {
    if (r.saturated) return Shade{unit.offered(r), label};
  }
  return std::nullopt;
}

}  // namespace

std::string svg_of(const TrafficReport& report) {
  const LoadUnit unit = unit_of(report.results);
  const std::vector<TrafficResult> results = sorted(report.results, unit);
  const Axis load = load_axis(results, unit);
  const std::string subtitle = subtitle_of(report);
  using Latency = traffic::LatencySummary;
  return plots_svg({{"Latency against load",
                     subtitle,
                     load,
                     {.label = "latency [us]", .min = 0},
                     {latency(results, unit, "mean", &Latency::mean),
                      latency(results, unit, "median", &Latency::p50),
                      latency(results, unit, "99th percentile", &Latency::p99)},
                     saturation(results, unit, "saturated: latency has no limit")},
                    {"Throughput against load",
                     subtitle,
                     load,
                     {.label = "accepted " + unit.label, .min = 0},
                     {accepted(results, unit), ideal(results, unit)},
                     saturation(results, unit, "saturated")}});
}

}  // namespace heddle::report
