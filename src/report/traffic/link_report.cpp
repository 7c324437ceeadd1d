#include "report/traffic/link_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/table.hpp"

namespace heddle::report {
namespace {

constexpr double kBarLength = 24;

}  // namespace

std::string bar(double part) {
  const double length = std::clamp(part, 0.0, 1.0) * kBarLength;
  return std::string(static_cast<std::size_t>(length + 0.5), '#');
}

std::string busiest_text(const platform::Platform& platform,
                         const std::vector<network::LinkUse>& uses, const std::string& of) {
  if (uses.empty()) return "";
  std::vector<Column> columns = {{"link"}, {"bytes", Align::right}, {"utilisation", Align::right}};
  for (const network::LinkStatistic& statistic : uses.front().more) {
    columns.push_back({std::string(statistic.name), Align::right});
  }
  columns.push_back({""});
  Table table(columns);
  for (const network::LinkUse& use : uses) {
    std::vector<std::string> row = {platform.links().name(use.link),
                                    std::to_string(use.bytes.count()),
                                    fmt::format("{:.1f} %", 100 * use.utilisation)};
    for (const network::LinkStatistic& statistic : use.more) {
      row.push_back(std::to_string(statistic.value));
    }
    row.push_back(bar(use.utilisation));
    table.add(row);
  }
  return fmt::format("\nBusiest links{}\n{}", of, table.text());
}

Json busiest_json(const platform::Platform& platform, const std::vector<network::LinkUse>& uses) {
  Json links = Json::array();
  for (const network::LinkUse& use : uses) {
    Json link = {{"link", platform.links().name(use.link)}};
    put(link, "carried", use.bytes);
    link["utilisation"] = use.utilisation;
    for (const network::LinkStatistic& statistic : use.more) {
      link[std::string(statistic.name)] = statistic.value;
    }
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace heddle::report
