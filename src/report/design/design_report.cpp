#include "report/design/design_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

using platform::DesignFigures;

/// A number that came of all there is, or "~" before one of a sample.
std::string share_text(double value, bool all) {
  return fmt::format("{}{:.3f}", all ? "" : "~", value);
}

std::string bisection_per_node(const DesignFigures& f) {
  if (!f.metrics.bisection) return "";
  const double bits = static_cast<double>(f.metrics.bisection->bandwidth.bits_per_second());
  return fmt::format("{}{:.4g}", f.metrics.bisection->exact ? "" : "<=", bits / 1e9 / f.nodes);
}

std::string design_money(const DesignFigures& f, double platform::FabricCost::*amount) {
  return f.cost ? fmt::format("{:.4g}", (*f.cost).*amount / f.nodes) : "";
}

std::vector<std::string> design_row(const DesignReport& report, std::size_t i) {
  const DesignFigures& f = report.figures[i];
  std::vector<std::string> row = {report.front[i] ? "*" : "",
                                  report.designs[i].name,
                                  std::to_string(f.nodes),
                                  std::to_string(f.switches),
                                  std::to_string(f.metrics.radix),
                                  std::to_string(f.cables),
                                  std::to_string(f.metrics.hops.most),
                                  fmt::format("{:.3f}", f.metrics.hops.mean()),
                                  bisection_per_node(f),
                                  share_text(f.uniform.load.saturation, f.uniform.all),
                                  share_text(f.shift.load.saturation, f.shift.all),
                                  f.detour ? share_text(*f.detour, f.uniform.all) : "",
                                  share_text(f.uniform_after.load.saturation, f.uniform_after.all),
                                  std::to_string(f.cut_off),
                                  design_money(f, &platform::FabricCost::price),
                                  design_money(f, &platform::FabricCost::power)};
  for (std::size_t p = 0; p < report.patterns.size(); ++p) {
    const std::optional<double>& accepted = report.simulated[i][p];
    row.push_back(accepted ? fmt::format("{:.3f}", *accepted) : "");
  }
  if (!report.schedule.empty()) {
    const std::optional<double>& seconds = report.replayed[i];
    row.push_back(seconds ? fmt::format("{:.3f}", *seconds * 1e6) : "");
  }
  return row;
}

Table design_table(const DesignReport& report) {
  const std::string currency = report.figures.empty() || !report.figures[0].cost
                                   ? "price"
                                   : report.figures[0].cost->currency;
  std::vector<Column> columns = {{"pareto"},
                                 {"design"},
                                 {"nodes", Align::right},
                                 {"switches", Align::right},
                                 {"radix", Align::right},
                                 {"cables", Align::right},
                                 {"diameter", Align::right},
                                 {"mean_hops", Align::right},
                                 {"bisection_gbps_per_node", Align::right},
                                 {"uniform", Align::right},
                                 {"worst_shift", Align::right},
                                 {"by_detour", Align::right},
                                 {"uniform_after", Align::right},
                                 {"cut_off", Align::right},
                                 {currency + "_per_node", Align::right},
                                 {"watts_per_node", Align::right}};
  for (const std::string& pattern : report.patterns) {
    columns.push_back({"simulated_" + pattern, Align::right});
  }
  if (!report.schedule.empty()) columns.push_back({"schedule_us", Align::right});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < report.designs.size(); ++i) table.add(design_row(report, i));
  return table;
}

constexpr const char* kLegend =
    "uniform, worst_shift: the load (part of what nodes inject) up to which the busiest link\n"
    "bears all of it on fixed minimal routes, counted and not simulated; ~ of a sample of shifts.\n"
    "by_detour: the same for any traffic by way of random switches. uniform_after, cut_off:\n"
    "uniform traffic, and pairs without a way, with cables down. Hops are links.\n";

/// What columns of simulated loads and times are, if there are any.
std::string simulated_text(const DesignReport& report) {
  std::string text;
  if (!report.patterns.empty()) {
    text += "simulated: the part of the injection that is accepted over " + report.network +
            " where nodes\noffer all they can, in the mean: flows that miss the busiest link get "
            "more.\n";
  }
  if (!report.schedule.empty()) {
    text += "schedule_us: when the last rank of " + report.schedule + " has ended, over " +
            report.network + ".\n";
  }
  for (const std::string& problem : report.problems) text += problem + "\n";
  return text;
}

Json simulated_json(const DesignReport& report, std::size_t i) {
  Json json = Json::object();
  for (std::size_t p = 0; p < report.patterns.size(); ++p) {
    const std::optional<double>& accepted = report.simulated[i][p];
    json[report.patterns[p]] = accepted ? Json(*accepted) : Json();
  }
  return json;
}

Json bisection_json(const DesignFigures& f) {
  return f.metrics.bisection ? Json(f.metrics.bisection->bandwidth.bits_per_second()) : Json();
}

Json design_json(const DesignReport& report, std::size_t i) {
  const DesignFigures& f = report.figures[i];
  Json parameters = Json::object();
  for (const auto& [name, value] : report.designs[i].parameters) parameters[name] = value;
  return {{"design", report.designs[i].name},
          {"kind", report.designs[i].kind},
          {"parameters", parameters},
          {"topology", report.designs[i].yaml()},
          {"about", f.about},
          {"pareto", static_cast<bool>(report.front[i])},
          {"nodes", f.nodes},
          {"switches", f.switches},
          {"radix", f.metrics.radix},
          {"cables", f.cables},
          {"diameter", f.metrics.hops.most},
          {"mean_hops", f.metrics.hops.mean()},
          {"bisection_bps", bisection_json(f)},
          {"uniform_saturation", f.uniform.load.saturation},
          {"uniform_exact", f.uniform.all},
          {"worst_shift", f.shift.shift},
          {"worst_shift_flows", f.shift.load.flows},
          {"worst_shift_saturation", f.shift.load.saturation},
          {"worst_shift_exact", f.shift.all},
          {"detour_saturation", f.detour ? Json(*f.detour) : Json()},
          {"uniform_saturation_after", f.uniform_after.load.saturation},
          {"diameter_after", f.diameter_after},
          {"pairs_cut_off_after", f.cut_off},
          {"simulated", simulated_json(report, i)},
          {"schedule_s",
           report.schedule.empty() || !report.replayed[i] ? Json() : Json(*report.replayed[i])},
          {"price", f.cost ? Json(f.cost->price) : Json()},
          {"price_per_node", f.cost ? Json(f.cost->price / f.nodes) : Json()},
          {"power_w", f.cost ? Json(f.cost->power) : Json()},
          {"power_per_node_w", f.cost ? Json(f.cost->power / f.nodes) : Json()}};
}

}  // namespace

std::string text_of(const DesignReport& report) {
  std::string text = fmt::format(
      "{} designs for {} nodes with switches of up to {} ports, resilience with {} of the cables "
      "between switches down\n\n{}\n{}{}\n",
      report.designs.size(), report.nodes, report.radix, report.failures,
      design_table(report).text(), kLegend, simulated_text(report));
  for (std::size_t i = 0; i < report.designs.size(); ++i) {
    text += fmt::format("{}: topology: {}\n", report.designs[i].name, report.designs[i].yaml());
  }
  return text;
}

std::string csv_of(const DesignReport& report) {
  return design_table(report).csv();
}

Json json_of(const DesignReport& report) {
  Json document = new_document("heddle.design/1");
  document["nodes"] = report.nodes;
  document["radix"] = report.radix;
  document["failures"] = report.failures;
  document["prices"] = report.prices.empty() ? Json() : Json(report.prices);
  document["saturation"] = "upper bound, counted on fixed minimal routes";
  document["network"] = report.network.empty() ? Json() : Json(report.network);
  document["schedule"] = report.schedule.empty() ? Json() : Json(report.schedule);
  document["designs"] = Json::array();
  for (std::size_t i = 0; i < report.designs.size(); ++i) {
    document["designs"].push_back(design_json(report, i));
  }
  return document;
}

}  // namespace heddle::report
