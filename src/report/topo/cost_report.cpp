#include "report/topo/cost_report.hpp"

#include <fmt/core.h>

#include <cmath>

#include "report/table.hpp"

namespace heddle::report {
namespace {

/// Whole amounts where they are large, else four digits.
std::string amount(double value) {
  return std::abs(value) >= 10'000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string item_note(const platform::CostItem& item) {
  if (item.part == "switches") return fmt::format("{:.0f} ports in use", item.ports);
  return item.part == "cables" ? fmt::format("{} m", amount(item.metres)) : "";
}

std::string items_text(const platform::FabricCost& cost) {
  Table table({{"part"},
               {"class"},
               {"count", Align::right},
               {cost.currency, Align::right},
               {"watts", Align::right},
               {"note"}});
  for (const platform::CostItem& item : cost.items) {
    table.add({item.part, item.name, std::to_string(item.count), amount(item.price),
               amount(item.power), item_note(item)});
  }
  table.add({"all", "", "", amount(cost.price), amount(cost.power),
             fmt::format("{} rack{}", cost.racks, cost.racks == 1 ? "" : "s")});
  return table.text();
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::optional<double> CostReport::per_gbps(double amount) const {
  if (!bisection) return std::nullopt;
  return amount / (static_cast<double>(bisection->bits_per_second()) / 1e9);
}

CostReport cost_report(const platform::Platform& platform, const platform::Prices& prices,
                       const platform::Metrics& metrics) {
  CostReport report{platform::cost_of(platform, prices), prices.name, prices.about,
                    platform.nodes(), std::nullopt};
  if (metrics.bisection) report.bisection = metrics.bisection->bandwidth;
  return report;
}

std::string text_of(const CostReport& report) {
  const platform::FabricCost& cost = report.cost;
  std::string text = "cost by the prices " + report.prices;
  if (!report.about.empty()) text += " (" + report.about + ")";
  text += "\n" + items_text(cost) + "\n";
  Table per({{"per"}, {cost.currency, Align::right}, {"watts", Align::right}});
  per.add({"node", amount(report.per_node(cost.price)), amount(report.per_node(cost.power))});
  if (report.bisection) {
    per.add({"Gb/s of bisection", amount(*report.per_gbps(cost.price)),
             amount(*report.per_gbps(cost.power))});
  }
  return text + per.text();
}

Json json_of(const CostReport& report) {
  const platform::FabricCost& cost = report.cost;
  Json json = {{"prices", report.prices},
               {"currency", cost.currency},
               {"price", cost.price},
               {"power_w", cost.power},
               {"racks", cost.racks},
               {"price_per_node", report.per_node(cost.price)},
               {"power_per_node_w", report.per_node(cost.power)},
               {"price_per_bisection_gbps", optional_number(report.per_gbps(cost.price))},
               {"power_per_bisection_gbps_w", optional_number(report.per_gbps(cost.power))},
               {"items", Json::array()}};
  for (const platform::CostItem& item : cost.items) {
    Json one = {{"part", item.part},
                {"class", item.name},
                {"count", item.count},
                {"price", item.price},
                {"power_w", item.power}};
    if (item.part == "switches") one["ports"] = item.ports;
    if (item.part == "cables") one["length_m"] = item.metres;
    json["items"].push_back(one);
  }
  return json;
}

}  // namespace heddle::report
