// What `heddle topo --cost` says: counts, money and watts.
#pragma once

#include <optional>
#include <string>

#include "platform/cost/fabric_cost.hpp"
#include "platform/figures/metrics.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// A fabric's cost beside what it is divided by.
struct CostReport {
  platform::FabricCost cost;
  std::string prices;  ///< Name of the table,
  std::string about;   ///< and what it says of itself.
  std::uint32_t nodes = 0;
  std::optional<Bandwidth> bisection;

  double per_node(double amount) const { return amount / nodes; }
  /// For a Gb/s of the bisection; nothing where that is not known.
  std::optional<double> per_gbps(double amount) const;
};

CostReport cost_report(const platform::Platform& platform, const platform::Prices& prices,
                       const platform::Metrics& metrics);
std::string text_of(const CostReport& report);
Json json_of(const CostReport& report);

}  // namespace heddle::report
