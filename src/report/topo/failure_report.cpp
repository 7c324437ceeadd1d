#include "report/topo/failure_report.hpp"

#include <utility>

#include <fmt/core.h>

#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

std::string diameter_of(const FabricState& state) {
  return fmt::format("{}{} links", state.metrics.hops.exact ? "" : "at least ",
                     state.metrics.hops.most);
}

std::string bisection_of(const FabricState& state) {
  const auto& bisection = state.metrics.bisection;
  if (!bisection) return state.metrics.no_bisection;
  return (bisection->exact ? "" : "at most ") + format_bandwidth(bisection->bandwidth);
}

std::string shift_of(const FabricState& state) {
  const platform::WorstShift& worst = state.worst;
  return fmt::format("{} flow{} on a link, by {}{}", worst.load.flows,
                     worst.load.flows == 1 ? "" : "s", worst.shift,
                     worst.all ? "" : " (of some shifts)");
}

Json state_json(const FabricState& state) {
  const platform::HopCounts& hops = state.metrics.hops;
  Json json = {{"cables", state.cables},
               {"diameter", hops.most},
               {"mean_hops", hops.mean()},
               {"pairs_without_route", hops.cut_off},
               {"bisection_bps", Json()},
               {"worst_shift", state.worst.shift},
               {"worst_shift_flows", state.worst.load.flows},
               {"worst_shift_saturation", state.worst.load.saturation},
               {"worst_shift_exact", state.worst.all}};
  if (state.metrics.bisection) {
    json["bisection_bps"] = state.metrics.bisection->bandwidth.bits_per_second();
  }
  return json;
}

}  // namespace

FabricState state_of(const platform::Platform& platform) {
  return state_of(platform, platform::measure(platform));
}

FabricState state_of(const platform::Platform& platform, const platform::Metrics& metrics) {
  return {platform.topology().cables(), metrics, platform::worst_shift(platform)};
}

FailureReport compared(std::string failures, FabricState before, FabricState after) {
  const auto& whole = before.metrics.bisection;
  auto& left = after.metrics.bisection;
  if (whole && left && whole->bandwidth < left->bandwidth) {
    left = whole;
    left->exact = false;
  }
  return {std::move(failures), std::move(before), std::move(after)};
}

std::string text_of(const FailureReport& report) {
  Table table({{"failures"}, {"before"}, {"with " + report.failures + " of the cables down"}});
  const auto add = [&](const char* figure, auto text) {
    table.add({figure, text(report.before), text(report.after)});
  };
  add("cables", [](const FabricState& s) { return std::to_string(s.cables); });
  add("diameter", diameter_of);
  add("mean hops",
      [](const FabricState& s) { return fmt::format("{:.4g} links", s.metrics.hops.mean()); });
  add("without route", [](const FabricState& s) {
    return fmt::format("{} of {} pairs", s.metrics.hops.cut_off,
                       s.metrics.hops.cut_off + s.metrics.hops.pairs);
  });
  add("bisection", bisection_of);
  add("worst shift", shift_of);
  add("its saturation", [](const FabricState& s) {
    return fmt::format("{:.4g} of the injection", s.worst.load.saturation);
  });
  return table.text();
}

Json json_of(const FailureReport& report) {
  return {{"cables", report.failures},
          {"before", state_json(report.before)},
          {"after", state_json(report.after)}};
}

}  // namespace heddle::report
